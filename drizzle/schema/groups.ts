import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { accounts } from './accounts.ts'
import { storageClasses } from './files.ts'
import { users } from './system.ts'

/** People who share accounts: a household, a trip. Who owns it stands among its members. */
export const groups = sqliteTable(
  'groups',
  {
    id: id(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['household', 'trip', 'project', 'other'] }).notNull(),
    baseCurrency: text('base_currency').notNull(),
    /** Where its new files go; null for the default class. */
    storageClassId: text('storage_class_id').references(() => storageClasses.id),
    /** Set by an administrator: nothing is shared through it meanwhile. */
    suspendedAt: instant('suspended_at'),
    ...stamps,
  },
  (table) => [index('groups_of_storage_class').on(table.storageClassId)],
)

export const groupMembers = sqliteTable(
  'group_members',
  {
    groupId: text('group_id')
      .notNull()
      .references(() => groups.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role', { enum: ['owner', 'admin', 'member', 'viewer'] }).notNull(),
    joinedAt: instant('joined_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    index('group_members_of_user').on(table.userId),
    uniqueIndex('group_members_owner')
      .on(table.groupId)
      .where(sql`role = 'owner'`),
  ],
)

/** Invitations into a group; each works once. */
export const groupInvites = sqliteTable(
  'group_invites',
  {
    id: id(),
    groupId: text('group_id')
      .notNull()
      .references(() => groups.id),
    /** Of the code that accepts it. */
    codeHash: text('code_hash').notNull().unique(),
    /** The first characters, to tell codes apart by. */
    codePrefix: text('code_prefix').notNull(),
    role: text('role', { enum: ['admin', 'member', 'viewer'] }).notNull(),
    /** Whom it was mailed to; null for a code that is handed over. */
    email: text('email'),
    emailKey: text('email_key'),
    invitedBy: text('invited_by')
      .notNull()
      .references(() => users.id),
    expiresAt: instant('expires_at').notNull(),
    acceptedBy: text('accepted_by').references(() => users.id),
    acceptedAt: instant('accepted_at'),
    declinedAt: instant('declined_at'),
    withdrawnAt: instant('withdrawn_at'),
    ...stamps,
  },
  (table) => [
    index('group_invites_of_group').on(table.groupId, table.id),
    index('group_invites_of_address')
      .on(table.emailKey)
      .where(sql`email_key IS NOT NULL`),
    index('group_invites_of_inviter').on(table.invitedBy),
    index('group_invites_of_accepter').on(table.acceptedBy),
  ],
)

/**
 * An account shared with one user, who has to accept it, or with all members of a group. Until it is accepted
 * it may be for whoever has an address, so that sharing does not tell who has one.
 */
export const shares = sqliteTable(
  'shares',
  {
    id: id(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Of the account. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    granteeUserId: text('grantee_user_id').references(() => users.id),
    groupId: text('group_id').references(() => groups.id),
    email: text('email'),
    emailKey: text('email_key'),
    permission: text('permission', { enum: ['view', 'annotate', 'write', 'manage'] }).notNull(),
    /** Whether who writes changes what others booked, too. */
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
    // Of all shares of an account, too.
    uniqueIndex('shares_with_user').on(table.accountId, table.granteeUserId),
    uniqueIndex('shares_with_address')
      .on(table.emailKey, table.accountId)
      .where(sql`email_key IS NOT NULL`),
    // An account is shared with one group at most.
    uniqueIndex('shares_with_group')
      .on(table.accountId)
      .where(sql`group_id IS NOT NULL`),
    index('shares_of_grantee').on(table.granteeUserId, table.id),
    index('shares_of_group').on(table.groupId, table.accountId),
    index('shares_of_owner').on(table.ownerId, table.id),
    check(
      'shares_one_receiver',
      sql`(grantee_user_id IS NULL) + (group_id IS NULL) + (email_key IS NULL) = 2`,
    ),
    check('shares_accepted', sql`accepted_at IS NULL OR email_key IS NULL`),
    check('shares_not_with_owner', sql`grantee_user_id IS NOT owner_id`),
  ],
)

/** What a receiver chose for an account of somebody else, however it is shared. */
export const accountChoices = sqliteTable(
  'account_choices',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Whether it counts in the receiver's own totals. */
    includeInTotals: flag('include_in_totals').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accountId] }),
    index('account_choices_of_account').on(table.accountId),
  ],
)
