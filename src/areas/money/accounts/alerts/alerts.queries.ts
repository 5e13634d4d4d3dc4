import { and, eq, type SQL, sql } from 'drizzle-orm'
import { accountAlerts } from '../../../../../drizzle/schema/notifications.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { among, db, itemsOf, type Statement } from '../../../../platform/database/statements.ts'
import { END_OF_LOG, keepListener } from '../../../../platform/work/reader-rows.ts'
import { accountIsSeenBy, isHiddenFrom, ownedBy } from '../../../identity/access/access.public.ts'
import type { AlertLimits } from './alerts.events.ts'
import type { ExpenseNews } from './alerts.rules.ts'

/** The reader that looks at what is booked for alerts. */
export const ALERTS = 'accounts.alerts'

/** The caller's own alert for an account. */
export const ownAlert = ({ caller }: SignedIn, accountId: string): Statement<AlertLimits[]> =>
  db
    .select({ belowMinor: accountAlerts.belowMinor, aboveMinor: accountAlerts.aboveMinor })
    .from(accountAlerts)
    .where(isAlertOf(caller.userId, accountId))

const isAlertOf = (userId: string, accountId: string) =>
  and(eq(accountAlerts.userId, userId), eq(accountAlerts.accountId, accountId))

/** Sets the caller's alert, or ends it. A balance that is below the limit already is none that falls below it. */
export const setAlert = (
  { caller: { userId }, now }: SignedIn,
  { id, ownerId }: { id: string; ownerId: string },
  { belowMinor, aboveMinor }: AlertLimits,
): Statement[] => [
  belowMinor === null && aboveMinor === null
    ? db.delete(accountAlerts).where(isAlertOf(userId, id))
    : db.run(sql`INSERT INTO account_alerts (user_id, account_id, below_minor, above_minor, is_low, since_event, updated_at)
        SELECT ${userId}, b.account_id, ${belowMinor}, ${aboveMinor}, ifnull(b.balance_minor < CAST(${belowMinor} AS INTEGER), 0),
          ${END_OF_LOG}, ${now}
        FROM account_balances b WHERE b.account_id = ${id}
        ON CONFLICT (user_id, account_id) DO UPDATE SET below_minor = excluded.below_minor, above_minor = excluded.above_minor,
          is_low = excluded.is_low, since_event = excluded.since_event, updated_at = excluded.updated_at`),
  ...keepAlerting(ownerId),
]

/** Ends all alerts for an account: their amounts are in its currency. */
export const endAlertsFor = (accountId: string): Statement =>
  db.delete(accountAlerts).where(eq(accountAlerts.accountId, accountId))

const hasAlerts = (ownerId: SQL) => sql`EXISTS (SELECT 1 FROM accounts owned
  CROSS JOIN account_alerts kept ON kept.account_id = owned.id WHERE owned.owner_id = ${ownerId})`

/** Has the owner of accounts listen while anybody has an alert for one of them. */
export const keepAlerting = (ownerId: string): Statement[] =>
  keepListener(ALERTS, ownerId, hasAlerts(sql`${ownerId}`))

/** Finds those of these owners for whose accounts nobody has an alert any more. */
export const ownersWithoutAlerts = (ownerIds: string[]): Statement<{ id: string }[]> =>
  db.all(sql`SELECT o.value AS id FROM ${among(ownerIds)} o WHERE NOT ${hasAlerts(sql`o.value`)}`)

/** The person of a row `al` of `account_alerts`, as somebody who looks. */
const personOf = ({ now }: Context) => ({
  userId: sql`al.user_id`,
  tokenHash: sql`NULL`,
  now: sql`${now}`,
})

/** Alerts of these owners' accounts, with the accounts. */
const alertsFor = (ownerIds: string[]) => sql`json_each(${JSON.stringify(ownerIds)}) o
  CROSS JOIN accounts ON accounts.owner_id = o.value CROSS JOIN account_alerts al ON al.account_id = accounts.id`

/** An alert whose balance is on the other side of its limit than it was. */
export interface CrossedAlert {
  userId: string
  accountId: string
  isLow: 0 | 1
  /** 1 if the person sees the account. */
  isSeen: 0 | 1
}

/** Compares the balances as they are now: what a commit makes of them on its way does not count. */
export const crossedAlerts = (ctx: Context, ownerIds: string[]): Statement<CrossedAlert[]> =>
  db.all(sql`SELECT al.user_id AS userId, al.account_id AS accountId, NOT al.is_low AS isLow,
      ${accountIsSeenBy(personOf(ctx))} AS isSeen
    FROM ${alertsFor(ownerIds)} CROSS JOIN account_balances b ON b.account_id = accounts.id
    WHERE al.below_minor IS NOT NULL AND (b.balance_minor < al.below_minor) <> al.is_low`)

export const storeCrossed = (crossed: CrossedAlert[]): Statement =>
  db.run(sql`UPDATE account_alerts SET is_low = c.value ->> 'isLow' FROM ${itemsOf(JSON.stringify(crossed))} c
    WHERE user_id = c.value ->> 'userId' AND account_id = c.value ->> 'accountId' AND below_minor IS NOT NULL`)

/** True if an entry `e` of a transaction `t` is an expense of more than the limit of an alert `al`, and its person sees it. */
const isLarge = (ctx: Context, number: SQL) => sql`t.kind = 'expense' AND t.deleted_at IS NULL
  AND e.side = 'account' AND e.line <= 2 AND e.status <> 'void' AND e.amount_minor < 0 - al.above_minor
  AND al.since_event < ${number} AND ${accountIsSeenBy(personOf(ctx))}
  AND (${ownedBy(personOf(ctx), 't.owner_id')} OR NOT (${isHiddenFrom(personOf(ctx))}))`

/** From transactions `t` to the alerts of their accounts. */
const ALERTS_OF_EXPENSES = sql.raw(`CROSS JOIN entries e ON e.transaction_id = t.id
  CROSS JOIN account_alerts al ON al.account_id = e.account_id CROSS JOIN accounts ON accounts.id = al.account_id`)

/** Somebody who is to be told of a large expense. */
export interface LargeExpense {
  userId: string
  accountId: string
  transactionId: string
}

/** Each is told of once. */
export const largeExpenses = (ctx: Context, news: ExpenseNews[]): Statement<LargeExpense[]> =>
  db.all(sql`SELECT DISTINCT al.user_id AS userId, al.account_id AS accountId, t.id AS transactionId
    FROM ${itemsOf(JSON.stringify(news))} n CROSS JOIN transactions t ON t.id = n.value ->> 'id' ${ALERTS_OF_EXPENSES}
    WHERE ${isLarge(ctx, sql`n.value ->> 'number'`)} AND NOT EXISTS (SELECT 1 FROM notifications known
      WHERE known.user_id = al.user_id AND known.resource_id = t.id AND known.kind = 'transaction.large')`)

/** Transactions of an import that one statement looks at. */
const ROWS_AT_ONCE = sql.raw('5000')

/** The last transaction of the next part of an import. */
const endOfPart = (importId: string, after: string) =>
  sql`(SELECT id FROM (SELECT id FROM transactions WHERE import_id = ${importId} AND id > ${after}
    ORDER BY id LIMIT ${ROWS_AT_ONCE}) ORDER BY id DESC LIMIT 1)`

/** Somebody who is to be told of large expenses of an import, with their number in a part of it. */
export interface LargeImported {
  userId: string
  accountId: string
  count: number
}

/** Finds the large expenses of a part of an import, and where the part ends. */
export const largeImported = (ctx: Context, { id, number }: ExpenseNews, after: string) =>
  [
    db.all<LargeImported>(sql`SELECT al.user_id AS userId, al.account_id AS accountId, count(*) AS count
      FROM transactions t ${ALERTS_OF_EXPENSES}
      WHERE t.import_id = ${id} AND t.id > ${after} AND t.id <= ${endOfPart(id, after)} AND ${isLarge(ctx, sql`${number}`)}
      GROUP BY al.user_id, al.account_id`),
    db.all<{ end: string | null }>(sql`SELECT ${endOfPart(id, after)} AS end`),
  ] as const

/** One row if anybody has an alert for expenses on accounts of these owners. */
export const expenseAlerts = (ownerIds: string[]): Statement<unknown[]> =>
  db.all(sql`SELECT 1 FROM ${alertsFor(ownerIds)} WHERE al.above_minor IS NOT NULL LIMIT 1`)
