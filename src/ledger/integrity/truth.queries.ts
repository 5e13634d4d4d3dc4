import { type SQL, sql } from 'drizzle-orm'

// What the projections must hold, as SELECTs from the entries: what they are compared with, and rebuilt from.

/**
 * The sum of amounts, in two halves: any order of adding must stay within 64 bits, and 1,025 of the
 * largest amounts, met before what balances them, would not.
 */
export const sumOf = (filter: string, amount = 'amount_minor'): SQL =>
  sql.raw(`(ifnull(sum((${amount}) >> 26) FILTER (WHERE ${filter}), 0) * 67108864
    + ifnull(sum((${amount}) & 67108863) FILTER (WHERE ${filter}), 0))`)

const own = (condition: string) => `e.side = 'account' AND ${condition}`

/** Some accounts, as a subquery of their ids; all without one. */
export type Accounts = SQL | undefined

/** Whether a column names one of them. */
export const within = (column: string, accounts: Accounts): SQL =>
  accounts ? sql`${sql.raw(column)} IN (${accounts})` : sql`true`

/** In the order of the columns of `account_balances`. */
export const balancesOf = (accounts: Accounts): SQL =>
  sql`SELECT a.id,
      ${sumOf(own(`e.status <> 'void'`))} AS balance,
      ${sumOf(own(`e.status IN ('cleared', 'reconciled')`))} AS cleared,
      ${sumOf(own(`e.status = 'reconciled'`))} AS reconciled,
      0 - ${sumOf(`e.side = 'opening' AND e.status <> 'void'`)} AS opening,
      count(*) FILTER (WHERE e.side = 'account') AS lines,
      max(e.date) FILTER (WHERE e.side = 'account') AS last_date
    FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
    WHERE ${within('a.id', accounts)} GROUP BY a.id`

const MOVED = 'ifnull(flow_minor, 0 - amount_minor)'

export type Grain = 'day' | 'month'

const PERIOD = { day: 'date', month: 'substr(date, 1, 7)' }

/** Flows of one grain, in the order of the columns of `flow_periods`. */
export const flowsOf = (grain: Grain, accounts: Accounts): SQL =>
  sql`SELECT account_id, ${sql.raw(`'${grain}' AS grain, ${PERIOD[grain]} AS period`)},
      iif(flow_minor IS NULL, side, 'transfer') AS flow, ifnull(category_id, '') AS category_id,
      ifnull(counter_account_id, '') AS counter_account_id, ${sumOf('true', MOVED)} AS amount,
      ${sumOf(`status = 'pending'`, MOVED)} AS pending, count(*) AS lines
    FROM entries WHERE (side NOT IN ('account', 'exchange') OR flow_minor IS NOT NULL) AND status <> 'void'
      AND ${within('account_id', accounts)} GROUP BY 1, 3, 4, 5, 6`

const PERIOD_SUMS = sql`
      ${sumOf(`status <> 'void' AND amount_minor > 0`)} AS inflow,
      ${sumOf(`status <> 'void' AND amount_minor < 0`)} AS outflow,
      ${sumOf(`status IN ('cleared', 'reconciled')`)} AS cleared,
      ${sumOf(`status = 'reconciled'`)} AS reconciled, count(*) AS lines`

/** In the order of the columns of `account_periods`. Days come in the order of their index and need no sorting. */
export const periodsOf = (accounts: Accounts): SQL =>
  sql`SELECT account_id, 'day' AS grain, date AS period, ${PERIOD_SUMS} FROM entries
      WHERE side = 'account' AND ${within('account_id', accounts)} GROUP BY account_id, date
    UNION ALL SELECT account_id, 'month', substr(date, 1, 7), ${PERIOD_SUMS} FROM entries
      WHERE side = 'account' AND ${within('account_id', accounts)} GROUP BY 1, 3`
