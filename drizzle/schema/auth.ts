import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant } from '../columns.ts'
import { roles, sessions } from './system.ts'

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
