import { type SQL, sql } from 'drizzle-orm'
import { CURRENCIES } from '../../domain/currency.ts'

// Pieces of SQL of which filters and conditions are made, over an account line `e` and its header `t`.

/** Halved again and again: a row of ANDs is as deep as it is long, and D1 takes no more than a hundred levels. */
export function joinConditions(conditions: SQL[], by: SQL = sql` AND `): SQL {
  const half = Math.ceil(conditions.length / 2)
  const [first, second] = [conditions.slice(0, half), conditions.slice(half)]
  return conditions.length < 3
    ? sql.join(conditions, by)
    : sql`(${joinConditions(first, by)})${by}(${joinConditions(second, by)})`
}

/** A column that says where a transaction comes from. */
type OriginColumn = 'import_id' | 'recurring_id'

/** The transactions that an import booked, or that belong to a recurring item, or the transfers that now contain them. */
export const transactionsFrom = (column: OriginColumn, id: string): SQL =>
  sql`SELECT ifnull(b.matched_into, b.id) FROM transactions b WHERE b.${sql.raw(column)} = ${id}`

/** True if neither the transaction of an entry `e` and header `t` nor one that it contains comes from there. */
export const hasNoOrigin = (column: OriginColumn): SQL =>
  sql.raw(`(t.${column} IS NULL AND NOT EXISTS (SELECT 1 FROM transactions b
    WHERE b.matched_into = e.transaction_id AND b.${column} IS NOT NULL))`)

const codesWith = (digits: number) =>
  CURRENCIES.filter(({ minorDigits }) => minorDigits === digits)
    .map(({ code }) => `'${code}'`)
    .join()

/** Currencies of two minor digits that most amounts are in. */
const USUAL = ['EUR', 'USD', 'GBP']

/**
 * A number for each number of minor digits, as an expression of the currency of an entry `e`. The usual ones are asked
 * for first: for SQLite, to compare with one text takes a tenth of the time of a list.
 */
export const byDigits = (numberFor: (digits: number) => bigint | number): SQL =>
  sql.raw(
    `CASE ${USUAL.map((code) => `WHEN e.currency = '${code}' THEN ${numberFor(2)}`).join(' ')} ${[
      0, 3, 4,
    ]
      .map((digits) => `WHEN e.currency IN (${codesWith(digits)}) THEN ${numberFor(digits)}`)
      .join(' ')} ELSE ${numberFor(2)} END`,
  )

/**
 * The part whose other side an entry `e` is. It is asked for apart: the index in which lines are looked through has no such column,
 * and would have each of them read.
 */
export const PART_OF_LINE = sql.raw(
  '(SELECT p.pair FROM entries p WHERE p.transaction_id = e.transaction_id AND p.line = e.line)',
)

/**
 * True if the transaction of an entry `e` has a part `c` with this condition in the same account. Only of a transfer the first line may
 * be such a part.
 */
export const hasPart = (condition: SQL) =>
  sql`EXISTS (SELECT 1 FROM entries c WHERE c.transaction_id = e.transaction_id AND c.line > (e.transaction_id >= 'txn_')
    AND ${condition} AND +c.account_id = e.account_id AND (e.line <= 2 OR c.pair = ${PART_OF_LINE}))`

/** So many transactions are found once, to look each line up among them: with more, it is quicker to read their headers or labels. */
export const MOST_LOOKED_UP = 2_000

export const areFew = (rows: SQL, most: number): SQL => {
  const limit = sql.raw(String(most))
  return sql`(SELECT count(*) <= ${limit} FROM (${rows} LIMIT ${limit} + 1))`
}

/** False if the transaction of an entry `e` is not among few ones. To ask that first spares most lines a closer look. */
export const mayBeAmong = (transactionIds: SQL, most: number): SQL =>
  sql`(NOT ${areFew(transactionIds, most)} OR +e.transaction_id IN (${transactionIds}))`

/** Categories and all below them, as a SELECT of their ids. */
export const categoriesWithBelow = (ids: readonly string[]): SQL =>
  sql`WITH RECURSIVE below(id) AS (SELECT value FROM json_each(${JSON.stringify(ids)})
      UNION SELECT k.id FROM below JOIN categories k ON k.parent_id = below.id)
    SELECT id FROM below`

/** The transactions with these categories, on the whole or a part, beside `seen`: only those whose owner has an account there. */
export const transactionsOfCategories = (ids: SQL): SQL =>
  sql`SELECT c.transaction_id FROM entries c WHERE c.category_id IN (
    SELECT own.id FROM categories own WHERE own.id IN ${ids} AND own.owner_id IN (SELECT owner_id FROM seen))`

/** The key is compared, never put into a path: no letter of it means anything. */
export const hasMetadata = (key: string | undefined, value: string | undefined) =>
  sql`EXISTS (SELECT 1 FROM json_each(t.metadata) m WHERE ${sql.join(
    [
      ...(key === undefined ? [] : [sql`m.key = ${key}`]),
      ...(value === undefined ? [] : [sql`(${sql.join(readingsOf(value), sql` OR `)})`]),
    ],
    sql` AND `,
  )})`

/** Returns the JSON values that a text can stand for: a string, a number written this way, or a boolean. */
const readingsOf = (value: string): SQL[] => [
  sql`m.type = 'text' AND m.value = ${value}`,
  ...(['true', 'false'].includes(value) ? [sql`m.type = ${value}`] : []),
  // Both are read from the same digits by the same reader, so that no rounding comes between them.
  ...(Number.isFinite(Number(value)) && String(Number(value)) === value
    ? [sql`m.type IN ('integer', 'real') AND m.value = json_extract(${value}, '$')`]
    : []),
]
