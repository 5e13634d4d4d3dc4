import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { groups } from './groups.ts'
import { roles, sessions, users } from './system.ts'

/** Single-use refresh tokens, hashed. A spent one is kept so that its reuse is recognised. */
export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id),
    issuedAt: instant('issued_at').notNull(),
    spentAt: instant('spent_at'),
  },
  (table) => [index('refresh_tokens_of_session').on(table.sessionId)],
)

/**
 * Access tokens that a user gives to programs, hashed. Each is limited to its scopes and to what its owner
 * may do, whichever is less.
 */
export const personalAccessTokens = sqliteTable(
  'personal_access_tokens',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The first characters, to tell tokens apart by. */
    tokenPrefix: text('token_prefix').notNull(),
    /** JSON array of permissions and shorthands. */
    scopes: text('scopes').notNull(),
    /** JSON array of the accounts it is restricted to; null for all that its owner sees. */
    accountIds: text('account_ids'),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    ...stamps,
  },
  (table) => [index('personal_access_tokens_of_user').on(table.userId)],
)

export const inviteCodes = sqliteTable(
  'invite_codes',
  {
    id: id(),
    codeHash: text('code_hash').notNull().unique(),
    /** The first characters, to tell codes apart by. */
    codePrefix: text('code_prefix').notNull().default(''),
    /** Role granted on joining, besides `user`. */
    roleId: text('role_id').references(() => roles.id),
    maxUses: integer('max_uses').notNull(),
    uses: integer('uses').notNull().default(0),
    expiresAt: instant('expires_at'),
    /** Null for the operator's own, which no user has issued. */
    issuedBy: text('issued_by').references(() => users.id),
    /** Codes of an administrator work even while registration is closed. */
    byAdministrator: flag('by_administrator').notNull().default(true),
    /** The group that whoever registers with it joins, and as what. */
    groupId: text('group_id').references(() => groups.id),
    groupRole: text('group_role', { enum: ['admin', 'member', 'viewer'] }),
    note: text('note').notNull().default(''),
    revokedAt: instant('revoked_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull().default(0),
    version: integer('version').notNull().default(1),
  },
  (table) => [
    index('invite_codes_of_issuer').on(table.issuedBy),
    index('invite_codes_of_group').on(table.groupId),
  ],
)

/** The users who have joined by each code. */
export const inviteRedemptions = sqliteTable(
  'invite_redemptions',
  {
    inviteId: text('invite_id')
      .notNull()
      .references(() => inviteCodes.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    redeemedAt: instant('redeemed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.inviteId, table.userId] }),
    index('invite_redemptions_of_user').on(table.userId),
  ],
)

/** The tokens in mails that prove that an address was reached, hashed; each works once. */
export const oneTimeTokens = sqliteTable(
  'one_time_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', {
      enum: ['passwordReset', 'emailVerification', 'emailChange'],
    }).notNull(),
    /** Null where nobody has the address that asked: such a row is written for the sake of its cost. */
    userId: text('user_id').references(() => users.id),
    /**
     * Set for a token that was shown to somebody other than its user: JSON of the users it was shown to (`shownTo`),
     * and of the permissions of its user then (`permissions`). The token is valid only while the user has no further
     * permissions, and while those users could still make it.
     */
    permitted: text('permitted'),
    /** The address that `emailChange` is about. */
    email: text('email'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('one_time_tokens_of_user').on(table.userId),
    index('one_time_tokens_by_expiry').on(table.expiresAt),
  ],
)

/** A second factor; it counts once it is confirmed. */
export const mfaFactors = sqliteTable('mfa_factors', {
  id: id(),
  userId: text('user_id')
    .notNull()
    .unique()
    .references(() => users.id),
  /** The TOTP secret in base 32, sealed. */
  seed: text('seed').notNull(),
  createdAt: instant('created_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The last time step of which a code was taken: no code works twice. */
  lastStep: integer('last_step').notNull().default(0),
})

/** Codes that stand in for the second factor, hashed; a used one is gone. */
export const mfaRecoveryCodes = sqliteTable(
  'mfa_recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

/** A sign-in whose password was right and whose second factor is awaited. */
export const mfaChallenges = sqliteTable(
  'mfa_challenges',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    tries: integer('tries').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('mfa_challenges_of_user').on(table.userId),
    index('mfa_challenges_by_expiry').on(table.expiresAt),
  ],
)
