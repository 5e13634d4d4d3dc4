import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant } from '../columns.ts'
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

export const inviteCodes = sqliteTable('invite_codes', {
  id: id(),
  codeHash: text('code_hash').notNull().unique(),
  /** Role granted on joining, besides `user`. */
  roleId: text('role_id').references(() => roles.id),
  maxUses: integer('max_uses').notNull(),
  uses: integer('uses').notNull().default(0),
  expiresAt: instant('expires_at'),
  createdAt: instant('created_at').notNull(),
})

/** What a mail carries to prove that its address was reached, hashed; each works once. */
export const oneTimeTokens = sqliteTable(
  'one_time_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', { enum: ['passwordReset', 'emailVerification'] }).notNull(),
    /** Null where nobody has the address that asked: such a row is written for the sake of its cost. */
    userId: text('user_id').references(() => users.id),
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
