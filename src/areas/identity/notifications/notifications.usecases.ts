import type { Context, SignedIn } from '../../../platform/context.ts'
import { commit, commitAndRead, read } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { unlessRefused } from '../../../platform/database/refusals.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { forEachRow } from '../../../platform/work/each-row.ts'
import { notificationErrors } from './notifications.errors.ts'
import {
  countsOfNotifications,
  countUnreadUpTo,
  endDue,
  type MailedUser,
  markNotification,
  markReadUpTo,
  notificationById,
  type NotificationFilter,
  type NotificationRow,
  pageOfNotifications,
  usersToMail,
  visibleDue,
} from './notifications.queries.ts'

export async function listNotifications(
  ctx: SignedIn,
  filter: NotificationFilter,
  page: PageRequest,
): Promise<Page<NotificationRow> & { unreadCount: number }> {
  const [found, [counts]] = await read(
    ctx,
    pageOfNotifications(ctx, filter, page),
    countsOfNotifications(ctx, filter),
  )
  const { count = 0, unreadCount = 0 } = counts ?? {}
  return { ...cutPage(found, page, ({ id }) => [id]), count, unreadCount }
}

/** Marks a notification as read or unread, and archives it or takes it out of the archive. */
export async function updateNotification(
  ctx: SignedIn,
  id: string,
  marks: { read?: boolean | undefined; archived?: boolean | undefined },
): Promise<NotificationRow> {
  const [after] = await commitAndRead(
    ctx,
    { changes: [withoutEvents(markNotification(ctx, id, marks))] },
    notificationById(ctx, id),
  )
  if (!after) {
    throw notificationErrors.notFound()
  }
  return after
}

/** Marks what is up to a notification as read; returns how many were not. */
export async function readNotifications(
  ctx: SignedIn,
  { upTo }: { upTo: string },
): Promise<{ count: number }> {
  const [[last], [found]] = await read(ctx, notificationById(ctx, upTo), countUnreadUpTo(ctx, upTo))
  if (!last) {
    throw notificationErrors.unknown({ field: 'upTo' })
  }
  return commit(ctx, {
    changes: [withoutEvents([markReadUpTo(ctx, upTo)])],
    result: { count: found?.count ?? 0 },
  })
}

/** Users of one sweep; what is left is the next one's. */
const MOST_MAILED = 200

/** Tells users by mail that there is something new, all that is due in one mail. Without a mail server, it waits. */
export async function mailNotifications(ctx: Context): Promise<void> {
  if (ctx.settings.mailer.kind === 'unbound') {
    return
  }
  const [users] = await read(ctx, usersToMail(ctx.now, MOST_MAILED))
  await forEachRow(ctx, { work: 'notifications.mail', rows: users }, (user) =>
    unlessRefused(() => mailTo(ctx, user)),
  )
}

async function mailTo(ctx: Context, { id, email, isReachable }: MailedUser): Promise<void> {
  const [visible] = await read(ctx, visibleDue(ctx.now, id))
  const isTold = isReachable === 1 && visible.length > 0
  await commit(ctx, {
    changes: [withoutEvents(endDue(ctx.now, id))],
    tasks: isTold
      ? [await mailTask(ctx, { to: email, template: 'newNotifications', values: {} })]
      : [],
    result: undefined,
  })
}
