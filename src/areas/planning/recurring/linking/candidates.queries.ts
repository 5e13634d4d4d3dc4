import { type SQL, sql } from 'drizzle-orm'
import { recurringDismissals } from '../../../../../drizzle/schema/recurring.ts'
import { CURRENCIES } from '../../../../domain/currency.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { isLinkable, itemFinders, visibleItems } from '../recurring.queries.ts'
import type { RecurringItem } from '../recurring.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import type { CandidateRow } from './linking.rules.ts'

/** How often lines are compared with items, and how many candidates there are, at most. Beyond it the oldest are left out. */
interface Bounds {
  compared: number
  found: number
}

/** Of a list, and of a task. */
export const OF_LIST: Bounds = { compared: 200_000, found: 2000 }
export const OF_TASK: Bounds = { compared: 1_000_000, found: 5000 }

/** True if older candidates were left out. */
export const isCut = (candidates: CandidateRow[], { found }: Bounds): boolean =>
  candidates[0]?.isTruncated === 1 || candidates.length === found

const DIGITS = JSON.stringify(
  Object.fromEntries(
    CURRENCIES.filter((one) => one.minorDigits !== 2).map((one) => [one.code, one.minorDigits]),
  ),
)

/** A decimal text in units of its last digit. */
const unitsOf = (text: SQL, digits: SQL): SQL =>
  sql`CAST(replace(${text}, '.', '') || substr('0000', 1, ${digits} - iif(instr(${text}, '.'), length(${text}) - instr(${text}, '.'), 0)) AS INTEGER)`

const defined = (field: string): SQL => sql.raw(`r.definition ->> '$.${field}'`)

interface LinkFilter {
  /** True if only items of the caller are meant, and not all that the caller sees. */
  isOwn: boolean
  /** The nominal dates that are looked at. */
  occurrences: Span
  /** The days of transactions that are looked at. */
  days: Span
  most: Bounds
}

/** Reads items that wait for transactions, what is known of their occurrences, and the transactions that may be of them. */
export function linkFinders(ctx: SignedIn, filter: LinkFilter) {
  const which = filter.isOwn
    ? sql`${isLinkable} AND ${ownedBy(ctx.caller, 'recurring.owner_id')}`
    : isLinkable
  return [
    ...itemFinders(ctx, which, filter.occurrences),
    candidateRows(ctx, visibleItems(ctx, which), filter),
  ] as const
}

/** The transactions without an item that may be of occurrences of items in a span of days. Private ones are left out. */
const candidateRows = (
  { caller }: SignedIn,
  ids: SQL,
  { occurrences: [first, last], days: [from, to], most: { compared, found } }: LinkFilter,
): Statement<CandidateRow[]> => {
  const amount = unitsOf(defined('transaction.amount'), sql`r.digits`)
  const largest = unitsOf(defined('amountMax'), sql`r.digits`)
  const percent = unitsOf(sql`ifnull(${defined('tolerancePercent')}, '10')`, sql`2`)
  return db.all(sql`WITH
    found AS (SELECT r.*, ${amount} AS amount, CASE ${defined('amountIs')} WHEN 'about' THEN ${percent} ELSE 0 END AS tolerance,
        EXISTS (SELECT 1 FROM recurring_occurrences o WHERE o.recurring_id = r.id AND o.changes IS NOT NULL
          AND o.nominal_date BETWEEN ${first} AND ${last}) AS isAny
      FROM (SELECT item.*, ifnull(${DIGITS} ->> item.currency, 2) AS digits 
        FROM (${ids}) seen CROSS JOIN recurring item ON item.id = seen.id) r),
    items AS MATERIALIZED (SELECT r.id, r.owner_id, r.account_id, r.currency, ${defined('transaction.kind')} = 'income' AS isIn,
        iif(r.isAny, 0, r.amount - r.amount * r.tolerance / 10000) AS least,
        CASE WHEN r.isAny THEN 9e18 WHEN ${defined('amountIs')} = 'between' THEN ${largest}
          ELSE r.amount + r.amount * r.tolerance / 10000 END AS most,
        (SELECT json_group_array(name) FROM (SELECT p.name FROM payees p WHERE p.id = ${defined('transaction.payeeId')}
          UNION ALL SELECT a.raw FROM payee_aliases a WHERE a.payee_id = ${defined('transaction.payeeId')})) AS names
      FROM found r),
    fits AS MATERIALIZED (SELECT id, account_id, isIn, least, most FROM items WHERE account_id IS NOT NULL
      UNION ALL SELECT i.id, a.id, i.isIn, i.least, i.most FROM items i CROSS JOIN accounts a ON a.owner_id = i.owner_id
        AND a.currency = i.currency AND a.deleted_at IS NULL WHERE i.account_id IS NULL),
    bound AS MATERIALIZED (SELECT CAST(${compared} AS INTEGER) / max(1, (SELECT count(*) FROM items)) AS lines),
    lines AS MATERIALIZED (SELECT e.transaction_id, e.line, e.account_id, e.date, e.amount_minor, e.amount_minor > 0 AS isIn,
        abs(e.amount_minor) AS amount
      FROM (SELECT DISTINCT account_id FROM fits) place CROSS JOIN entries e ON e.account_id = place.account_id
        AND e.side = 'account' AND e.date BETWEEN ${from} AND ${to} AND e.line <= 2 AND e.status <> 'void'
      ORDER BY e.date DESC, e.transaction_id DESC LIMIT (SELECT lines + 1 FROM bound))
    SELECT i.id AS recurringId, t.id AS headerId, t.kind, t.version, l.line, l.date, l.amount_minor AS amountMinor, i.currency,
      t.description, t.payee_raw AS payeeRaw, i.names,
      (SELECT p.payee_id FROM transaction_payees p WHERE p.transaction_id = t.id AND p.line = 0) AS payeeId,
      (SELECT json_group_array(d.key) FROM recurring_dismissals d WHERE ${ownedBy(caller, 'd.owner_id')}
        AND d.key > i.id || ' ' AND d.key < i.id || '!' AND instr(d.key, substr(t.id, 5)) > 0) AS dismissed,
      (SELECT count(*) FROM lines) > (SELECT lines FROM bound) AS isTruncated
    FROM lines l CROSS JOIN fits f ON f.account_id = l.account_id AND f.isIn = l.isIn AND l.amount BETWEEN f.least AND f.most
    CROSS JOIN transactions t ON t.id = l.transaction_id AND t.recurring_id IS NULL AND t.private = 0
      AND t.kind IN ('expense', 'income', 'transfer')
    CROSS JOIN items i ON i.id = f.id
    ORDER BY l.date DESC LIMIT ${found}`)
}

/** The first and the last day on which an owner has something to link, between two days. */
export const daysToLink = (
  ownerId: string,
  [from, to]: Span,
): Statement<{ from: string | null; to: string | null }[]> =>
  db.all(sql`SELECT max((SELECT min(date) FROM entries WHERE owner_id = ${ownerId} AND side = 'account' AND date >= ${from}),
      (SELECT date(min(first_day), '-31 days') FROM recurring WHERE owner_id = ${ownerId} AND ${isLinkable})) AS "from",
    (SELECT max(date) FROM entries WHERE owner_id = ${ownerId} AND side = 'account' AND date <= ${to}) AS "to"`)

/** The days of transactions, by their owners. */
export const daysOfTransactions = (
  ids: string[],
): Statement<{ ownerId: string; from: string; to: string }[]> =>
  db.all(sql`SELECT e.owner_id AS ownerId, min(e.date) AS "from", max(e.date) AS "to"
    FROM json_each(${JSON.stringify(ids)}) wanted CROSS JOIN entries e ON e.transaction_id = wanted.value AND e.line = 1
    GROUP BY e.owner_id`)

/** Refuses when one of the items was changed since it was read, or is gone. */
export const mustBeUnchanged = (items: Pick<RecurringItem, 'id' | 'version'>[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(items.map(({ id, version }) => [id, version]))}) seen
      WHERE NOT EXISTS (SELECT 1 FROM recurring r WHERE r.id = seen.value->>0 AND r.version = seen.value->>1))`,
    changedMeanwhile,
  )

/** The most dismissals of one person. */
export const MOST_DISMISSALS = 10_000

/** The keys of all that the caller dismissed. */
export const dismissedKeys = (ctx: SignedIn): Statement<{ key: string }[]> =>
  db
    .select({ key: recurringDismissals.key })
    .from(recurringDismissals)
    .where(ownedBy(ctx.caller, recurringDismissals.ownerId))

/** Dismisses suggestions and matches for somebody, as far as there is room. */
export const dismiss = (ctx: SignedIn, userId: string, keys: string[]): Statement =>
  db.run(sql`INSERT INTO recurring_dismissals (id, owner_id, key, created_at)
    SELECT value ->> 0, ${userId}, value ->> 1, ${ctx.now}
    FROM json_each(${JSON.stringify(keys.map((key) => [freshId(ctx, 'rdm'), key]))})
    WHERE (SELECT count(*) FROM recurring_dismissals WHERE owner_id = ${userId}) < ${MOST_DISMISSALS} ON CONFLICT DO NOTHING`)

/** Refuses when there was no room for it. */
export const mustBeDismissed = (userId: string, key: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM recurring_dismissals WHERE owner_id = ${userId} AND key = ${key})`,
    () => recurringErrors.tooManyDismissals({ most: MOST_DISMISSALS }),
  )
