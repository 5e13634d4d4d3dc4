import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, minor } from '../columns.ts'
import { accounts } from './accounts.ts'
import { users } from './system.ts'

/** The notifications of users in the application. Their texts are made by whoever shows them, from the data that is visible then. */
export const notifications = sqliteTable(
  'notifications',
  {
    /** A renewed one gets another, so that ids are in the order of what is told. */
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
    /** Its kind and its resource: what tells the same again renews it while it is unread. Its own id once it was read. */
    groupKey: text('group_key').notNull(),
    createdAt: instant('created_at').notNull(),
    readAt: instant('read_at'),
    archivedAt: instant('archived_at'),
    /** When a mail says that there is something new; null if none does, or did. */
    mailDue: instant('mail_due'),
  },
  (table) => [
    index('notifications_of_user').on(table.userId, table.id),
    index('notifications_of_resource').on(table.userId, table.resourceId),
    uniqueIndex('notifications_unread')
      .on(table.userId, table.groupKey)
      .where(sql`read_at IS NULL`),
    index('notifications_to_mail')
      .on(table.mailDue)
      .where(sql`mail_due IS NOT NULL`),
  ],
)

/** The alerts that persons have set for accounts they see, each for themselves. */
export const accountAlerts = sqliteTable(
  'account_alerts',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The balance below which the person is told, in the currency of the account. */
    belowMinor: minor('below_minor'),
    /** The person is told of expenses of more than this. */
    aboveMinor: minor('above_minor'),
    /** True if the balance was below the limit when it was last looked at. */
    isLow: flag('is_low').notNull(),
    /** The last event of the log before the alert was set, which tells nothing. */
    sinceEvent: integer('since_event').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accountId] }),
    index('account_alerts_of_account').on(table.accountId),
  ],
)
