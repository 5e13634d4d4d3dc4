import { sql } from 'drizzle-orm'
import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { accounts } from './accounts.ts'
import { budgets } from './budgets.ts'
import { attachments } from './files.ts'
import { groups } from './groups.ts'
import { users } from './system.ts'

/**
 * An account, budget or file shared with one user, who has to accept it, or an account shared with all members of a group. Until
 * it is accepted it may be for whoever has an address, so that sharing does not tell who has one.
 */
export const shares = sqliteTable(
  'shares',
  {
    id: id(),
    /** One of these three is set. */
    accountId: text('account_id').references(() => accounts.id),
    budgetId: text('budget_id').references(() => budgets.id),
    attachmentId: text('attachment_id').references(() => attachments.id),
    /** The owner of the shared thing. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    granteeUserId: text('grantee_user_id').references(() => users.id),
    groupId: text('group_id').references(() => groups.id),
    email: text('email'),
    emailKey: text('email_key'),
    permission: text('permission', { enum: ['view', 'annotate', 'write', 'manage'] }).notNull(),
    /** The bookings that a receiver with `write` may change: those of everybody, or only their own. */
    writeScope: text('write_scope', { enum: ['all', 'own'] })
      .notNull()
      .default('all'),
    /** When the one user accepted it; a share with a group needs none. */
    acceptedAt: instant('accepted_at'),
    expiresAt: instant('expires_at'),
    createdBy: text('created_by').notNull(),
    ...stamps,
  },
  (table) => [
    // This index also finds all shares of an account.
    uniqueIndex('shares_with_user').on(table.accountId, table.granteeUserId),
    uniqueIndex('shares_with_address')
      .on(table.emailKey, table.accountId)
      .where(sql`email_key IS NOT NULL`),
    uniqueIndex('shares_of_budget')
      .on(table.budgetId, table.granteeUserId)
      .where(sql`budget_id IS NOT NULL`),
    uniqueIndex('shares_of_budget_with_address')
      .on(table.budgetId, table.emailKey)
      .where(sql`budget_id IS NOT NULL`),
    uniqueIndex('shares_of_attachment')
      .on(table.attachmentId, table.granteeUserId)
      .where(sql`attachment_id IS NOT NULL`),
    uniqueIndex('shares_of_attachment_with_address')
      .on(table.attachmentId, table.emailKey)
      .where(sql`attachment_id IS NOT NULL`),
    // An account is shared with one group at most.
    uniqueIndex('shares_with_group')
      .on(table.accountId)
      .where(sql`group_id IS NOT NULL`),
    index('shares_of_grantee').on(table.granteeUserId, table.id),
    index('shares_of_group').on(table.groupId, table.accountId),
    index('shares_of_owner').on(table.ownerId, table.id),
    check(
      'shares_one_resource',
      sql`(account_id IS NULL) + (budget_id IS NULL) + (attachment_id IS NULL) = 2`,
    ),
    check('shares_accounts_with_groups', sql`group_id IS NULL OR account_id IS NOT NULL`),
    check(
      'shares_one_receiver',
      sql`(grantee_user_id IS NULL) + (group_id IS NULL) + (email_key IS NULL) = 2`,
    ),
    check('shares_accepted', sql`accepted_at IS NULL OR email_key IS NULL`),
    check('shares_not_with_owner', sql`grantee_user_id IS NOT owner_id`),
  ],
)

/** The settings of a receiver for an account of somebody else, however it is shared. */
export const accountChoices = sqliteTable(
  'account_choices',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** True if it counts in the receiver's own totals. */
    includeInTotals: flag('include_in_totals').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accountId] }),
    index('account_choices_of_account').on(table.accountId),
  ],
)
