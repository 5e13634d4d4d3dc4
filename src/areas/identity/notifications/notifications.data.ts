import { notifications } from '../../../../drizzle/schema/notifications.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { purgeNotifications } from './notifications.queries.ts'

export const notificationData: OwnedData = {
  area: 'notifications',
  tables: [notifications],
  erase: [ownRows('notifications', notifications, { wipedWith: ['preferences'] })],
  purge: purgeNotifications,
}
