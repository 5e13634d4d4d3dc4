import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { db, type Statement } from '../../platform/statements.ts'
import { accountIsOwnOf, viewerOf } from '../../areas/identity/access/access.public.ts'
import { columnsFor, type LedgerRow } from '../rows/rows.queries.ts'
import type { Window } from './pairs.rules.ts'

export type PairKind = 'duplicate' | 'transfer'

/** How many pairs are looked at, the newest first, and how many of them more closely. */
const CANDIDATES = sql.raw('1000')
const CLOSER = sql.raw('200')

/** A row of a pair. */
export type PairRow = LedgerRow & {
  /** Both rows of a pair have the same. */
  pairNumber: number
  accountName: string
  /** The line of its part that is meant, where it is not the whole. */
  partLine: number | null
}

/** The rows among which pairs are searched. */
export interface PairFilter extends Window {
  /** How many days the two may be apart. */
  days: number
  accountId?: string | undefined
}

/**
 * The account lines of one window, of own accounts, out of an index alone; ids of transfers, which are no part of any pair, sort
 * before those of transactions.
 */
const linesIn = (ctx: SignedIn, { from, to, accountId }: PairFilter): SQL =>
  sql`lines AS MATERIALIZED (
    SELECT e.transaction_id AS id, e.account_id AS accountId, accounts.currency, e.date, e.amount_minor AS amount
    FROM accounts CROSS JOIN entries e ON e.account_id = accounts.id AND e.side = 'account'
    WHERE ${accountIsOwnOf(viewerOf(ctx))} AND accounts.status = 'open'
      ${accountId === undefined ? sql`` : sql`AND accounts.id = ${accountId}`}
      AND e.date BETWEEN ${from} AND ${to} AND e.status <> 'void' AND e.transaction_id >= 'txn_' AND e.line = 1
    ORDER BY e.date DESC)`

const isNear = ({ days }: PairFilter): SQL =>
  sql`two.date BETWEEN date(one.date, ${`-${days} days`}) AND date(one.date, ${`+${days} days`})`

const isNotDistinct = (kind: PairKind): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM distinct_pairs d WHERE d.one_id = min(one.id, two.id)
    AND d.other_id = max(one.id, two.id) AND d.kind = ${kind})`

const isOfKind = (id: 'one.id' | 'two.id', kinds: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM transactions h WHERE h.id = ${sql.raw(id)} AND h.kind IN (${kinds}))`

/** Each has two lines: its account's, and where the money came from or went. */
const ARE_WHOLE = sql.raw(
  '(SELECT count(*) FROM entries s WHERE s.transaction_id IN (one.id, two.id)) = 4',
)

/** A SELECT of pairs, the first of each from the lines, or from their parts. */
interface Pairs {
  pairs: SQL
  farFetched: SQL
  from?: SQL
  partLine?: SQL
}

const selectPairs = ({
  pairs,
  farFetched,
  from = sql`lines one CROSS JOIN lines two`,
  partLine = sql`NULL`,
}: Pairs): SQL =>
  sql`SELECT * FROM (SELECT one.id AS oneId, two.id AS twoId, one.date, ${partLine} AS partLine,
      abs(julianday(two.date) - julianday(one.date)) AS gap, ${farFetched} AS farFetched
    FROM ${from} WHERE ${pairs} LIMIT ${CANDIDATES})`

/** The rows of the best pairs among some: those that are not `farFetched`, then those that are close together. */
const rowsOf = (ctx: SignedIn, lines: SQL, ...pairs: Pairs[]) =>
  db.all<PairRow>(
    sql`WITH ${lines}, pairs AS MATERIALIZED (${sql.join(pairs.map(selectPairs), sql` UNION ALL `)}),
      best AS MATERIALIZED (SELECT oneId, twoId, partLine,
          row_number() OVER (ORDER BY farFetched, gap, date DESC, oneId, twoId, partLine) AS pair
        FROM pairs ORDER BY pair LIMIT ${CLOSER})
    SELECT best.pair AS pairNumber, iif(e.transaction_id = best.oneId, best.partLine, NULL) AS partLine, ${columnsFor(ctx)},
      (SELECT name FROM accounts a WHERE a.id = e.account_id) AS accountName
    FROM best CROSS JOIN entries e ON e.transaction_id IN (best.oneId, best.twoId) AND e.line = 1
      CROSS JOIN transactions t ON t.id = e.transaction_id
    ORDER BY best.pair, e.transaction_id = best.twoId`,
  )

/**
 * The parts of those lines that have some, with the amount that each moves on the account of the whole. One that is a transfer may be
 * met by rows of its other account, unless one was matched into it already.
 */
const PARTS =
  sql.raw(`parts AS MATERIALIZED (SELECT whole.id, whole.accountId, whole.currency, whole.date, part.line, 0 - part.amount_minor AS amount,
      part.counter_account_id AS counterId
    FROM lines whole CROSS JOIN entries part ON part.transaction_id = whole.id AND part.side <> 'account' AND part.pair IS NULL
    WHERE EXISTS (SELECT 1 FROM entries more WHERE more.transaction_id = whole.id AND more.line > 2)
      AND NOT EXISTS (SELECT 1 FROM transactions away WHERE away.matched_into = whole.id AND away.matched_part->>'line' = part.line))`)

const IS_WHOLE = sql.raw('(SELECT count(*) FROM entries s2 WHERE s2.transaction_id = two.id) = 2')

/**
 * Expenses and incomes of two accounts with the same amount in one currency: first what left, then what arrived. Of a part and
 * a row first the whole of the part.
 */
export const transferPairs = (ctx: SignedIn, filter: PairFilter) =>
  rowsOf(
    ctx,
    sql`${linesIn(ctx, filter)}, ${PARTS}`,
    {
      pairs: sql`one.amount < 0 AND two.amount = -one.amount AND two.currency = one.currency
        AND two.accountId <> one.accountId AND ${isNear(filter)} AND ${isNotDistinct('transfer')}
        AND ${isOfKind('one.id', sql`'expense'`)} AND ${isOfKind('two.id', sql`'income'`)} AND ${ARE_WHOLE}`,
      farFetched: sql`0`,
    },
    {
      from: sql`parts one CROSS JOIN lines two`,
      partLine: sql`one.line`,
      pairs: sql`two.amount = -one.amount AND two.currency = one.currency
        AND two.accountId <> one.accountId AND ifnull(one.counterId = two.accountId, true)
        AND ${isNear(filter)} AND ${isNotDistinct('transfer')}
        AND ${isOfKind('two.id', sql`'expense', 'income'`)} AND ${IS_WHOLE}`,
      farFetched: sql`0`,
    },
  )

const wordsOf = (id: 'one.id' | 'two.id') =>
  sql`(SELECT h.search_text FROM transactions h WHERE h.id = ${sql.raw(id)})`

/** Expenses, or incomes, of one account with the same amount: first what was recorded first. */
export const duplicatePairs = (ctx: SignedIn, filter: PairFilter) =>
  rowsOf(ctx, linesIn(ctx, filter), {
    pairs: sql`two.accountId = one.accountId AND two.amount = one.amount AND two.id > one.id
      AND ${isNear(filter)} AND ${isNotDistinct('duplicate')}
      AND ${isOfKind('one.id', sql`'expense', 'income'`)}
      AND ${isOfKind('two.id', sql`'expense', 'income'`)}`,
    farFetched: sql`${wordsOf('one.id')} <> ${wordsOf('two.id')}`,
  })

/** Remembers of two transactions that they are no such pair; once is enough. */
export const insertDistinctPair = (
  ctx: SignedIn,
  kind: PairKind,
  [one, other]: [LedgerRow, LedgerRow],
): Statement =>
  db.run(sql`INSERT OR IGNORE INTO distinct_pairs (kind, one_id, other_id, owner_id, created_at)
    SELECT ${kind}, min(a, b), max(a, b), ${one.ownerId}, ${ctx.now}
    FROM (SELECT ${one.transactionId} AS a, ${other.transactionId} AS b)`)
