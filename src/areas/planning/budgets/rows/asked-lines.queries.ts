import { type SQL, sql } from 'drizzle-orm'
import {
  type Viewer,
  viewerParams,
  visibleAccountIdsOf,
} from '../../../identity/access/access.public.ts'
import { budgetRow, budgetWithAccounts } from '../figures/figures.queries.ts'
import { periodTables } from './periods-of-rows.queries.ts'
import type { WhichRows } from './rows.rules.ts'

/** The rows that are asked for. What counts on the line, and when, the statement finds out. */
export type AskedRows = Viewer & {
  id: string
  lineId: string
  which: WhichRows
  /** Nominal start of the period, or `current`. */
  named: string
  /** JSON list of the days that today may be where the budget is. */
  days: string
}

const value = (name: keyof AskedRows) => sql.placeholder(name)

/** Cards of the budget `b` that have a payment line. */
const CARDS =
  sql.raw(`SELECT i.id FROM b CROSS JOIN inside i WHERE b.mode = 'envelope' AND ifnull((SELECT handled.value
  FROM json_each(b.cards) handled WHERE handled.key = i.id), iif(i.type = 'creditCard', 'payment', 'cash')) = 'payment'`)

/**
 * The lines that are asked of: the one that is stored, or else all payment lines, as the id of one that nobody has used does not
 * tell its card.
 */
const LINES = sql`SELECT asked_of.id, asked_of.archived_from, ifnull(asked_of.account_id, '') AS card,
    CASE WHEN asked_of.kind = 'cardPayment' THEN 'card' WHEN asked_of.scope_kind = 'everything' THEN 'account'
      ELSE asked_of.scope_kind END AS how, asked_of.scope_kind = 'everything' AS is_everything
  FROM budget_lines asked_of WHERE asked_of.budget_id = ${value('id')} AND asked_of.id = ${value('lineId')}
  UNION ALL SELECT '', NULL, id, 'card', 0 FROM cards
  WHERE NOT EXISTS (SELECT 1 FROM budget_lines known WHERE known.id = ${value('lineId')})`

/**
 * The lines in each period in which they are there, the newest first. What lines name changes in few periods: an `era` begins with each of these, and
 * what lines cover is worked out once for each.
 */
const ASKED = sql`SELECT row_number() OVER (ORDER BY lines.card, p.nominal DESC) AS at, lines.id AS line_id, lines.card, lines.how, lines.is_everything,
    p.nominal, p.start, p."end", p.closed_at, p.slot,
    (SELECT ifnull(max(change.at), '') FROM (SELECT from_period AS at FROM budget_line_scopes WHERE budget_id = ${value('id')}
      UNION SELECT until_period FROM budget_line_scopes WHERE budget_id = ${value('id')}) change WHERE change.at <= p.nominal) AS era
  FROM lines CROSS JOIN periods p ON lines.archived_from IS NULL OR p.nominal < lines.archived_from`

/**
 * What lines name in each era, the categories that they cover there, and those that count nowhere. A category counts on the line
 * that names it or the nearest one above it; on limits, which do not look at other lines, it counts on all of these.
 */
const COVERED = sql`
  named AS MATERIALIZED (SELECT of_era.era, scope.line_id, scope.target_id, naming.scope_kind
    FROM b CROSS JOIN (SELECT DISTINCT era FROM asked) of_era CROSS JOIN budget_line_scopes scope ON scope.budget_id = b.id
        AND scope.from_period <= of_era.era AND (scope.until_period IS NULL OR of_era.era < scope.until_period)
      CROSS JOIN budget_lines naming ON naming.id = scope.line_id
    WHERE b.mode = 'envelope' OR scope.line_id = ${value('lineId')}),
  covered(era, id, line_id) AS MATERIALIZED (
    SELECT era, target_id, line_id FROM named WHERE scope_kind = 'category'
    UNION SELECT above.era, below.id, above.line_id FROM b CROSS JOIN covered above
      CROSS JOIN categories below ON below.parent_id = above.id
    WHERE b.mode = 'limit' OR (above.era, below.id) NOT IN (SELECT era, target_id FROM named WHERE scope_kind = 'category')),
  excluded(id) AS MATERIALIZED (
    SELECT alone.id FROM (SELECT owner_id FROM inside UNION SELECT of_line.owner_id FROM named
        CROSS JOIN categories of_line ON of_line.id = named.target_id) owners
      CROSS JOIN categories alone ON alone.owner_id = owners.owner_id WHERE alone.exclude_from_budget = 1
    UNION SELECT child.id FROM excluded CROSS JOIN categories child ON child.parent_id = excluded.id)`

/**
 * The budget with what each row is compared with, as JSON: SQLite plans a table of a WITH anew in each place that names it, with all
 * that it stands on, and a row is compared in many.
 */
const KNOWN = sql`SELECT b.*, (SELECT json_group_array(id) FROM inside) AS inside_ids,
    (SELECT json_group_array(id) FROM inside WHERE id IN (${visibleAccountIdsOf(viewerParams)})) AS seen_ids,
    (SELECT json_group_array(id) FROM cards) AS card_ids, (SELECT json_group_array(id) FROM excluded) AS excluded_ids,
    (SELECT json_group_object(era || '/' || id, line_id) FROM covered) AS line_ids
  FROM b`

/**
 * The tables that statements about the rows of a line begin with: the budget `b`, the accounts `inside`, those that are `cards`, the
 * lines and periods that are `asked` of, what is `named` and `covered` in them, the categories that are `excluded`, and `known`.
 */
export const askedTables = sql`${budgetWithAccounts({ budgets: budgetRow(value('id')), now: value('now') })},
  ${periodTables({ which: value('which'), named: value('named'), days: value('days') })},
  cards AS MATERIALIZED (${CARDS}),
  lines AS MATERIALIZED (${LINES}),
  asked AS MATERIALIZED (${ASKED}),
  ${COVERED},
  known AS MATERIALIZED (${KNOWN})`

/** SQL that is true if the line `p`, which is by account or of a card, counts the flows of the account `i`. */
export const isOfAccount = (p: string, i: string): SQL =>
  sql.raw(`(${p}.how = 'card' AND ${i}.id = ${p}.card OR ${p}.is_everything
    OR (${p}.era, ${p}.line_id, ${i}.id, 'account') IN (SELECT era, line_id, target_id, scope_kind FROM named))`)
