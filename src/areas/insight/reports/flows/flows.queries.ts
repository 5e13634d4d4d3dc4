import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { DaySpan } from '../../../../domain/named-periods.ts'
import type { KeptRange } from '../../../../domain/reports/intervals.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../../platform/database/wide-sums.ts'
import {
  EXCLUDED_LINES,
  isExcludedLine,
  type LedgerFilter,
  linesInPieces,
} from '../../../../ledger/search/search.public.ts'
import {
  accountCountsFor,
  accountIsSeenBy,
  isHiddenFrom,
  ownedBy,
  viewerOf,
} from '../../../identity/access/access.public.ts'
import type { ReportCategory } from './flows.rules.ts'

/** The accounts of a report. */
export interface Scope {
  ctx: SignedIn
  /** Named accounts, in place of all that count for the caller. */
  accountIds: readonly string[] | undefined
  /** Of those that count, only the ones on budget. */
  onBudget?: boolean
  /** The currency of the report: null for the base currency of the caller, undefined for each by itself. */
  into: string | null | undefined
}

const whereIn = ({ ctx, accountIds, onBudget }: Scope): SQL => {
  const viewer = viewerOf(ctx)
  const counts = accountIds
    ? sql`accounts.id IN ${among(accountIds)}`
    : sql`${accountCountsFor(viewer)} ${onBudget ? sql`AND accounts.on_budget = 1` : sql``}`
  return sql`${accountIsSeenBy(viewer)} AND ${counts}`
}

/** The accounts of a report as the table `scope` of a statement's WITH. */
const scopeOf = (scope: Scope): SQL =>
  sql`scope AS MATERIALIZED (SELECT accounts.id, accounts.owner_id, accounts.currency FROM accounts WHERE ${whereIn(scope)})`

/** A subquery of the currencies of a report. */
export const currenciesIn = (scope: Scope): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts WHERE ${whereIn(scope)}`

/** An account of a report. */
export interface ReportAccount {
  id: string
  name: string
  currency: string
  isOwn: 0 | 1
}

export const accountsInScope = (scope: Scope): Statement<ReportAccount[]> =>
  db.all(
    sql`SELECT accounts.id, accounts.name, accounts.currency, ${ownedBy(scope.ctx.caller, 'accounts.owner_id')} AS isOwn FROM accounts WHERE ${whereIn(scope)} ORDER BY accounts.id`,
  )

export interface CellRow {
  /** Empty for all own accounts of the currency. */
  accountId: string
  currency: string
  period: string
  flow: 'expense' | 'income' | 'transfer' | 'adjustment' | 'opening'
  categoryId: string
  counterAccountId: string
  amount: WideSum
  lineCount: number
}

/** The flows that a report is about. */
export type FlowKinds = 'labelled' | 'all'

const isAbout = (kinds: FlowKinds, flow: string): SQL =>
  kinds === 'all' ? sql`true` : sql.raw(`${flow} IN ('expense', 'income')`)

/** The kept sums in ranges: those of accounts whose currency is, or is not, that of the report. */
const keptIn = (
  { ctx, into }: Scope,
  { kinds, ranges }: { kinds: FlowKinds; ranges: readonly KeptRange[] },
  relation: '=' | '<>',
): SQL => {
  const wanted =
    into === null
      ? sql`(SELECT u.base_currency FROM users u WHERE u.id = ${ctx.caller.userId})`
      : sql`${into}`
  return sql`FROM scope CROSS JOIN json_each(${JSON.stringify(ranges)}) range
      CROSS JOIN flow_periods f ON f.account_id = scope.id AND f.grain = range.value->>'grain'
        AND f.period >= range.value->>'low' AND f.period < range.value->>'high'
    WHERE ${into === undefined ? sql`true` : sql`scope.currency ${sql.raw(relation)} ${wanted}`} AND ${isAbout(kinds, 'f.flow')}`
}

/** The kept sums of accounts whose currency is, or is not, that of the report; at most so many. */
export const keptFlows = (
  scope: Scope,
  kept: { kinds: FlowKinds; ranges: readonly KeptRange[] },
  relation: '=' | '<>',
  most?: number,
): Statement<CellRow[]> =>
  db.all(
    sql`WITH ${scopeOf(scope)}
      SELECT scope.id AS accountId, scope.currency, f.period, f.flow, f.category_id AS categoryId,
        f.counter_account_id AS counterAccountId, ${wide('f.amount_minor')} AS amount, f.entry_count AS lineCount
      ${keptIn(scope, kept, relation)} ${most === undefined ? sql`` : sql`LIMIT ${most}`}`,
  )

/** The kept sums of accounts in the currency of the report. Those of own accounts are joined, in each period or all of them. */
export function joinedFlows(
  scope: Scope,
  kept: { kinds: FlowKinds; ranges: readonly KeptRange[] },
  { by, from }: { by: 'month' | 'span'; from: CalendarDate },
): Statement<CellRow[]> {
  const isOwn = ownedBy(scope.ctx.caller, 'scope.owner_id')
  const period = by === 'span' ? sql`iif(${isOwn}, ${from}, f.period)` : sql`f.period`
  // Sorting is most of the work: a column to group by takes time, and so does each that goes along.
  const counter = kept.kinds === 'all' ? 'f.counter_account_id' : "''"
  const currency = scope.into === undefined ? sql`, scope.currency` : sql``
  return db.all(
    sql`WITH ${scopeOf(scope)}
      SELECT ${period} AS period, f.category_id AS categoryId, f.flow, iif(${isOwn}, '', scope.id) AS accountId,
        ${sql.raw(counter)} AS counterAccountId, scope.currency, ${wideSum(sql`f.amount_minor`)} AS amount, sum(f.entry_count) AS lineCount
      ${keptIn(scope, kept, '=')} GROUP BY 1, 2, 3, 4 ${kept.kinds === 'all' ? sql`, 5` : sql``} ${currency}`,
  )
}

/** An amount as a wide sum of one. */
const wide = (amount: string): SQL =>
  sql.raw(`((${amount} >> 32) || ' ' || (${amount} & 4294967295))`)

export interface TakenRow extends Omit<CellRow, 'period'> {
  day: CalendarDate
  /** Private to somebody else: it is never told. Otherwise it is listed apart. */
  isHidden: 0 | 1
}

const FLOW_OF_LINE = "iif(e.flow_minor IS NULL, e.side, 'transfer')"
const AMOUNT_OF_LINE = 'ifnull(e.flow_minor, 0 - e.amount_minor)'

/**
 * What kept sums include and a report does not, by day: what is private to somebody else, and what is excluded by its row or its
 * payee. Only the few transactions with such a mark are looked at.
 */
export function linesTakenOff(
  scope: Scope,
  { kinds, hull, most }: { kinds: FlowKinds; hull: DaySpan; most: number },
): Statement<TakenRow[]> {
  const { caller } = scope.ctx
  const viewer = viewerOf(scope.ctx)
  return db.all(
    sql`WITH ${scopeOf(scope)}, ${EXCLUDED_LINES}, taken AS MATERIALIZED (
        SELECT t.id FROM owners CROSS JOIN transactions t ON t.owner_id = owners.owner_id AND ${isHiddenFrom(viewer)}
          WHERE NOT ${ownedBy(caller, 'owners.owner_id')}
        UNION SELECT transaction_id FROM excluded)
      SELECT e.account_id AS accountId, e.currency, e.date AS day, ${sql.raw(FLOW_OF_LINE)} AS flow,
        ifnull(e.category_id, '') AS categoryId, ifnull(e.counter_account_id, '') AS counterAccountId,
        ${wideSum(sql.raw(AMOUNT_OF_LINE))} AS amount, count(*) AS lineCount,
        (NOT ${ownedBy(caller, 't.owner_id')} AND ${isHiddenFrom(viewer)}) AS isHidden
      FROM taken CROSS JOIN transactions t ON t.id = taken.id CROSS JOIN entries e ON e.transaction_id = t.id
      WHERE (isHidden OR ${isExcludedLine('e')}) AND (e.side IN ('expense', 'income', 'opening', 'adjustment') OR e.flow_minor IS NOT NULL)
        AND e.status <> 'void' AND e.date BETWEEN ${hull.from} AND ${hull.to}
        AND e.account_id IN (SELECT id FROM scope) AND ${isAbout(kinds, FLOW_OF_LINE)}
      GROUP BY 1, 2, 3, 4, 5, 6, isHidden LIMIT ${most}`,
  )
}

export interface LineRow {
  id: string
  accountId: string
  currency: string
  /** Null for a line that was looked at and has nothing for a report. */
  line: number | null
  day: CalendarDate
  flow: 'expense' | 'income'
  categoryId: string
  amountMinor: number
  isExcluded: 0 | 1
  /** JSON of pairs of an id and a name, for the dimension that was asked for; of a member the id alone. */
  labels: string | null
}

/** The labels of a line `c` of a transaction `t`, or those of the whole. A part has its own payee, and all tags. */
const LABELS = {
  payee: sql.raw(`(SELECT json_array(json_array(p.id, p.name)) FROM payees p WHERE p.id = ifnull(
    (SELECT l.payee_id FROM transaction_payees l WHERE l.transaction_id = c.transaction_id AND l.line = c.line),
    (SELECT l.payee_id FROM transaction_payees l WHERE l.transaction_id = c.transaction_id AND l.line = 0)))`),
  tag: sql.raw(`(SELECT json_group_array(DISTINCT json_array(g.id, g.name)) FROM transaction_tags l JOIN tags g ON g.id = l.tag_id
    WHERE l.transaction_id = c.transaction_id AND l.line IN (0, c.line))`),
  member: sql.raw(`json_array(json_array(t.created_by))`),
  none: sql.raw('NULL'),
}

export type LineLabels = keyof typeof LABELS

/** The lines of a report that match a filter, one statement for each piece of them. Each tells at most `most` rows. */
export const labelledLines = (
  scope: Scope,
  filter: LedgerFilter,
  { labels, most }: { labels: LineLabels; most: number },
): Statement<LineRow[]>[] => {
  const columns = sql`e.transaction_id, e.account_id, e.currency, e.line`
  return linesInPieces(scope.ctx, filter, columns, true).map((lines) =>
    db.all<LineRow>(
      sql`WITH ${scopeOf(scope)}, ${EXCLUDED_LINES}
        SELECT m.transaction_id AS id, m.account_id AS accountId, m.currency, c.line, c.date AS day, c.side AS flow,
          ifnull(c.category_id, '') AS categoryId, 0 - c.amount_minor AS amountMinor, ${isExcludedLine('c')} AS isExcluded,
          ${LABELS[labels]} AS labels
        FROM (${lines}) m ${labels === 'member' ? sql`CROSS JOIN transactions t ON t.id = m.transaction_id` : sql``}
          LEFT JOIN entries c ON c.transaction_id = m.transaction_id AND +c.account_id = m.account_id
            AND c.side IN ('expense', 'income') AND c.status <> 'void'
        WHERE m.line <= 2 AND m.account_id IN (SELECT id FROM scope)
        LIMIT ${most}`,
    ),
  )
}

/** The categories of the owners of a report's accounts. */
export const categoriesInScope = (scope: Scope): Statement<ReportCategory[]> =>
  db.all(
    sql`WITH ${scopeOf(scope)}
      SELECT c.id, c.parent_id AS parentId, c.name, ${ownedBy(scope.ctx.caller, 'c.owner_id')} AS isOwn,
        c.exclude_from_reports AS isExcluded
      FROM categories c WHERE c.owner_id IN (SELECT owner_id FROM scope)`,
  )

/** The names of all who see an account of a report. */
export const peopleInScope = (scope: Scope): Statement<{ id: string; name: string }[]> =>
  db.all(
    sql`WITH ${scopeOf(scope)}
      SELECT u.id, u.name FROM users u WHERE u.id IN (SELECT owner_id FROM scope UNION SELECT ${scope.ctx.caller.userId}
        UNION SELECT r.user_id FROM account_receivers r WHERE r.account_id IN (SELECT id FROM scope)
          AND (r.expires_at IS NULL OR r.expires_at > ${scope.ctx.now}))`,
  )
