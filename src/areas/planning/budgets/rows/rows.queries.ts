import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { visibleAccountIds } from '../../../identity/access/access.public.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { budgetRow, budgetWithAccounts, hasPayeeOf, hasTagOf, IS_HIDDEN } from '../figures/figures.queries.ts'
import type { CountedRow, WantedRows } from './rows.rules.ts'

/** The entries that a line may count, found by the index that fits what it counts. */
function candidates({ start, end, counts }: WantedRows): SQL {
  if (counts.by === 'category') {
    return sql`SELECT transaction_id, line FROM entries
      WHERE category_id IN ${among(counts.categoryIds)} AND date BETWEEN ${start} AND ${end}`
  }
  if (!('accountIds' in counts) && counts.by !== 'card') {
    const [table, column, isOne] =
      counts.by === 'tag'
        ? [sql.raw('transaction_tags'), sql.raw('tag_id'), hasTagOf('f', 'x')]
        : [sql.raw('transaction_payees'), sql.raw('payee_id'), hasPayeeOf('f', 'x')]
    return sql`SELECT DISTINCT f.transaction_id, f.line FROM ${table} x
      CROSS JOIN entries f ON f.transaction_id = x.transaction_id AND ${isOne}
      WHERE x.${column} IN ${among(counts.labelIds)}`
  }
  const ids = counts.by === 'card' ? [counts.accountId] : counts.accountIds
  return sql`SELECT f.transaction_id, f.line FROM (SELECT DISTINCT a.transaction_id, a.account_id FROM entries a
      WHERE a.side = 'account' AND a.account_id IN ${among(ids)} AND a.date BETWEEN ${start} AND ${end}) a
    CROSS JOIN entries f ON f.transaction_id = a.transaction_id AND f.account_id = a.account_id`
}

const IS_OUTWARD = sql.raw(`e.counter_account_id NOT IN (SELECT id FROM inside)`)

const COUNTS_AS_SPENDING = sql`(e.side = 'expense' OR (e.flow_minor IS NOT NULL AND ${IS_OUTWARD}
  AND (b.mode = 'envelope' OR b.count_transfers)))`

/** Which of the candidates count; hidden ones where they count, too, as they share in the rounding of their day. */
function condition({ counts, excludedIds }: WantedRows): SQL {
  const isIncluded = sql`(e.category_id IS NULL OR e.category_id NOT IN ${among(excludedIds)})`
  if (counts.by === 'category') {
    return sql`${COUNTS_AS_SPENDING} AND NOT ${IS_HIDDEN}`
  }
  if (counts.by === 'account') {
    return sql`${COUNTS_AS_SPENDING} AND (${IS_HIDDEN} OR ${isIncluded})`
  }
  return counts.by === 'card'
    ? sql`(e.side IN ('expense', 'income') OR e.flow_minor IS NOT NULL)`
    : sql`${COUNTS_AS_SPENDING} AND ${isIncluded} AND NOT ${IS_HIDDEN}`
}

/** The key by which a row counts: rows of one day and currency share out the rounded sum of each. Null for no row of the line. */
function keyOf({ counts, cardIds, excludedIds }: WantedRows): SQL {
  if (counts.by !== 'card') {
    return sql`iif(e.account_id IN ${among(cardIds)}, e.account_id, '')`
  }
  return sql`CASE WHEN e.flow_minor IS NOT NULL AND NOT ${IS_OUTWARD} THEN 'payments'
    WHEN ${IS_HIDDEN} THEN NULL
    WHEN e.side = 'income' THEN iif(e.category_id IN ${among(counts.deferredIds)}, 'deferred', 'income')
    WHEN e.category_id IS NULL THEN iif(e.flow_minor IS NULL, 'uncategorised', 'transfers')
    WHEN e.category_id IN ${among(excludedIds)} THEN 'excluded'
    WHEN e.category_id IN ${among(counts.coveredIds)} THEN NULL
    ELSE 'uncovered' END`
}

/** The description of an entry `e`: who sees only the other side of a part is told the note of that. */
const descriptionFor = (ctx: SignedIn): SQL =>
  sql`CASE WHEN e.pair IS NULL OR EXISTS (SELECT 1 FROM entries w WHERE w.transaction_id = e.transaction_id AND w.line = 1
      AND w.account_id IN (${visibleAccountIds(ctx)})) THEN t.description
    ELSE ifnull((SELECT p.note FROM entries p WHERE p.transaction_id = e.transaction_id AND p.line = e.pair), '') END`

/** The table `counted` of all rows of the line in the period, those that nobody is shown included. */
const countedRows = (ctx: SignedIn, wanted: WantedRows): SQL => {
  const { budgetId, start, end, counts } = wanted
  const sign = sql.raw(counts.by === 'card' ? '0 -' : '')
  return sql`${budgetWithAccounts({ budgets: budgetRow(budgetId), now: ctx.now })},
    candidates AS MATERIALIZED (${candidates(wanted)}),
    counted AS MATERIALIZED (SELECT e.transaction_id, e.line, e.pair, e.account_id, e.date, e.side, e.category_id,
        iif(e.pair IS NULL, t.kind, 'transfer') AS kind, ${descriptionFor(ctx)} AS description, t.created_by, i.currency, ${sign} ifnull(e.flow_minor, 0 - e.amount_minor) AS minor,
        ${keyOf(wanted)} AS key, ${IS_HIDDEN} AS is_hidden
      FROM b CROSS JOIN candidates candidate
        CROSS JOIN entries e ON e.transaction_id = candidate.transaction_id AND e.line = candidate.line
        CROSS JOIN inside i ON i.id = e.account_id CROSS JOIN transactions t ON t.id = e.transaction_id
      WHERE e.date BETWEEN ${start} AND ${end} AND e.status <> 'void'
        AND (b.count_pending OR e.status <> 'pending') AND ${condition(wanted)})`
}

/** The rows that make up the activity of a line in a period, newest first: one more than the page. */
export function pageOfRows(
  ctx: SignedIn,
  wanted: WantedRows,
  { after, limit }: PageRequest,
): Statement<CountedRow[]> {
  const [date, transactionId, line] = after ?? []
  const follows =
    date === undefined
      ? sql`true`
      : sql`(date, transaction_id, line) < (${date}, ${transactionId}, CAST(${line} AS INTEGER))`
  return db.all<CountedRow>(sql`WITH ${countedRows(ctx, wanted)},
      shared AS (SELECT *, sum(minor) OVER (PARTITION BY date, currency, key
          ORDER BY is_hidden DESC, transaction_id, line) AS running
        FROM counted WHERE key IS NOT NULL)
    SELECT shown.transaction_id AS transactionId, shown.line, shown.account_id AS accountId, shown.date, shown.kind, shown.description,
      shown.category_id AS categoryId, shown.created_by AS createdBy, shown.currency, shown.minor, shown.running,
      iif(shown.side = 'exchange', NULL, ifnull((SELECT p.payee_id FROM transaction_payees p WHERE p.transaction_id = shown.transaction_id AND p.line = shown.line),
        (SELECT p.payee_id FROM transaction_payees p WHERE p.transaction_id = shown.transaction_id AND p.line = 0))) AS payeeId,
      (SELECT o.line FROM entries o WHERE o.transaction_id = shown.transaction_id AND o.account_id = shown.account_id
        AND o.side = 'account' AND o.pair IS shown.pair) AS accountLine,
      (SELECT count(*) FROM entries o WHERE o.transaction_id = shown.transaction_id
        AND (o.side IN ('expense', 'income', 'adjustment') OR o.side = 'exchange' AND o.pair IS NULL)) AS parts
    FROM shared shown WHERE is_hidden = 0 AND ${follows}
    ORDER BY date DESC, transaction_id DESC, line DESC LIMIT ${limit + 1}`)
}

export const countOfRows = (ctx: SignedIn, wanted: WantedRows): Statement<{ count: number }[]> =>
  db.all(sql`WITH ${countedRows(ctx, wanted)}
    SELECT count(*) AS count FROM counted WHERE key IS NOT NULL AND is_hidden = 0`)
