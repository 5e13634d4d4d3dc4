import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { recurring, recurringOccurrences } from '../../../../drizzle/schema/recurring.ts'
import type { CalendarDate } from '../../../domain/calendar.ts'
import type { Span } from '../../../domain/recurring/occurrences.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { ownedTable } from '../../../platform/database/owned-tables.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { withoutId } from '../../../ledger/labels/labels.public.ts'
import { keepListener } from '../../../platform/work/reader-rows.ts'
import {
  accountIdsWithHistory,
  isUnrestricted,
  ownedBy,
  visibleOwnerIds,
} from '../../identity/access/access.public.ts'
import { recurringErrors } from './recurring.errors.ts'
import {
  type LinkedRow,
  MOST_ACTIVE,
  type RecurringRow,
  type StoredOccurrence,
  type StoredRecurring,
} from './recurring.rules.ts'

const GONE_ACCOUNTS = sql<number>`(SELECT count(*) FROM json_each(recurring.account_ids) named
    WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = named.value AND a.deleted_at IS NULL))`

const computed = {
  /** Of its accounts, in the trash. */
  goneAccounts: GONE_ACCOUNTS.as('gone_accounts'),
  timeZone: sql<string>`(SELECT time_zone FROM users WHERE users.id = recurring.owner_id)`.as(
    'owner_zone',
  ),
}

/**
 * True if the caller sees all accounts of an item, of which own ones may be in the trash. Private items are for their owner and
 * for who created them, and those without an account for their owner.
 */
const isSeen = (ctx: SignedIn): SQL => {
  const { userId } = ctx.caller
  const isMine = ownedBy(ctx.caller, recurring.ownerId)
  return sql`recurring.owner_id IN (${visibleOwnerIds(ctx)})
    AND (recurring.private = 0 OR ${isMine} OR recurring.created_by = ${userId})
    AND (recurring.account_id IS NOT NULL OR (${isMine} AND ${isUnrestricted(ctx)}))
    AND NOT EXISTS (SELECT 1 FROM json_each(recurring.account_ids) named
      WHERE named.value NOT IN (${accountIdsWithHistory(ctx)}))`
}

const rows = ownedTable(recurring, { isSeen, computed: () => computed, hasLongRows: true })

export const recurringRows = {
  ...rows,
  byIds: (ctx: SignedIn, ids: string[]): Statement<RecurringRow[]> =>
    rows.where(ctx, sql`${recurring.id} IN ${among(ids)}`),
  /** SELECTs the ids and accounts of those that the caller sees. */
  ids: (ctx: SignedIn, where: SQL = sql`TRUE`): SQL =>
    sql`SELECT recurring.id, recurring.account_id FROM recurring WHERE ${isSeen(ctx)} AND ${where}`,
}

export interface RecurringFilter {
  purpose?: StoredRecurring['purpose'] | undefined
  accountId?: string | undefined
  active?: boolean | undefined
}

export const matching = ({ purpose, accountId, active }: RecurringFilter): SQL =>
  and(
    sql`TRUE`,
    purpose === undefined ? undefined : eq(recurring.purpose, purpose),
    active === undefined ? undefined : eq(recurring.active, active),
    accountId === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM json_each(recurring.account_ids) named WHERE named.value = ${accountId})`,
  ) as SQL

/** True of items to which transactions are linked. */
export const isLinkable = sql`recurring.active = 1 AND recurring.mode IN ('expect', 'ask')`

/** The reader that links transactions. */
export const LINKING = 'recurring.links'

/** Has an owner listen to that reader while an item waits for transactions. */
export const keepLinking = (ownerId: string): Statement[] =>
  keepListener(
    LINKING,
    ownerId,
    sql`EXISTS (SELECT 1 FROM recurring WHERE owner_id = ${ownerId} AND ${isLinkable})`,
  )

/** Refuses when an owner has more active items than there may be. */
export const mustFit = (ownerId: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM recurring WHERE owner_id = ${ownerId} AND active = 1) > ${MOST_ACTIVE}`,
    () => recurringErrors.tooMany({ most: MOST_ACTIVE }),
  )

/** An item by its name. */
export type NamedItem = Pick<StoredRecurring, 'id' | 'name' | 'active' | 'currency'>

/** The most names of items that a search compares. */
const MOST_NAMES = 5000

/** The names of the items that the caller sees, active ones first. */
export const visibleItemNames = (ctx: SignedIn): Statement<NamedItem[]> =>
  db
    .select({
      id: recurring.id,
      name: recurring.name,
      active: recurring.active,
      currency: recurring.currency,
    })
    .from(recurring)
    .where(isSeen(ctx))
    .orderBy(sql`${recurring.active} DESC`, recurring.id)
    .limit(MOST_NAMES)

/** Items for the service itself, whoever sees them. */
export const anyRecurring = (condition: SQL): Statement<RecurringRow[]> =>
  db
    .select({ ...getTableColumns(recurring), ...computed })
    .from(recurring)
    .where(condition)

/** What is stored of occurrences `o` of items. @param items SELECTs their ids as `id` of `item` */
export const storedOccurrences = (
  items: SQL,
  condition = sql`TRUE`,
): Statement<StoredOccurrence[]> => db.all(selectStored(items, condition))

const selectStored = (items: SQL, condition: SQL): SQL =>
  sql`SELECT o.recurring_id AS recurringId, o.owner_id AS ownerId, o.nominal_date AS nominalDate, o.date, o.changes,
      o.state, o.reason, o.expected_minor AS expectedMinor, o.told, o.updated_at AS updatedAt
    FROM (${items}) item CROSS JOIN recurring_occurrences o ON o.recurring_id = item.id AND (${condition})`

/** True of nominal dates in a span, of occurrences `o` and of transactions `booked`. */
export const within = ([from, to]: Span) => ({
  stored: sql`o.nominal_date BETWEEN ${from} AND ${to}`,
  linked: sql`booked.recurring_date BETWEEN ${from} AND ${to}`,
})

/**
 * The transactions `booked` that are linked to occurrences of items, the oldest first. Of one that became part of a transfer it is the transfer.
 * @param items SELECTs their ids and accounts as `id` and `account_id` of `item`
 */
export const linkedRows = (
  ctx: { caller?: SignedIn['caller'] | undefined },
  items: SQL,
  condition = sql`TRUE`,
): Statement<LinkedRow[]> => db.all(selectLinked(ctx, items, condition))

const selectLinked = (
  { caller }: { caller?: SignedIn['caller'] | undefined },
  items: SQL,
  condition: SQL,
): SQL => {
  const isShown = caller
    ? sql`AND (t.private = 0 OR ${ownedBy(caller, 't.owner_id')} OR t.created_by = ${caller.userId})`
    : sql``
  return sql`SELECT booked.recurring_id AS recurringId, booked.recurring_date AS nominalDate, t.id AS headerId, t.kind, e.line, e.date,
      e.amount_minor AS amountMinor
    FROM (${items}) item
    CROSS JOIN transactions booked ON booked.recurring_id = item.id AND (${condition}) AND booked.deleted_at IS NULL
    CROSS JOIN transactions t ON t.id = ifnull(booked.matched_into, booked.id) AND t.deleted_at IS NULL
    CROSS JOIN entries e ON e.transaction_id = t.id AND e.side = 'account' AND e.status <> 'void'
      AND e.line = ifnull((SELECT min(own.line) FROM entries own WHERE own.transaction_id = t.id AND own.side = 'account'
        AND own.account_id = item.account_id), 1)
    WHERE booked.recurring_date IS NOT NULL ${isShown} ORDER BY e.date, t.id`
}

/** An item `recurring` with what is known of its occurrences since a day, as JSON for `unpackItem`. */
export const packedItem = (
  since: SQL,
): SQL => sql`json_object('id', recurring.id, 'accountId', recurring.account_id,
  'currency', recurring.currency, 'definition', recurring.definition, 'firstDay', recurring.first_day, 'rests', recurring.rests,
  'restedOn', recurring.rested_on, 'active', recurring.active, 'goneAccounts', ${GONE_ACCOUNTS},
  'stored', json((SELECT json_group_array(json_object('recurringId', recurringId, 'nominalDate', nominalDate, 'date', date,
      'changes', changes, 'state', state, 'reason', reason, 'expectedMinor', expectedMinor, 'told', told))
    FROM (${selectStored(sql`SELECT recurring.id`, sql`o.nominal_date >= ${since}`)}))),
  'linked', json((SELECT json_group_array(json_object('recurringId', recurringId, 'nominalDate', nominalDate, 'headerId', headerId,
      'kind', kind, 'line', line, 'date', date, 'amountMinor', amountMinor))
    FROM (${selectLinked({}, sql`SELECT recurring.id, recurring.account_id`, sql`booked.recurring_date >= ${since}`)}))))`

/** SELECTs those of the items that the caller sees and that cost something again and again. */
export const plannedItemIds = (ctx: SignedIn, ids: string[]): SQL =>
  recurringRows.ids(
    ctx,
    sql`${recurring.id} IN ${among(ids)} AND recurring.definition ->> '$.schedule' IS NOT NULL
      AND recurring.definition ->> '$.transaction.kind' <> 'income'`,
  )

/** SELECTs ids and accounts of items by their ids, for the finders above. */
export const itemsById = (ids: string[]): SQL =>
  sql`SELECT id, account_id FROM recurring WHERE id IN ${among(ids)}`

/** Puts what is known of an occurrence in the place of what was known. */
export const saveOccurrences = (all: StoredOccurrence[]): Statement =>
  db.run(sql`INSERT INTO recurring_occurrences
      (recurring_id, owner_id, nominal_date, date, changes, state, reason, expected_minor, told, updated_at)
    SELECT value ->> 'recurringId', value ->> 'ownerId', value ->> 'nominalDate', value ->> 'date', value ->> 'changes',
      value ->> 'state', value ->> 'reason', value ->> 'expectedMinor', value ->> 'told', value ->> 'updatedAt'
    FROM json_each(${JSON.stringify(all)}) WHERE TRUE
    ON CONFLICT (recurring_id, nominal_date) DO UPDATE SET date = excluded.date, changes = excluded.changes,
      state = excluded.state, reason = excluded.reason, expected_minor = excluded.expected_minor, told = excluded.told, updated_at = excluded.updated_at`)

/** Takes away what is known of occurrences: all of an item, or those with these nominal dates. */
export const deleteOccurrences = (
  { id, ownerId }: Pick<StoredRecurring, 'id' | 'ownerId'>,
  dates?: CalendarDate[],
): Statement =>
  db
    .delete(recurringOccurrences)
    .where(
      and(
        eq(recurringOccurrences.recurringId, id),
        eq(recurringOccurrences.ownerId, ownerId),
        dates && sql`${recurringOccurrences.nominalDate} IN ${among(dates)}`,
      ),
    )

/** Hands the occurrences from a nominal date on to the item that goes on. */
export const moveOccurrences = (
  { id, ownerId }: Pick<StoredRecurring, 'id' | 'ownerId'>,
  to: string,
  from: CalendarDate,
): Statement =>
  db
    .update(recurringOccurrences)
    .set({ recurringId: to })
    .where(
      and(
        eq(recurringOccurrences.recurringId, id),
        eq(recurringOccurrences.ownerId, ownerId),
        sql`${recurringOccurrences.nominalDate} >= ${from}`,
      ),
    )

/** Refuses when an occurrence was booked, also where its transaction is in the trash, or when a transaction is linked to it. */
export const mustBeOpen = (
  occurrences: { recurringId: string; nominalDate: CalendarDate }[],
): Statement => {
  const pairs = JSON.stringify(occurrences.map((one) => [one.recurringId, one.nominalDate]))
  return refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${pairs}) wanted
      WHERE EXISTS (SELECT 1 FROM recurring_occurrences o WHERE o.recurring_id = wanted.value->>0
          AND o.nominal_date = wanted.value->>1 AND o.state = 'booked')
        OR EXISTS (SELECT 1 FROM transactions t WHERE t.recurring_id = wanted.value->>0
          AND t.recurring_date = wanted.value->>1 AND t.deleted_at IS NULL))`,
    recurringErrors.settled,
  )
}

/** Refuses when more, or something else, is known of an occurrence than was read. */
export const mustBeAsRead = (
  { id }: Pick<StoredRecurring, 'id'>,
  nominalDate: CalendarDate,
  seen: StoredOccurrence | undefined,
): Statement =>
  refuseIf(
    sql`(SELECT json_array(state, date, changes, updated_at) FROM recurring_occurrences
      WHERE recurring_id = ${id} AND nominal_date = ${nominalDate})
      IS NOT ${seen ? JSON.stringify([seen.state, seen.date, seen.changes, seen.updatedAt]) : null}`,
    changedMeanwhile,
  )

/** Has the next scheduled run look at an item. Refuses when it was changed since it was read. */
export const wakeItem = (
  { now }: SignedIn,
  { id, ownerId, version }: RecurringRow,
): Statement[] => [
  db.run(
    sql`UPDATE recurring SET next_at = ${now} WHERE id = ${id} AND owner_id = ${ownerId} AND version = ${version}`,
  ),
  requireChangedOne(changedMeanwhile),
]

const relabelled = (column: SQL, from: string, to: string | null): SQL =>
  to === null ? withoutId(column, from) : sql`replace(${column}, ${from}, ${to})`

/** Puts one label in the place of another in all items and occurrences that name it, or takes it off. */
export const relabelRecurring = (
  { caller, now }: SignedIn,
  { from, to }: { from: string; to: string | null },
): Statement[] => [
  db.run(sql`UPDATE recurring SET definition = ${relabelled(sql`definition`, from, to)}, version = version + 1,
      updated_at = ${now}
    WHERE ${ownedBy(caller, 'owner_id')} AND instr(definition, ${from}) > 0`),
  db.run(sql`UPDATE recurring_occurrences SET changes = ${relabelled(sql`changes`, from, to)}, updated_at = ${now}
    WHERE ${ownedBy(caller, 'owner_id')} AND changes IS NOT NULL AND instr(changes, ${from}) > 0`),
]

/** Refuses unless no account of an item is in the trash, or gone. */
export const mustHaveAccounts = (
  { ownerId, accountIds }: Pick<StoredRecurring, 'ownerId' | 'accountIds'>,
  refusal: Refusal,
): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${accountIds}) named WHERE NOT EXISTS (SELECT 1 FROM accounts a
      WHERE a.id = named.value AND a.owner_id = ${ownerId} AND a.deleted_at IS NULL))`,
    refusal,
  )
