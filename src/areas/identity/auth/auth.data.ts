import { eq, sql } from 'drizzle-orm'
import {
  mfaChallenges,
  mfaFactors,
  mfaRecoveryCodes,
  oneTimeTokens,
  refreshTokens,
} from '../../../../drizzle/schema/auth.ts'
import { sessions, userRoles, users } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { forgetBy, type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { freedAddress } from '../addresses/addresses.public.ts'
import { deletePersonalTokensOf, endSignInsOf } from './sessions/sessions.queries.ts'

const KEEP_ENDED_SESSIONS_MS = 30 * 24 * 60 * 60 * 1000

/** Always another version, also of who was closed before: whoever is about to restore it has seen an older one. */
const close = (ctx: Context, userId: string): Statement[] => [
  db
    .update(users)
    .set({ status: 'deleted', version: sql`${users.version} + 1`, updatedAt: ctx.now })
    .where(eq(users.id, userId)),
  ...endSignInsOf(ctx, userId),
  deletePersonalTokensOf(userId),
]

/** The row goes, too, unless somebody joined by an invite of theirs: then one without a person in it stays. */
const forgetUser = ({ now }: Context, userId: string): Statement[] => [
  db
    .update(users)
    .set({
      ...freedAddress(userId),
      name: '',
      nameKey: '',
      passwordHash: null,
      passwordChangedAt: null,
      passwordNeedsMfa: false,
      baseCurrency: 'EUR',
      locale: 'en',
      timeZone: 'UTC',
      status: 'deleted',
      emailVerifiedAt: null,
      mfaEnabledAt: null,
      deletionDueAt: null,
      version: sql`${users.version} + 1`,
      updatedAt: now,
    })
    .where(eq(users.id, userId)),
  db.run(sql`DELETE FROM users WHERE id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM invite_codes v WHERE v.issued_by = ${userId})`),
]

export const authData: OwnedData = {
  area: 'auth',
  tables: [
    ...[users, userRoles, sessions, refreshTokens],
    ...[oneTimeTokens, mfaFactors, mfaRecoveryCodes, mfaChallenges],
  ],
  erase: [ownRows('sessions', sessions, { limit: 20, referredToBy: [refreshTokens.sessionId] })],
  close,
  // The tokens of sessions that ended long ago.
  purge: ({ now }) => [
    db.run(sql`DELETE FROM refresh_tokens WHERE session_id IN (SELECT id FROM sessions
      WHERE min(ifnull(revoked_at, idle_expires_at), idle_expires_at, absolute_expires_at)
        < ${now - KEEP_ENDED_SESSIONS_MS})`),
  ],
  forget: (ctx, userId) => [
    ...forgetBy(userRoles.userId, mfaFactors.userId, mfaRecoveryCodes.userId)(ctx, userId),
    ...forgetBy(oneTimeTokens.userId)(ctx, userId),
    ...forgetUser(ctx, userId),
  ],
}
