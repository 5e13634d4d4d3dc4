import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant } from '../columns.ts'
import { users } from './system.ts'

/** The notifications of users in the application. Their texts are made when they are read, from the data that is visible then. */
export const notifications = sqliteTable(
  'notifications',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').notNull(),
    /** The thing it is about; it is shown only while that is visible. */
    resourceType: text('resource_type').notNull(),
    resourceId: text('resource_id').notNull(),
    accountId: text('account_id'),
    /** JSON of ids and counts: neither amounts nor words. */
    facts: text('facts').notNull(),
    /** Its kind and its resource: what tells the same again renews it while it is unread. */
    groupKey: text('group_key').notNull(),
    createdAt: instant('created_at').notNull(),
    readAt: instant('read_at'),
    archivedAt: instant('archived_at'),
  },
  (table) => [index('notifications_of_user').on(table.userId, table.archivedAt, table.id)],
)
