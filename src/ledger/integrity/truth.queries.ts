import { type SQL, sql } from 'drizzle-orm'

// The correct content of the projections, as SELECTs from the entries. Projections are compared with it and rebuilt
// from it.

/**
 * The sum of amounts, in two halves: any order of adding must stay within 64 bits, and 1,025 of the
 * largest amounts, met before what balances them, would not.
 */
export const sumOfAmounts = (filter: string, amount = 'amount_minor'): SQL =>
  sql.raw(`(ifnull(sum((${amount}) >> 26) FILTER (WHERE ${filter}), 0) * 67108864
    + ifnull(sum((${amount}) & 67108863) FILTER (WHERE ${filter}), 0))`)

const own = (condition: string) => `e.side = 'account' AND ${condition}`

/** Some accounts, as a subquery of their ids; all without one. */
export type Accounts = SQL | undefined

/**
 * True if projections of an account `a` are kept. They are not while the account is being erased, or once the erasure
 * of its owner has begun.
 */
export const IS_KEPT = sql.raw(`(EXISTS (SELECT 1 FROM account_balances k WHERE k.account_id = a.id)
  OR a.erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = a.owner_id AND u.deletion_due_at IS NOT NULL))`)

const ALL_KEPT = sql`SELECT a.id FROM accounts a WHERE ${IS_KEPT}`

/** True if a column names one of the accounts. */
export const within = (column: string, accounts: Accounts = ALL_KEPT): SQL =>
  sql`${sql.raw(column)} IN (${accounts})`

/** In the order of the columns of `account_balances`. */
export const balancesOf = (accounts: Accounts): SQL =>
  sql`SELECT a.id,
      ${sumOfAmounts(own(`e.status <> 'void'`))} AS balance,
      ${sumOfAmounts(own(`e.status IN ('cleared', 'reconciled')`))} AS cleared,
      ${sumOfAmounts(own(`e.status = 'reconciled'`))} AS reconciled,
      0 - ${sumOfAmounts(`e.side = 'opening' AND e.status <> 'void'`)} AS opening,
      count(*) FILTER (WHERE e.side = 'account') AS lines,
      max(e.date) FILTER (WHERE e.side = 'account') AS last_date
    FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
    WHERE ${within('a.id', accounts)} GROUP BY a.id`

const MOVED = 'ifnull(flow_minor, 0 - amount_minor)'

/** The amounts that each line that counts moved, by day. */
export const movedByLine = (accounts: Accounts): SQL =>
  sql`SELECT account_id, date AS period, iif(flow_minor IS NULL, side, 'transfer') AS flow,
      ifnull(category_id, '') AS category_id, ifnull(counter_account_id, '') AS counter_account_id,
      ${sql.raw(`${MOVED} AS amount, iif(status = 'pending', ${MOVED}, 0)`)} AS pending, 1 AS lines,
      ${sql.raw(`max(${MOVED}, 0)`)} AS inflow
    FROM entries WHERE (side NOT IN ('account', 'exchange') OR flow_minor IS NOT NULL) AND status <> 'void'
      AND ${within('account_id', accounts)}`

/** The flows that are kept by day, as parts of those of months. */
export const keptDaysOf = (accounts: Accounts): SQL =>
  sql`SELECT account_id, substr(period, 1, 7) AS period, flow, category_id, counter_account_id,
      amount_minor AS amount, pending_minor AS pending, entry_count AS lines, inflow_minor AS inflow
    FROM flow_periods WHERE grain = 'day' AND ${within('account_id', accounts)}`

/** The sums of `movedByLine` or `keptDaysOf`, in the order of the columns of `flow_periods`. */
export const flowSums = (grain: 'day' | 'month', parts: SQL): SQL =>
  sql`SELECT account_id, ${sql.raw(`'${grain}'`)}, period, flow, category_id, counter_account_id,
      ${sumOfAmounts('true', 'amount')}, ${sumOfAmounts('true', 'pending')}, sum(lines), ${sumOfAmounts('true', 'inflow')}
    FROM (${parts}) GROUP BY account_id, period, flow, category_id, counter_account_id`

const PERIOD_SUMS = sql`
      ${sumOfAmounts(`status <> 'void' AND amount_minor > 0`)} AS inflow,
      ${sumOfAmounts(`status <> 'void' AND amount_minor < 0`)} AS outflow,
      ${sumOfAmounts(`status IN ('cleared', 'reconciled')`)} AS cleared,
      ${sumOfAmounts(`status = 'reconciled'`)} AS reconciled, count(*) AS lines`

/** In the order of the columns of `account_periods`. Days come in the order of their index and need no sorting. */
export const periodsOf = (accounts: Accounts): SQL =>
  sql`SELECT account_id, 'day' AS grain, date AS period, ${PERIOD_SUMS} FROM entries
      WHERE side = 'account' AND ${within('account_id', accounts)} GROUP BY account_id, date
    UNION ALL SELECT account_id, 'month', substr(date, 1, 7), ${PERIOD_SUMS} FROM entries
      WHERE side = 'account' AND ${within('account_id', accounts)} GROUP BY 1, 3`
