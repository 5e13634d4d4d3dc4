export { insertNotifications } from './notifications.queries.ts'
export {
  type NewNotification,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from './notifications.rules.ts'
