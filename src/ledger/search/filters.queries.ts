import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import type { CalendarDate } from '../../domain/calendar.ts'
import { comparisonsOf } from '../../domain/conditions/conditions.ts'
import { db, joined, type Statement } from '../../platform/database/statements.ts'
import { fromWideSum, wideSum } from '../../platform/database/wide-sums.ts'
import {
  ownedBy,
  withAnnotated,
  withHidden,
  withSeen,
} from '../../areas/identity/access/access.public.ts'
import { HEADERS } from '../rows/rows.queries.ts'
import { periodCount, periodDays, periodTotals, type PeriodTotals } from './periods.queries.ts'
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
import { inPieces, isInDays, type LeftOut } from './pieces.queries.ts'
import { conditionIn, type Direction, type LedgerFilter, type MovedSums } from './search.rules.ts'

/**
 * The lines of entries `e` and headers `t` that match, as a condition of a statement that has `tablesFor` them.
 * @param whose in place of all accounts that the caller sees, or of the one that is asked for
 */
function matching(filter: LedgerFilter, leftOut: LeftOut, whose?: SQL): SQL {
  const lead = leadOf(filter)
  const asked = conditionIn(filter)
  return joinConditions([
    ...(saysOfWhole(asked) ? [sql`(e.line <= 2 OR ${WHOLE_IS_SEEN})`] : []),
    ...(lead ? [sql`e.transaction_id IN (${lead})`] : []),
    sql`e.side = 'account' AND ${whose ?? isSeenLine(filter, sql.raw(lead ? '+' : ''))}`,
    ...isInDays(filter, leftOut),
    ...(wordsOf(filter) ? [IS_WORDED] : []),
    ...(asked.all.length === 0 ? [] : [conditionSql(asked)]),
  ])
}

/** True if the caller sees the account of the whole transaction whose part has a line `e` as its other side, beside `seen`. */
const WHOLE_IS_SEEN =
  sql.raw(`EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
  AND w.account_id IN (SELECT id FROM seen))`)

/** @param free a `+` keeps their indexes from being chosen in place of what leads to the lines */
const isSeenLine = ({ accountId }: LedgerFilter, free: SQL) =>
  sql`${free}e.account_id ${
    // No line is looked at of an account that the caller does not see.
    accountId === undefined
      ? sql`IN (SELECT id FROM seen)`
      : sql`= (SELECT id FROM seen WHERE id = ${accountId})`
  } AND ${IS_SHOWN}`

/** Few transactions are private. To find them once takes less than to read the header of each line. */
const IS_SHOWN = sql.raw('e.transaction_id NOT IN (SELECT id FROM hidden)')

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

/** The lines of one of these. */
export const OF_RECEIVED = sql`e.account_id = received.id AND ${IS_SHOWN}`

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
  return sql`${withSeen(ctx)}, ${withHidden(ctx)} ${looksAtNames(conditionIn(filter)) ? sql`, ${withAnnotated(ctx)}` : sql``}
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

/** What a statement takes of the lines that match. */
interface Taken {
  columns: SQL
  /** True if it needs the headers, whatever the filter. */
  withHeaders?: boolean
  /** What comes before the lines in the FROM. */
  beside?: SQL
  leftOut?: LeftOut
  /** What else must be true of a line, from its AND on. */
  more?: SQL
  /** The order in which the lines are read, and how many. */
  upTo?: SQL
}

/** The lines that match and are read in one go: those that `whose` says, or all. */
export const linesOf = (
  filter: LedgerFilter,
  { columns, withHeaders = false, beside = sql``, leftOut, more = sql``, upTo = sql`` }: Taken,
  whose?: SQL,
): SQL => sql`SELECT ${columns} FROM ${beside} entries e
  ${withHeaders || needsHeader(conditionIn(filter)) ? HEADERS : sql``}
  WHERE ${matching(filter, leftOut, whose)} ${more} ${upTo}`

/**
 * The lines that match. All own ones of a caller stand together in the order of their days, which is about that of their headers,
 * too: so each header is found next to the one before it.
 */
export function matchingLines(ctx: SignedIn, filter: LedgerFilter, taken: Taken): SQL {
  const beside = sql`${taken.beside ?? sql``} ${receivedAccounts(ctx)} CROSS JOIN`
  return isWalk(filter)
    ? sql`${linesOf(filter, taken, ofOwnAccounts(ctx))}
        UNION ALL ${linesOf(filter, { ...taken, beside }, OF_RECEIVED)}`
    : linesOf(filter, taken)
}

/** The pieces of the lines, which statements of their own look at. */
export const piecesOf = (
  filter: LedgerFilter,
  isSorted: boolean,
  direction?: Direction,
  start?: CalendarDate,
): LedgerFilter[] => (isInOrder(filter) ? inPieces(filter, isSorted, direction, start) : [filter])

/**
 * The lines that match, each piece as a query to stand in a FROM.
 * @param isSorted true if what is found is sorted or added up
 */
export const linesInPieces = (
  ctx: SignedIn,
  filter: LedgerFilter,
  columns: SQL,
  isSorted = false,
): SQL[] =>
  piecesOf(filter, isSorted).map(
    (piece) => sql`WITH ${tablesFor(ctx, piece)} ${matchingLines(ctx, piece, { columns })}`,
  )

/** The number of matching lines. */
export const ledgerCount = (ctx: SignedIn, filter: LedgerFilter): Statement<number> =>
  joined(
    isByPeriod(filter)
      ? [periodCount(ctx, filter)]
      : linesInPieces(ctx, filter, sql`1`).map((lines) =>
          db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (${lines})`),
        ),
    (found) => countIn(found.flat()),
  )

export const countIn = (counted: { count: number }[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0)

const SUMMED = sql`e.currency, e.amount_minor, e.status`

const SUMS = sql`count(*) AS count,
  ${wideSum(sql`CASE WHEN amount_minor > 0 AND status <> 'void' THEN amount_minor END`)} AS inflow,
  ${wideSum(sql`CASE WHEN amount_minor < 0 AND status <> 'void' THEN amount_minor END`)} AS outflow`

/** Minor units of one currency. */
export interface LedgerTotals extends MovedSums {
  currency: string
}

/**
 * The sums of each currency, in the order of their codes: the number of matching lines, and the amounts that they moved. Void lines are
 * counted but move nothing.
 */
export const ledgerTotals = (ctx: SignedIn, filter: LedgerFilter): Statement<LedgerTotals[]> =>
  joined(
    isByPeriod(filter)
      ? [periodTotals(ctx, filter)]
      : linesInPieces(ctx, filter, SUMMED, true).map((lines) =>
          db.all<PeriodTotals>(sql`SELECT currency, ${SUMS} FROM (${lines}) GROUP BY currency`),
        ),
    (found) =>
      [...Map.groupBy(found.flat(), ({ currency }) => currency)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, sums]) => ({
          currency,
          count: countIn(sums),
          inflow: sums.reduce((sum, { inflow }) => sum + fromWideSum(inflow), 0n),
          outflow: sums.reduce((sum, { outflow }) => sum + fromWideSum(outflow), 0n),
        })),
  )

/** The sums of a currency on a day. */
export interface LedgerDay extends LedgerTotals {
  date: CalendarDate
}

/** `ledgerTotals` by day; of each piece of the lines no more than `most`. */
export const ledgerDays = (
  ctx: SignedIn,
  filter: LedgerFilter,
  most: number,
): Statement<LedgerDay[]> =>
  joined(
    isByPeriod(filter)
      ? [periodDays(ctx, filter, most)]
      : linesInPieces(ctx, filter, sql`${SUMMED}, e.date`, true).map((lines) =>
          db.all<PeriodTotals & { date: string }>(
            sql`SELECT currency, date, ${SUMS} FROM (${lines}) GROUP BY currency, date LIMIT ${most}`,
          ),
        ),
    (found) =>
      found.flat().map((sums) => ({
        ...sums,
        inflow: fromWideSum(sums.inflow),
        outflow: fromWideSum(sums.outflow),
      })),
  )
