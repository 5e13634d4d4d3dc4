import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../domain/calendar.ts'
import type { SignedIn } from '../../platform/context.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import { accountIsOwnOf, ownedBy, viewerOf } from '../../areas/identity/access/access.public.ts'
import { columnsFor, type LedgerRow } from '../rows/rows.queries.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { pairErrors } from './pairs.errors.ts'

export type PairKind = 'duplicate' | 'transfer'

/** The bounds of a search: the newest rows of its window, and pairs of those with the same amount around the same days. */
const MOST_ROWS = sql.raw('15000')
const MOST_NEAR = sql.raw('10000')
/** The most pairs that are compared, the newest first, and the most that are compared more closely. */
const CANDIDATES = sql.raw('1000')
const CLOSER = sql.raw('200')

/** A row of a pair. */
export type PairRow = LedgerRow & {
  /** Both rows of a pair have the same. */
  pairNumber: number
  /** The line of its part that is meant, where it is not the whole. */
  partLine: number | null
}

/** The rows of the pairs that were found; where none was, a single row without a pair. */
export type FoundPairRow = (PairRow | { pairNumber: null }) & {
  /** 1 if a bound has ended the search, which is the same on all rows. */
  isTruncated: 0 | 1
}

/**
 * The two rows of each pair, in the order in which they were found, and whether a bound has ended the search.
 * @param found the rows of pairs, or a single one without a pair
 */
export function foundPairs(found: FoundPairRow[]) {
  const rows = found.filter((row): row is Extract<FoundPairRow, PairRow> => row.pairNumber !== null)
  const pairs = Map.groupBy(rows, ({ pairNumber }) => pairNumber)
  return {
    pairs: [...pairs.values()].flatMap(([one, other]) =>
      one && other ? [[one, other] satisfies [PairRow, PairRow]] : [],
    ),
    truncated: found[0]?.isTruncated === 1,
  }
}

/** The days in which both rows of a pair lie. */
export interface Window {
  from: CalendarDate
  to: CalendarDate
}

/** The rows among which pairs are searched. */
export interface PairFilter extends Window {
  /** The most days between the two. */
  days: number
  accountId?: string | undefined
}

/**
 * The newest account lines of one window, out of an index alone. Those that are no part of any pair have no amount, so that nothing
 * is equal to theirs, but count towards the bound, as they have been read: those on accounts that are closed or not the caller's own,
 * and those of transfers, whose ids sort before the ids of transactions. Two lines are near each other only if they are in the same
 * slot of days, or in slots that follow each other.
 */
const linesIn = (ctx: SignedIn, { from, to, days, accountId }: PairFilter): SQL => {
  const [isWanted, currency] =
    accountId === undefined
      ? [ownedBy(ctx.caller, 'e.owner_id'), 'e.currency']
      : [sql`e.account_id = ${accountId}`, 'NULL']
  return sql`lines AS MATERIALIZED (
    SELECT e.transaction_id AS id, e.account_id AS accountId, ${sql.raw(currency)} AS currency, e.date,
      iif(e.status <> 'void' AND e.transaction_id >= 'txn_' AND e.line = 1 AND e.account_id IN (SELECT accounts.id FROM accounts
        WHERE ${accountIsOwnOf(viewerOf(ctx))} AND accounts.status = 'open'), e.amount_minor, NULL) AS amount,
      unixepoch(e.date) / 86400 AS day, unixepoch(e.date) / 86400 / (CAST(${days} AS INTEGER) + 1) AS slot
    FROM entries e WHERE ${isWanted} AND e.side = 'account' AND e.date BETWEEN ${from} AND ${to}
    ORDER BY e.date DESC, e.transaction_id DESC LIMIT ${MOST_ROWS} + 1)`
}

const isNotDistinct = (kind: PairKind): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM distinct_pairs d WHERE d.one_id = min(oneId, twoId)
    AND d.other_id = max(oneId, twoId) AND d.kind = ${kind})`

const isOfKind = (id: 'oneId' | 'twoId', kinds: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM transactions h WHERE h.id = ${sql.raw(id)} AND h.kind IN (${kinds}))`

/** Each has two lines: its account's, and where the money came from or went. */
const ARE_WHOLE = sql.raw(
  '(SELECT count(*) FROM entries s WHERE s.transaction_id IN (oneId, twoId)) = 4',
)

/** Pairs of lines, or of their parts and lines. */
interface Pairs {
  /** The lines or parts for which others are looked for, with the newest first. */
  outer?: 'lines one' | 'lines two' | 'parts one'
  /**
   * The condition for lines that are compared with a line. An index can answer it, so most lines, which have none,
   * are done quickly.
   */
  isAlike: SQL
  /** The condition for two of these to be a pair. */
  isPair: SQL
  farFetched?: SQL
}

/**
 * The lines that are alike in slots beside each other, with the newest first. SQLite makes an index of all lines for this, by
 * everything that is asked for with an equals sign: so each line that is read is one that counts towards the bound.
 */
const nearOf = ({ outer = 'lines one', isAlike }: Pairs, table: SQL): SQL => {
  const part = (column: string) => sql.raw(outer === 'parts one' ? `one.${column}` : 'NULL')
  const [inner, slots] =
    outer === 'lines two' ? ['one', 'one.slot = two.slot'] : ['two', 'two.slot = one.slot']
  return sql`${table} AS MATERIALIZED (SELECT one.id AS oneId, two.id AS twoId, one.accountId AS oneAccountId,
      two.accountId AS twoAccountId, one.date, ${part('line')} AS partLine, ${part('counterId')} AS counterId,
      abs(two.day - one.day) AS gap
    FROM ${sql.raw(outer)} CROSS JOIN json_each('[0, -1, 1]') step CROSS JOIN lines ${sql.raw(inner)}
    WHERE ${isAlike} AND ${sql.raw(slots)} + step.value LIMIT ${MOST_NEAR} + 1)`
}

const selectPairs = ({ isPair, farFetched = sql`0` }: Pairs, table: SQL, days: number): SQL =>
  sql`SELECT * FROM (SELECT oneId, twoId, date, partLine, gap, ${farFetched} AS farFetched FROM ${table}
    WHERE gap <= ${days} AND ${isPair} LIMIT ${CANDIDATES})`

/** The rows of the best pairs among some: those that are not `farFetched`, then those that are close together. */
const rowsOf = (
  ctx: SignedIn,
  { lines, days, bounds = [] }: { lines: SQL; days: number; bounds?: SQL[] },
  ...pairs: Pairs[]
) => {
  const tables = pairs.map((_, at) => sql.raw(`near${at}`))
  const isOver = (table: SQL, most: SQL) => sql`(SELECT count(*) FROM ${table}) > ${most}`
  const ends = [
    isOver(sql`lines`, MOST_ROWS),
    ...tables.map((table) => isOver(table, MOST_NEAR)),
    ...bounds,
    isOver(sql`pairs`, CLOSER),
  ]
  return db.all<FoundPairRow>(
    sql`WITH ${lines}, ${sql.join(
      pairs.map((some, at) => nearOf(some, tables[at] as SQL)),
      sql`, `,
    )},
      pairs AS MATERIALIZED (${sql.join(
        pairs.map((some, at) => selectPairs(some, tables[at] as SQL, days)),
        sql` UNION ALL `,
      )}),
      best AS MATERIALIZED (SELECT oneId, twoId, partLine,
          row_number() OVER (ORDER BY farFetched, gap, date DESC, oneId, twoId, partLine) AS pair
        FROM pairs ORDER BY pair LIMIT ${CLOSER}),
      bounds AS MATERIALIZED (SELECT ${sql.join(ends, sql` OR `)} AS isTruncated)
    SELECT bounds.isTruncated, best.pair AS pairNumber, iif(e.transaction_id = best.oneId, best.partLine, NULL) AS partLine,
      ${columnsFor(ctx)}
    FROM bounds LEFT JOIN best ON true LEFT JOIN entries e ON e.transaction_id IN (best.oneId, best.twoId) AND e.line = 1
      LEFT JOIN transactions t ON t.id = e.transaction_id
    ORDER BY best.pair, e.transaction_id = best.twoId`,
  )
}

/**
 * The parts of those lines that have some, with the amount that each moves on the account of the whole. One that is a transfer may be
 * met by rows of its other account, unless one was matched into it already.
 */
const PARTS = sql`parts AS MATERIALIZED (SELECT whole.id, whole.accountId, whole.currency, whole.date, whole.day, whole.slot, part.line,
      0 - part.amount_minor AS amount, part.counter_account_id AS counterId
    FROM lines whole CROSS JOIN entries part ON part.transaction_id = whole.id AND part.side <> 'account' AND part.pair IS NULL
    WHERE whole.amount IS NOT NULL
      AND EXISTS (SELECT 1 FROM entries more WHERE more.transaction_id = whole.id AND more.line > 2)
      AND NOT EXISTS (SELECT 1 FROM transactions away WHERE away.matched_into = whole.id AND away.matched_part->>'line' = part.line)
    LIMIT ${MOST_ROWS} + 1)`

const IS_WHOLE = sql.raw('(SELECT count(*) FROM entries s2 WHERE s2.transaction_id = twoId) = 2')

/**
 * Expenses and incomes of two accounts with the same amount in one currency: first what left, then what arrived. Of a part and
 * a row first the whole of the part.
 */
export const transferPairs = (ctx: SignedIn, filter: PairFilter) => {
  const isOpposite = sql`two.amount = -one.amount AND two.currency = one.currency`
  return rowsOf(
    ctx,
    {
      lines: sql`${linesIn(ctx, filter)}, ${PARTS}`,
      days: filter.days,
      bounds: [sql`(SELECT count(*) FROM parts) > ${MOST_ROWS}`],
    },
    {
      isAlike: sql`one.amount < 0 AND (one.currency, -one.amount) IN (SELECT currency, amount FROM lines) AND ${isOpposite}`,
      isPair: sql`twoAccountId <> oneAccountId AND ${isNotDistinct('transfer')}
        AND ${isOfKind('oneId', sql`'expense'`)} AND ${isOfKind('twoId', sql`'income'`)} AND ${ARE_WHOLE}`,
    },
    {
      outer: 'parts one',
      isAlike: isOpposite,
      isPair: sql`twoAccountId <> oneAccountId AND ifnull(counterId = twoAccountId, true) AND ${isNotDistinct('transfer')}
        AND ${isOfKind('twoId', sql`'expense', 'income'`)} AND ${IS_WHOLE}`,
    },
  )
}

const wordsOf = (id: 'oneId' | 'twoId') =>
  sql`(SELECT h.search_text FROM transactions h WHERE h.id = ${sql.raw(id)})`

/** Expenses, or incomes, of one account with the same amount: first what was recorded first. */
export const duplicatePairs = (ctx: SignedIn, filter: PairFilter) =>
  rowsOf(
    ctx,
    { lines: linesIn(ctx, filter), days: filter.days },
    {
      outer: 'lines two',
      isAlike: sql`(two.accountId, two.amount) IN (SELECT accountId, amount FROM lines GROUP BY 1, 2 HAVING count(*) > 1)
        AND one.accountId = two.accountId AND one.amount = two.amount`,
      isPair: sql`twoId > oneId AND ${isNotDistinct('duplicate')}
        AND ${isOfKind('oneId', sql`'expense', 'income'`)} AND ${isOfKind('twoId', sql`'expense', 'income'`)}`,
      farFetched: sql`${wordsOf('oneId')} <> ${wordsOf('twoId')}`,
    },
  )

/** The most dismissed pairs of a transaction: all of them are erased with it. */
export const MOST_DISMISSED = 100

/** Remembers of two transactions that they are no such pair; once is enough. Refuses when one of them is in too many. */
export const insertDistinctPair = (
  ctx: SignedIn,
  kind: PairKind,
  [one, other]: [LedgerRow, LedgerRow],
): Statement[] => [
  db.run(sql`INSERT OR IGNORE INTO distinct_pairs (kind, one_id, other_id, owner_id, created_at)
    SELECT ${kind}, min(a, b), max(a, b), ${one.ownerId}, ${ctx.now}
    FROM (SELECT ${one.transactionId} AS a, ${other.transactionId} AS b)`),
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify([one.transactionId, other.transactionId])}) one
      WHERE (SELECT count(*) FROM distinct_pairs d WHERE d.one_id = one.value)
        + (SELECT count(*) FROM distinct_pairs d WHERE d.other_id = one.value) > ${sql.raw(String(MOST_DISMISSED))})`,
    () => pairErrors.tooManyDismissed({ field: 'transactionIds' }),
  ),
]
