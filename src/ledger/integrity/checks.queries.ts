import { type SQL, sql } from 'drizzle-orm'
import { among, db } from '../../platform/database/statements.ts'
import {
  flowColumnsOfLine,
  transactionLacksCategory,
  type LineTable,
  unpairedWhere,
} from '../books/lines.queries.ts'
import { isOfOtherKind } from '../labels/bookable.queries.ts'
import {
  type Accounts,
  balancesOf,
  keptDaysOf,
  movedByLine,
  periodsOf,
  sumOfAmounts,
  within,
} from './truth.queries.ts'

/** Transactions by their ids: some, or those after one and up to another one; up to the last where none is named. */
type Range = { ids: string[] } | { after: string; upTo: string | undefined }

/** True if a column names a transaction of a range; every transaction is in range without one. */
const inRange = (column: string, range: Range | undefined): SQL =>
  range === undefined
    ? sql`true`
    : 'ids' in range
      ? sql`${sql.raw(column)} IN ${among(range.ids)}`
      : sql`${sql.raw(column)} > ${range.after} ${
          range.upTo === undefined ? sql`` : sql`AND ${sql.raw(column)} <= ${range.upTo}`
        }`

// The reconciliation queries. The truth is the entries; every row that one of these gives is a difference
// between them and the projections, as text. They repair nothing.

export interface Difference {
  finding: string
}

const differences = (query: SQL) => db.all<Difference>(query)

/** A difference of what is kept of one account. */
interface AccountDifference extends Difference {
  accountId: string
}

const ofAccounts = (query: SQL) => db.all<AccountDifference>(query)

// The kept values and those that the entries give, as texts, one row each. They are grouped, because joining two long
// lists takes too long.
const KEPT_AND_GIVEN = sql.raw(
  `': kept ' || ifnull(max(kept), 'nothing') || ', entries give ' || ifnull(max(given), 'nothing')`,
)
const DIFFERS = sql.raw('max(kept) IS NOT max(given)')

const GIVEN = [
  ...[sumOfAmounts('true', 'amount'), sumOfAmounts('true', 'pending')],
  ...[sql`sum(lines)`, sumOfAmounts('true', 'inflow')],
]

/**
 * Compares the kept values of a grain with those of its parts in one grouping. Texts are made of differences alone.
 */
const flowDifferences = (grain: 'day' | 'month', parts: SQL, accounts: Accounts) =>
  ofAccounts(sql`SELECT account_id AS accountId, concat(flow, ' of category ' || nullif(category_id, ''),
      ' to or from ' || nullif(counter_account_id, '')) || ' of account ' || account_id || ' in ' || period
      || ': kept ' || iif(max(kept_count) IS NULL, 'nothing', concat_ws('/', max(kept), max(kept_pending), max(kept_count), max(kept_inflow)))
      || ', entries give ' || iif(sum(lines) IS NULL, 'nothing', concat_ws('/', ${sql.join(GIVEN, sql`, `)})) AS finding
    FROM (SELECT *, NULL AS kept, NULL AS kept_pending, NULL AS kept_count, NULL AS kept_inflow FROM (${parts})
      UNION ALL SELECT account_id, period, flow, category_id, counter_account_id, NULL, NULL, NULL, NULL,
        amount_minor, pending_minor, entry_count, inflow_minor
        FROM flow_periods WHERE grain = ${grain} AND ${within('account_id', accounts)})
    GROUP BY account_id, period, flow, category_id, counter_account_id
    HAVING (max(kept), max(kept_pending), max(kept_count), max(kept_inflow)) IS NOT (${sql.join(GIVEN, sql`, `)})`)

/** The checks of the projections, each of all accounts or of some. */
export const projectionChecks = {
  /** Accounts whose kept balances differ from their entries, or are missing. */
  balances: (accounts?: Accounts) =>
    ofAccounts(sql`WITH truth AS (${balancesOf(accounts)})
      SELECT t.id AS accountId, 'account ' || t.id || ': kept '
        || CASE WHEN b.account_id IS NULL THEN 'nothing' ELSE concat_ws('/', b.balance_minor, b.cleared_minor,
          b.reconciled_minor, b.opening_minor, b.transaction_count, b.last_date) END
        || ', entries give ' || concat_ws('/', t.balance, t.cleared, t.reconciled, t.opening, t.lines,
          t.last_date) AS finding
      FROM truth t LEFT JOIN account_balances b ON b.account_id = t.id
      WHERE (b.balance_minor, b.cleared_minor, b.reconciled_minor, b.opening_minor, b.transaction_count,
        b.last_date) IS NOT (t.balance, t.cleared, t.reconciled, t.opening, t.lines, t.last_date)`),

  /** Flows kept by day that differ from the sums of the entries. */
  flowDays: (accounts?: Accounts) => flowDifferences('day', movedByLine(accounts), accounts),

  /** Flows kept by month that differ from those kept by day. */
  flowMonths: (accounts?: Accounts) => flowDifferences('month', keptDaysOf(accounts), accounts),

  /** Days and months of accounts whose kept sums differ from the entries. */
  periods: (accounts?: Accounts) =>
    ofAccounts(sql`SELECT account_id AS accountId, 'account ' || account_id || ' in ' || period
        || ${KEPT_AND_GIVEN} AS finding
      FROM (SELECT account_id, grain, period, NULL AS kept,
            concat_ws('/', inflow, outflow, cleared, reconciled, lines) AS given
          FROM (${periodsOf(accounts)})
        UNION ALL SELECT account_id, grain, period,
            concat_ws('/', inflow_minor, outflow_minor, cleared_minor, reconciled_minor, entry_count), NULL
          FROM account_periods WHERE ${within('account_id', accounts)})
      GROUP BY account_id, grain, period HAVING ${DIFFERS}`),

  /** Lines of accounts that say wrongly whether something of their transaction lacks a category. */
  uncategorised: (accounts?: Accounts) =>
    ofAccounts(sql`SELECT e.account_id AS accountId, 'entry ' || e.transaction_id || '-' || e.line || ': kept '
        || iif(e.uncategorised, 'uncategorised', 'categorised') || ', entries give the opposite' AS finding
      FROM entries e WHERE e.side = 'account' AND ${within('e.account_id', accounts)}
        AND e.uncategorised <> ${transactionLacksCategory('entries')}`),
}

const BOOKED = flowColumnsOfLine('entries')

const hasLeg = (
  table: LineTable,
) => `EXISTS (SELECT 1 FROM ${table} leg WHERE leg.transaction_id = f.id AND leg.side = 'account'
  AND leg.pair = t.matched_part->>'line' AND leg.account_id = (SELECT u.account_id FROM unbooked_entries u
    WHERE u.transaction_id = t.id AND u.line = 1))`

/**
 * True if the target `f` that a row `t` was matched into is no transfer, or has no part that moves money to the
 * account of the row.
 */
const IS_NO_TARGET = sql.raw(`CASE WHEN t.matched_part IS NULL THEN f.kind <> 'transfer'
  ELSE NOT (${hasLeg('entries')} OR ${hasLeg('unbooked_entries')}) END`)

/** The checks of transactions and their entries, each of all transactions or of a range. */
export const transactionChecks = {
  /** Transactions whose entries do not balance. */
  balance: (range?: Range) =>
    differences(sql`SELECT 'transaction ' || transaction_id || ': its entries sum to '
        || ${sumOfAmounts('true')} || ' ' || currency || ' in ' || count(*) || ' lines' AS finding
      FROM entries WHERE ${inRange('transaction_id', range)}
      GROUP BY transaction_id, currency HAVING ${sumOfAmounts('true')} <> 0 OR count(*) < 2`),

  /** Transactions without entries, and entries of what is in the trash or was matched. */
  headers: (range?: Range) =>
    differences(sql`SELECT 'transaction ' || t.id || CASE WHEN t.matched_into IS NOT NULL
        THEN ': is matched and has entries' WHEN t.deleted_at IS NULL
        THEN ': has no entries' ELSE ': is in the trash and has entries' END AS finding
      FROM transactions t WHERE ${inRange('t.id', range)} AND (t.deleted_at IS NULL AND t.matched_into IS NULL)
        <> EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id)`),

  /** Matched rows that could not come back: in the trash besides, of no transfer, of what is matched itself, or without their entries. */
  matched: (range?: Range) =>
    differences(sql`SELECT 'transaction ' || t.id || ' is matched into ' || t.matched_into || CASE
        WHEN t.deleted_at IS NOT NULL THEN ' and in the trash'
        WHEN f.matched_into IS NOT NULL THEN ', which is matched itself'
        WHEN ${IS_NO_TARGET} THEN iif(t.matched_part IS NULL, ', which is no transfer', ', which has no such part')
        ELSE ' and its entries are lost' END AS finding
      FROM transactions t JOIN transactions f ON f.id = t.matched_into
      WHERE ${inRange('t.id', range)} AND (t.deleted_at IS NOT NULL OR f.matched_into IS NOT NULL OR ${IS_NO_TARGET}
        OR NOT EXISTS (SELECT 1 FROM unbooked_entries e WHERE e.transaction_id = t.id AND e.reason = 'match'
          GROUP BY e.currency HAVING sum(e.amount_minor) = 0 AND count(*) > 1))`),

  /** Transactions in the trash without what they are restored from, others with it, and what does not balance there. */
  trash: (range?: Range) =>
    differences(sql`SELECT 'transaction ' || t.id || CASE WHEN t.deleted_at IS NULL
        THEN ': is not in the trash but has entries there' ELSE ': is in the trash without its entries' END AS finding
      FROM transactions t WHERE ${inRange('t.id', range)} AND t.matched_into IS NULL AND (t.deleted_at IS NULL)
        = EXISTS (SELECT 1 FROM unbooked_entries e WHERE e.transaction_id = t.id
          AND (t.deleted_at IS NULL OR e.reason = 'trash'))
      UNION ALL SELECT 'transaction ' || transaction_id || ': its entries in the trash sum to '
        || ${sumOfAmounts('true')} || ' ' || currency || ' in ' || count(*) || ' lines'
      FROM unbooked_entries WHERE ${inRange('transaction_id', range)}
      GROUP BY transaction_id, currency HAVING ${sumOfAmounts('true')} <> 0 OR count(*) < 2`),

  /** Lines that say wrongly what moved between accounts, and which was the other one. */
  transfers: (range?: Range) =>
    differences(sql`SELECT 'entry ' || transaction_id || '-' || line || ': kept '
        || ifnull(flow_minor || ' to or from ' || counter_account_id, 'no flow') || ', entries give '
        || ifnull(given || ' to or from ' || counter, 'none') AS finding
      FROM (SELECT e.transaction_id, e.line, e.flow_minor, e.counter_account_id,
          ${BOOKED.flowMinor} AS given, ${BOOKED.counterAccountId} AS counter
        FROM entries e WHERE ${inRange('e.transaction_id', range)})
      WHERE (flow_minor, counter_account_id) IS NOT (given, counter)`),

  /**
   * Accounts that a transaction does not balance, unless it is a transfer, and parts of which both sides do not agree. Without
   * the plus, SQLite would read all entries by account to group those of a range that has no end.
   */
  parts: (range?: Range) =>
    differences(sql`SELECT 'transaction ' || e.transaction_id || ': its entries of account ' || e.account_id || ' sum to '
        || ${sumOfAmounts('true')} AS finding
      FROM entries e JOIN transactions t ON t.id = e.transaction_id
      WHERE t.kind <> 'transfer' AND ${inRange('e.transaction_id', range)}
      GROUP BY e.transaction_id, +e.account_id HAVING ${sumOfAmounts('true')} <> 0 AND EXISTS (SELECT 1 FROM entries o
        WHERE o.transaction_id = e.transaction_id AND o.account_id <> e.account_id)
      UNION ALL SELECT 'entry ' || transaction_id || '-' || line || ': it is not met on the other account of its part'
      FROM (${unpairedWhere(inRange('e.transaction_id', range))})`),

  /** Entries that contradict their account or their header. */
  entries: (range?: Range) =>
    differences(sql`SELECT 'entry ' || e.transaction_id || '-' || e.line || ': '
        || CASE WHEN a.id IS NULL THEN 'its account is not there'
          WHEN e.currency <> a.currency THEN 'its account is in ' || a.currency
          WHEN e.owner_id <> a.owner_id THEN 'its account is another owner''s'
          WHEN t.id IS NULL THEN 'its transaction is not there'
          WHEN e.owner_id <> t.owner_id THEN 'its transaction is another owner''s'
          WHEN ${isOnWrongSide} THEN 'its side is ' || e.side || ', its transaction an ' || t.kind
          WHEN e.date = t.date THEN 'its external id is unique among other lines than its transaction says'
          ELSE 'its transaction is of ' || t.date END AS finding
      FROM entries e LEFT JOIN accounts a ON a.id = e.account_id
        LEFT JOIN transactions t ON t.id = e.transaction_id
      WHERE ${inRange('e.transaction_id', range)}
        AND ((e.currency, e.owner_id, e.owner_id, e.date, e.external_scope)
          IS NOT (a.currency, a.owner_id, t.owner_id, t.date, iif(e.external_id IS NOT NULL AND t.private, t.created_by, ''))
          OR ${isOnWrongSide})`),

  /** Entries, booked or not, with a category that may not be there, and sides of transfers with different ones. */
  categories: (range?: Range) =>
    differences(sql`SELECT 'entry ' || e.transaction_id || '-' || e.line || ': ' || CASE
        WHEN c.id IS NULL THEN 'its category is not there'
        WHEN c.owner_id <> e.owner_id THEN 'its category is another owner''s'
        ELSE 'its side is ' || e.side || ', its category of the kind ' || c.kind END AS finding
      FROM (${categorised('entries', range)} UNION ALL ${categorised('unbooked_entries', range)}) e
        LEFT JOIN categories c ON c.id = e.category_id
      WHERE c.id IS NULL OR c.owner_id <> e.owner_id OR ${isOfOtherKind('c.kind', 'e.side')}
        OR e.side = 'exchange' AND (SELECT kind FROM transactions t WHERE t.id = e.transaction_id) = 'transfer'
      UNION ALL ${differentlyCategorised('entries', range)}
      UNION ALL ${differentlyCategorised('unbooked_entries', range)}`),
}

/** Lines of accounts whose category is not that of the other account line, which only a transfer has. */
const differentlyCategorised = (table: LineTable, range: Range | undefined): SQL =>
  sql`SELECT 'entry ' || e.transaction_id || '-' || e.line || ': its category is ' || e.category_id
      || ', that on the other account ' || ifnull(o.category_id, 'none')
    FROM ${sql.raw(table)} e LEFT JOIN ${sql.raw(table)} o ON o.transaction_id = e.transaction_id
      AND o.side = 'account' AND o.line <> e.line AND o.pair IS NULL
    WHERE e.side = 'account' AND e.category_id IS NOT NULL AND ${inRange('e.transaction_id', range)}
      AND o.category_id IS NOT e.category_id`

/**
 * True if a line `e` is not on the side of its header `t`. Only a line of an income may be on the other side, by its
 * category.
 */
const isOnWrongSide = sql.raw(`(t.kind = 'expense' AND e.side = 'income'
  OR t.kind = 'income' AND e.side = 'expense' AND e.category_id IS NULL)`)

const categorised = (table: LineTable, range: Range | undefined): SQL =>
  sql`SELECT transaction_id, line, owner_id, side, category_id FROM ${sql.raw(table)}
    WHERE category_id IS NOT NULL AND ${inRange('transaction_id', range)}`

/** All checks by their names. Called without an argument, each looks at the whole ledger. */
export const ledgerChecks = { ...projectionChecks, ...transactionChecks }

/** The number of differences that each check found, for the log. */
export const asFacts = (counts: Record<string, number>): SQL => sql`${JSON.stringify(counts)}`
