import { and, desc, eq, inArray, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { notifications } from '../../../../drizzle/schema/notifications.ts'
import { newId } from '../../../domain/ids.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { countWhere } from '../../../platform/database/owned-tables.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import {
  isHiddenFrom,
  isUnrestrictedFor,
  ownedBy,
  sharedWithMeIds,
  type Viewer,
  viewerOf,
  visibleAccountIdsOf,
} from '../access/access.public.ts'
import { groupIdsOf } from '../memberships/memberships.public.ts'
import { notificationErrors } from './notifications.errors.ts'
import {
  KEPT_DAYS,
  MOST_KEPT,
  type NewNotification,
  type NotificationKind,
} from './notifications.rules.ts'

export type NotificationRow = typeof notifications.$inferSelect

/**
 * Stores notifications, each as its user wants to be told of its kind. One that tells the same as an unread one takes its place:
 * with an id of its own, so that nobody marks as read what they have not seen.
 */
export const insertNotifications = (all: NewNotification[]): Statement =>
  db.run(sql`INSERT INTO notifications (id, user_id, kind, resource_type, resource_id, account_id, facts, group_key, created_at,
      mail_due)
    SELECT value ->> 'id', value ->> 'userId', value ->> 'kind', value ->> 'resourceType', value ->> 'resourceId',
      value ->> 'accountId', json(value -> 'facts'), value ->> 'groupKey', value ->> 'createdAt',
      iif(${CHANNEL} = 'mail', ${END_OF_WINDOW}, NULL)
    FROM json_each(${JSON.stringify(all)})
      JOIN users u ON u.id = value ->> 'userId' AND u.status <> 'deleted'
      LEFT JOIN user_preferences p ON p.user_id = u.id
    WHERE ${CHANNEL} <> 'off'
    ON CONFLICT (user_id, group_key) WHERE read_at IS NULL DO UPDATE SET id = excluded.id,
      resource_type = excluded.resource_type, resource_id = excluded.resource_id, account_id = excluded.account_id,
      facts = excluded.facts, created_at = excluded.created_at, mail_due = ifnull(mail_due, excluded.mail_due)`)

const CHANNEL = sql.raw(
  `ifnull(json_extract(p.chosen, '$.notifications."' || (value ->> 'kind') || '"'), 'app')`,
)

/** The end of the 15 minutes in which something happened: one mail tells of all that is new in them. */
const END_OF_WINDOW = sql.raw(`(value ->> 'createdAt') / 900000 * 900000 + 900000`)

/**
 * True if a viewer sees what a row of `notifications` is about. A token for some accounts sees only what is about those.
 */
const isVisible = (viewer: Viewer): SQL =>
  sql`CASE resource_type
    WHEN 'account' THEN resource_id IN (${visibleAccountIdsOf(viewer)})
    WHEN 'transaction' THEN EXISTS (SELECT 1 FROM transactions t JOIN entries e ON e.transaction_id = t.id AND e.side = 'account'
      WHERE t.id = resource_id AND t.deleted_at IS NULL AND e.account_id IN (${visibleAccountIdsOf(viewer)})
        AND (${ownedBy(viewer, 't.owner_id')} OR NOT (${isHiddenFrom(viewer)})))
    WHEN 'budget' THEN resource_id IN (SELECT b.id FROM budgets b WHERE b.deleted_at IS NULL
      AND (${ownedBy(viewer, 'b.owner_id')} OR b.group_id IN (${groupIdsOf(viewer)}) OR b.id IN (${sharedWithMeIds(viewer, 'budget_id')})))
      AND ${isUnrestrictedFor(viewer)}
    WHEN 'recurring' THEN EXISTS (SELECT 1 FROM recurring r WHERE r.id = resource_id AND ${ownedBy(viewer, 'r.owner_id')})
      AND ${isUnrestrictedFor(viewer)}
    WHEN 'export' THEN EXISTS (SELECT 1 FROM archives a WHERE a.id = resource_id AND ${ownedBy(viewer, 'a.owner_id')})
      AND ${isUnrestrictedFor(viewer)}
    WHEN 'webhook' THEN EXISTS (SELECT 1 FROM webhooks w WHERE w.id = resource_id AND ${ownedBy(viewer, 'w.owner_id')})
      AND ${isUnrestrictedFor(viewer)}
    ELSE 0 END`

/** The viewer's notifications that may be shown. */
const isOwnVisible = (viewer: Viewer) =>
  and(eq(notifications.userId, viewer.userId), isVisible(viewer))

export interface NotificationFilter {
  unread?: boolean | undefined
  kind?: NotificationKind[] | undefined
  archived: boolean
}

const isUnread = isNull(notifications.readAt)

const matches = ({ unread, kind, archived }: NotificationFilter): SQL =>
  and(
    sql`(${notifications.archivedAt} IS NOT NULL) = ${archived ? 1 : 0}`,
    unread === undefined ? undefined : sql`(${isUnread}) = ${unread ? 1 : 0}`,
    kind && inArray(notifications.kind, kind),
  ) as SQL

/** Newest first; one row more than the page. */
export const pageOfNotifications = (
  ctx: SignedIn,
  filter: NotificationFilter,
  { after, limit }: PageRequest,
): Statement<NotificationRow[]> =>
  db
    .select()
    .from(notifications)
    .where(
      and(
        isOwnVisible(viewerOf(ctx)),
        matches(filter),
        after?.[0] === undefined ? undefined : lt(notifications.id, after[0]),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(limit + 1)

/** Counts those of the list, and all unread ones that are not archived. */
export const countsOfNotifications = (
  ctx: SignedIn,
  filter: NotificationFilter,
): Statement<{ count: number; unreadCount: number }[]> =>
  db
    .select({
      count: sql<number>`count(*) FILTER (WHERE ${matches(filter)})`.as('count'),
      unreadCount:
        sql<number>`count(*) FILTER (WHERE ${isUnread} AND ${notifications.archivedAt} IS NULL)`.as(
          'unread_count',
        ),
    })
    .from(notifications)
    .where(isOwnVisible(viewerOf(ctx)))

const isOne = (ctx: SignedIn, id: string) =>
  and(eq(notifications.id, id), isOwnVisible(viewerOf(ctx)))

export const notificationById = (ctx: SignedIn, id: string): Statement<NotificationRow[]> =>
  db.select().from(notifications).where(isOne(ctx, id))

/** Once it was read, nothing renews it: marked as unread again, it stands beside what is new. */
const asRead = ({ now }: Context) => ({
  readAt: sql`ifnull(read_at, ${now})`,
  groupKey: sql`id`,
  mailDue: null,
})

/** What is archived counts as read, and what is unread again is not archived any more. */
export const markNotification = (
  ctx: SignedIn,
  id: string,
  { read, archived }: { read?: boolean | undefined; archived?: boolean | undefined },
): Statement[] => [
  db
    .update(notifications)
    .set({
      ...(read === false ? { readAt: null, archivedAt: null } : {}),
      ...(read || archived ? asRead(ctx) : {}),
      ...(archived === undefined
        ? {}
        : { archivedAt: archived ? sql`ifnull(archived_at, ${ctx.now})` : null }),
    })
    .where(isOne(ctx, id)),
  requireChangedOne(notificationErrors.notFound),
]

const isUnreadUpTo = (ctx: SignedIn, id: string) =>
  and(isOwnVisible(viewerOf(ctx)), isUnread, lte(notifications.id, id))

export const countUnreadUpTo = (ctx: SignedIn, id: string): Statement<{ count: number }[]> =>
  countWhere(notifications, isUnreadUpTo(ctx, id))

export const markReadUpTo = (ctx: SignedIn, id: string): Statement =>
  db.update(notifications).set(asRead(ctx)).where(isUnreadUpTo(ctx, id))

/** A user who is to be told by mail that there is something new. */
export interface MailedUser {
  id: string
  email: string
  /** 1 if mails go there: to active users with confirmed addresses. */
  isReachable: 0 | 1
}

const isDue = (now: number) => sql`mail_due <= ${now}`

/** Those who have waited the longest. */
export const usersToMail = (now: number, limit: number): Statement<MailedUser[]> =>
  db.all(sql`SELECT u.id, u.email, u.status = 'active' AND u.email_verified_at IS NOT NULL AS isReachable
    FROM notifications n CROSS JOIN users u ON u.id = n.user_id WHERE ${isDue(now)}
    GROUP BY u.id ORDER BY min(mail_due) LIMIT ${limit}`)

/** One row if the user sees something that a mail is due for. */
export const visibleDue = (now: number, userId: string): Statement<unknown[]> =>
  db.all(sql`SELECT 1 FROM notifications
    WHERE ${isDue(now)} AND ${isOwnVisible({ userId, tokenHash: null, now })} LIMIT 1`)

/** Refuses if another run was faster. */
export const endDue = (now: number, userId: string): Statement[] => [
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM notifications WHERE user_id = ${userId} AND ${isDue(now)})`,
    changedMeanwhile,
  ),
  db
    .update(notifications)
    .set({ mailDue: null })
    .where(and(eq(notifications.userId, userId), isDue(now))),
]

const DAY_MS = 24 * 60 * 60 * 1000

/** The lowest id that a notification of a time can have. */
const firstIdAt = (at: number) => newId('ntf', at, new Uint8Array(10))

/** Deletes what is old, and the oldest of users who have more than are kept; only those whom something was told since can. */
export const purgeNotifications = ({ now }: Context): Statement[] => [
  db.delete(notifications).where(lt(notifications.id, firstIdAt(now - KEPT_DAYS * DAY_MS))),
  db.run(sql`DELETE FROM notifications WHERE id IN (SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY id DESC) AS place FROM notifications
      WHERE user_id IN (SELECT user_id FROM notifications WHERE id >= ${firstIdAt(now - 2 * DAY_MS)}))
    WHERE place > ${MOST_KEPT})`),
]
