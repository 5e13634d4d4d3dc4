import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { comparisonsOf } from '../../domain/conditions/conditions.ts'
import { db } from '../../platform/database/statements.ts'
import { wideSum } from '../../platform/database/wide-sums.ts'
import {
  isNotPrivateEntry,
  ownedBy,
  withAnnotated,
  withSeen,
} from '../../areas/identity/access/access.public.ts'
import { HEADERS } from '../rows/rows.queries.ts'
import { periodSums, type PeriodSums, periodTotals, type PeriodTotals } from './periods.queries.ts'
import { joinConditions } from './comparisons.queries.ts'
import {
  conditionSql,
  IS_WORDED,
  leadOfLabels,
  leadOfOrigin,
  looksAtNames,
  needsHeader,
  saysDays,
  saysOfWhole,
  transactionsWithWords,
} from './conditions.queries.ts'
import { isInPiece } from './pieces.queries.ts'
import { conditionIn, type LedgerFilter } from './search.rules.ts'

/** The side of a filter's days that a statement leaves out, where a bound of its own stands in its place. */
export type LeftOut = 'from' | 'to' | undefined

/**
 * The lines of entries `e` and headers `t` that match, as a condition of a statement that has `tablesFor` them.
 * @param scope in place of all accounts that the caller sees, or of the one that is asked for
 */
export function matching(ctx: SignedIn, filter: LedgerFilter, whose?: SQL, leftOut?: LeftOut): SQL {
  const lead = leadOf(filter)
  const free = sql.raw(lead ? '+' : '')
  const { from, to } = filter
  const asked = conditionIn(filter)
  return joinConditions([
    ...(saysOfWhole(asked) ? [sql`(e.line <= 2 OR ${WHOLE_IS_SEEN})`] : []),
    ...(lead ? [sql`e.transaction_id IN (${lead})`] : []),
    sql`e.side = 'account' AND ${whose ?? isSeenLine(ctx, filter, free)}`,
    ...(from === undefined || leftOut === 'from' ? [] : [sql`e.date >= ${from}`]),
    ...(to === undefined || leftOut === 'to' ? [] : [sql`e.date <= ${to}`]),
    ...isInPiece(filter),
    ...(wordsOf(filter) ? [IS_WORDED] : []),
    ...(asked.all.length === 0 ? [] : [conditionSql(asked)]),
  ])
}

/** True if the caller sees the account of the whole transaction whose part has a line `e` as its other side, beside `seen`. */
const WHOLE_IS_SEEN =
  sql.raw(`EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
  AND w.account_id IN (SELECT id FROM seen))`)

/** @param free a `+` keeps their indexes from being chosen in place of what leads to the lines */
const isSeenLine = (ctx: SignedIn, { accountId }: LedgerFilter, free: SQL) =>
  sql`${free}e.account_id ${
    // No line is looked at of an account that the caller does not see.
    accountId === undefined
      ? sql`IN (SELECT id FROM seen)`
      : sql`= (SELECT id FROM seen WHERE id = ${accountId})`
  } AND ${isNotPrivateEntry(ctx)}`

/** True if lines are read in the order of their days. */
export const isInOrder = (filter: LedgerFilter): boolean => leadOf(filter) === undefined

/** True if the lines of all accounts are read in that order: each account has its own. */
export const isWalk = (filter: LedgerFilter): boolean =>
  filter.accountId === undefined && isInOrder(filter)

/** All of a caller's own lines stand together in the order of their days. */
export const ofOwnAccounts = (ctx: SignedIn): SQL =>
  sql`${ownedBy(ctx.caller, 'e.owner_id')} AND e.account_id IN (SELECT id FROM seen)`

/** Accounts that the caller sees and somebody else owns, as the table `received`. */
export const receivedAccounts = (ctx: SignedIn): SQL =>
  sql`(SELECT id FROM seen WHERE NOT ${ownedBy(ctx.caller, 'owner_id')}) received`

/** The lines of one account that somebody else shares, by an SQL expression of its id. */
export const ofReceived = (ctx: SignedIn, accountId: SQL): SQL =>
  sql`e.account_id = ${accountId} AND ${isNotPrivateEntry(ctx)}`

/**
 * The transactions of which alone lines are looked at, where what is asked for leads to them. Where both days
 * are named, or nothing else is, lines are looked at in the order of their days instead.
 */
const leadOf = (filter: LedgerFilter): SQL | undefined => {
  const condition = conditionIn(filter)
  return leadOfOrigin(condition) ?? (hasDays(filter) ? undefined : leadOfLabels(condition))
}

/** Both days are named, beside the condition or in it. */
const hasDays = (filter: LedgerFilter): boolean =>
  (filter.from !== undefined && filter.to !== undefined) || saysDays(conditionIn(filter))

/**
 * The transactions with the words of a filter. Where neither something else leads to lines nor both days are named, they are found
 * first: the texts of an owner stand together, so that looking through them takes less than reading the header of each line.
 */
const wordsOf = (filter: LedgerFilter): SQL | undefined =>
  leadOf(filter) || hasDays(filter) ? undefined : transactionsWithWords(conditionIn(filter))

/** The tables that the statement of a filter must have in its WITH. */
export function tablesFor(ctx: SignedIn, filter: LedgerFilter): SQL {
  const words = wordsOf(filter)
  return sql`${withSeen(ctx)} ${looksAtNames(conditionIn(filter)) ? sql`, ${withAnnotated(ctx)}` : sql``}
    ${words ? sql`, worded AS MATERIALIZED (${words})` : sql``}`
}

/** For accounts and days sums are kept: where nothing else is asked for, nothing need be counted. */
export const isByPeriod = (filter: LedgerFilter): boolean => conditionIn(filter).all.length === 0

/** The comparisons of a filter that may stand in a statement four times: its rows and their count, of own and other accounts. */
const REPEATED = 10

/** A pattern is as large as several other comparisons. */
const OF_PATTERN = 3

export const isLarge = (filter: LedgerFilter): boolean =>
  comparisonsOf(conditionIn(filter)).reduce(
    (size, { op }) => size + (op === 'like' ? OF_PATTERN : 1),
    0,
  ) > REPEATED

/** Joins the headers, which some filters only need: the others are answered by entries. */
export const headersFor = (filter: LedgerFilter): SQL =>
  needsHeader(conditionIn(filter)) ? HEADERS : sql``

/**
 * The lines that match, as a SELECT of these columns. All own ones of a caller stand together in the order of their
 * days, which is about that of their headers, too: so each header is found next to the one before it.
 */
export function matchingLines(
  ctx: SignedIn,
  filter: LedgerFilter,
  columns: SQL,
  { leftOut, beside = sql``, more = sql`` }: { leftOut?: LeftOut; beside?: SQL; more?: SQL } = {},
): SQL {
  const lines = (from: SQL, whose?: SQL) =>
    sql`SELECT ${columns} FROM ${beside} ${from} ${headersFor(filter)}
      WHERE ${matching(ctx, filter, whose, leftOut)} ${more}`
  return isWalk(filter)
    ? sql`${lines(sql`entries e`, ofOwnAccounts(ctx))}
        UNION ALL ${lines(
          sql`${receivedAccounts(ctx)} CROSS JOIN entries e`,
          ofReceived(ctx, sql`received.id`),
        )}`
    : lines(sql`entries e`)
}

/** The number of matching lines. */
export const ledgerCount = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(filter)
    ? periodSums(ctx, filter)
    : db.all<{ count: number }>(
        sql`WITH ${tablesFor(ctx, filter)} SELECT count(*) AS count FROM (${matchingLines(ctx, filter, sql`1`)})`,
      )

const SUMMED = sql`e.currency, e.amount_minor, e.status`

const SUMS = sql`count(*) AS count,
  ${wideSum(sql`CASE WHEN amount_minor > 0 AND status <> 'void' THEN amount_minor END`)} AS inflow,
  ${wideSum(sql`CASE WHEN amount_minor < 0 AND status <> 'void' THEN amount_minor END`)} AS outflow`

/** The number of matching lines, and the amounts that they moved; void lines are counted but move nothing. */
export const ledgerSums = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(filter)
    ? periodSums(ctx, filter)
    : db.all<PeriodSums>(
        sql`WITH ${tablesFor(ctx, filter)} SELECT ${SUMS} FROM (${matchingLines(ctx, filter, SUMMED)})`,
      )

/** The sums of each currency, in the order of their codes. */
export const ledgerTotals = (ctx: SignedIn, filter: LedgerFilter) =>
  isByPeriod(filter)
    ? periodTotals(ctx, filter)
    : db.all<PeriodTotals>(
        sql`WITH ${tablesFor(ctx, filter)} SELECT currency, ${SUMS} FROM (${matchingLines(ctx, filter, SUMMED)})
          GROUP BY currency ORDER BY currency`,
      )
