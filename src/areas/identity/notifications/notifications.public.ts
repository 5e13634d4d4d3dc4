export { insertNotifications, type NewNotification } from './notifications.queries.ts'
