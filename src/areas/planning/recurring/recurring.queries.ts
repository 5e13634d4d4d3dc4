import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { recurring } from '../../../../drizzle/schema/recurring.ts'
import { type CalendarDate, LAST_DATE } from '../../../domain/calendar.ts'
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
  itemOf,
  type LinkedRow,
  MOST_ACTIVE,
  type RecurringItem,
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

export const recurringRows = ownedTable(recurring, {
  isSeen,
  computed: () => computed,
  hasLongRows: true,
})

/** SELECTs the ids and accounts of the items that the caller sees. */
export const visibleItems = (ctx: SignedIn, where: SQL): SQL =>
  sql`SELECT recurring.id, recurring.account_id FROM recurring WHERE ${isSeen(ctx)} AND ${where}`

/** All nominal dates. */
const ALWAYS: Span = ['', LAST_DATE]

/**
 * Reads items with what is known of their occurrences, for `itemsFrom`.
 * @param where a condition besides the one that the caller sees them
 * @param span of the nominal dates of these occurrences
 */
export const itemFinders = (
  ctx: SignedIn,
  where: SQL,
  [from, to] = ALWAYS,
  rows = recurringRows.where(ctx, where),
) =>
  [
    rows,
    ...factFinders(
      ctx,
      visibleItems(ctx, where),
      (nominalDate) => sql`${nominalDate} BETWEEN ${from} AND ${to}`,
    ),
  ] as const

/** True of the items with these ids. */
export const isOneOf = (ids: string[]): SQL => sql`${recurring.id} IN ${among(ids)}`

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

/**
 * Reads what is known of the occurrences of items: what is stored of them, and their transactions.
 * @param items SELECTs their ids and accounts as `id` and `account_id` of `item`
 * @param which a condition on their nominal dates
 */
export const factFinders = (
  ctx: { caller?: SignedIn['caller'] | undefined },
  items: SQL,
  which: (nominalDate: SQL) => SQL,
) =>
  [
    db.all<StoredOccurrence>(selectStored(items, which(sql`o.nominal_date`))),
    db.all<LinkedRow>(selectLinked(ctx, items, which(sql`booked.recurring_date`))),
  ] as const

const selectStored = (items: SQL, condition: SQL): SQL =>
  sql`SELECT o.recurring_id AS recurringId, o.owner_id AS ownerId, o.nominal_date AS nominalDate, o.date, o.changes,
      o.state, o.reason, o.expected_minor AS expectedMinor, o.told, o.updated_at AS updatedAt
    FROM (${items}) item CROSS JOIN recurring_occurrences o ON o.recurring_id = item.id AND (${condition})`

/**
 * The transactions `booked` that are linked to occurrences, the oldest first. Of one that became part of a transfer it is the
 * transfer.
 */
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
export const packedItem = (since: SQL): SQL =>
  sql`json_array(json_array(${sql.join(Object.values(getTableColumns(recurring)), sql`, `)}, ${GONE_ACCOUNTS}),
    json((SELECT json_group_array(json_object('recurringId', recurringId, 'nominalDate', nominalDate, 'date', date, 'changes', changes,
        'state', state, 'reason', reason, 'expectedMinor', expectedMinor, 'told', told))
      FROM (${selectStored(sql`SELECT recurring.id`, sql`o.nominal_date >= ${since}`)}))),
    json((SELECT json_group_array(json_object('recurringId', recurringId, 'nominalDate', nominalDate, 'headerId', headerId,
        'kind', kind, 'line', line, 'date', date, 'amountMinor', amountMinor))
      FROM (${selectLinked({}, sql`SELECT recurring.id, recurring.account_id`, sql`booked.recurring_date >= ${since}`)}))))`

const PACKED = [...Object.keys(getTableColumns(recurring)), 'goneAccounts']

/** Reads an item out of JSON, as it stands on a day. */
export function unpackItem(packed: string, today: CalendarDate): RecurringItem {
  const [values, stored, linked] = JSON.parse(packed) as [
    unknown[],
    StoredOccurrence[],
    LinkedRow[],
  ]
  const row = Object.fromEntries(PACKED.map((name, at) => [name, values[at]]))
  const inZone = { ...(row as unknown as RecurringRow), timeZone: 'UTC' }
  return itemOf({ now: Date.parse(today) }, inZone, stored, linked)
}

/** SELECTs those of the items that the caller sees and that cost something again and again. */
export const plannedItems = (ctx: SignedIn, ids: string[]): SQL =>
  visibleItems(
    ctx,
    sql`${isOneOf(ids)} AND recurring.definition ->> '$.schedule' IS NOT NULL
      AND recurring.definition ->> '$.transaction.kind' <> 'income'`,
  )

const FACTS = ['date', 'changes', 'state', 'reason', 'expected_minor', 'told', 'updated_at']

/** Keeps what is known of occurrences. @param columns those that take the place of what was known before; the others stay */
export const saveOccurrences = (all: StoredOccurrence[], columns = FACTS): Statement =>
  db.run(sql`INSERT INTO recurring_occurrences
      (recurring_id, owner_id, nominal_date, date, changes, state, reason, expected_minor, told, updated_at)
    SELECT value ->> 'recurringId', value ->> 'ownerId', value ->> 'nominalDate', value ->> 'date', value ->> 'changes',
      value ->> 'state', value ->> 'reason', value ->> 'expectedMinor', value ->> 'told', value ->> 'updatedAt'
    FROM json_each(${JSON.stringify(all)}) WHERE TRUE
    ON CONFLICT (recurring_id, nominal_date) DO UPDATE SET
      ${sql.raw(columns.map((one) => `${one} = excluded.${one}`).join(', '))}`)

/** Takes away what is known of occurrences: all of an item, or those with these nominal dates. */
export const deleteOccurrences = (
  { id, ownerId }: Pick<StoredRecurring, 'id' | 'ownerId'>,
  dates?: CalendarDate[],
): Statement =>
  db.run(sql`DELETE FROM recurring_occurrences WHERE recurring_id = ${id} AND owner_id = ${ownerId}
    ${dates ? sql`AND nominal_date IN ${among(dates)}` : sql``}`)

/** Hands the occurrences from a nominal date on to the item that goes on. */
export const moveOccurrences = (
  { id, ownerId }: Pick<StoredRecurring, 'id' | 'ownerId'>,
  to: string,
  from: CalendarDate,
): Statement =>
  db.run(sql`UPDATE recurring_occurrences SET recurring_id = ${to}
    WHERE recurring_id = ${id} AND owner_id = ${ownerId} AND nominal_date >= ${from}`)

/** Refuses when an occurrence was booked, also where its transaction is in the trash, or when a transaction is linked to it. */
export const mustBeOpen = (
  occurrences: { item: { id: string }; nominalDate: CalendarDate | null }[],
): Statement => {
  const pairs = JSON.stringify(occurrences.map(({ item, nominalDate }) => [item.id, nominalDate]))
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
  { id, ownerId, version }: Pick<RecurringRow, 'id' | 'ownerId' | 'version'>,
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
