import { z } from '@hono/zod-openapi'
import { toInstant } from '../../../domain/calendar.ts'
import {
  booleanField,
  id,
  idInPath,
  instant,
  integerField,
  nullableText,
  pathId,
  severalInQuery,
  textField,
  toInstantOrNull,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { NotificationRow } from './notifications.queries.ts'
import { NOTIFICATION_KINDS } from './notifications.rules.ts'

export const notificationId = pathId('ntf', 'notification')

const kind = z
  .enum(NOTIFICATION_KINDS)
  .openapi({ description: 'What it tells.', example: 'account.balanceLow' })

export const ListNotificationsQuery = z.strictObject({
  unread: yesInQuery('Only unread ones, or only read ones.', true).optional(),
  kind: severalInQuery(
    z.enum(NOTIFICATION_KINDS).describe('Only of these kinds.'),
    'account.balanceLow',
    NOTIFICATION_KINDS,
  ).optional(),
  archived: yesInQuery('Archived ones in place of the others.', false)
    .optional()
    .transform((archived) => archived ?? false),
  ...pageQuery(),
})

export const NotificationResponse = z
  .object({
    id: id('ntf', 'Id of the notification. A renewed one has another id.'),
    kind,
    resourceType: textField('Kind of the thing that it is about.', 'account'),
    resourceId: id('acc', 'Id of that thing.'),
    accountId: nullableText('Account that the thing is on, if any.'),
    facts: z.record(z.string(), z.union([z.string(), z.number()])).openapi({
      description: 'Ids, dates and counts; no amounts and no texts.',
      example: {},
    }),
    createdAt: instant('When it was told, or told again while it was unread.'),
    readAt: instant('When it was read.').nullable().openapi({ example: null }),
    archivedAt: instant('When it was archived.').nullable().openapi({ example: null }),
  })
  .openapi('NotificationResponse')

export const NotificationsResponse = pageResponse(
  'notifications',
  NotificationResponse,
  'One page of notifications, newest first.',
)
  .extend({
    unreadCount: integerField('Number of unread notifications that are not archived.', 1),
  })
  .openapi('NotificationsResponse')

export const UpdateNotificationRequest = z
  .strictObject({
    read: booleanField('Whether it counts as read.', true).optional(),
    archived: booleanField('Whether it is archived. It then counts as read.', false).optional(),
  })
  .refine(
    ({ read, archived }) => read !== undefined || archived !== undefined,
    must('must have read or archived', 'required'),
  )
  .openapi('UpdateNotificationRequest')

export const ReadNotificationsRequest = z
  .strictObject({ upTo: idInPath('ntf', 'The newest notification that was seen.') })
  .openapi('ReadNotificationsRequest')

export const NotificationsReadResponse = z
  .object({ count: integerField('Number of notifications that were unread until now.', 3) })
  .openapi('NotificationsReadResponse')

export const presentNotification = (
  row: NotificationRow,
): z.infer<typeof NotificationResponse> => ({
  id: row.id,
  kind: row.kind as z.infer<typeof kind>,
  resourceType: row.resourceType,
  resourceId: row.resourceId,
  accountId: row.accountId,
  facts: JSON.parse(row.facts) as Record<string, string | number>,
  createdAt: toInstant(row.createdAt),
  readAt: toInstantOrNull(row.readAt),
  archivedAt: toInstantOrNull(row.archivedAt),
})

const presentList = presentPage('notifications', presentNotification)

export const presentNotifications = (
  found: Listed<NotificationRow> & { unreadCount: number },
): z.infer<typeof NotificationsResponse> => ({
  ...presentList(found),
  unreadCount: found.unreadCount,
})
