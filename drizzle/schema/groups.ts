import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, instant, stamps } from '../columns.ts'
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
    /** The storage class of its new files; null for the default class. */
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
    /** The hash of the code that accepts it. */
    codeHash: text('code_hash').notNull().unique(),
    /** The first characters, to tell codes apart by. */
    codePrefix: text('code_prefix').notNull(),
    role: text('role', { enum: ['admin', 'member', 'viewer'] }).notNull(),
    /** The address that it was mailed to; null for a code that is handed over. */
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
