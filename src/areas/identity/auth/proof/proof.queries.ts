import { and, eq, type SQL, sql } from 'drizzle-orm'
import { sessions, users } from '../../../../../drizzle/schema/system.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db } from '../../../../platform/statements.ts'
import { livingTokens } from '../sessions/sessions.queries.ts'

/** What the caller can prove who they are with, and since when the session is signed in. */
export const ownCredentials = (ctx: SignedIn) =>
  db
    .select({
      passwordHash: users.passwordHash,
      passwordNeedsMfa: users.passwordNeedsMfa,
      signedInAt: sessions.createdAt,
      tokens: livingTokens(ctx, ctx.caller.userId).as('tokens'),
    })
    .from(users)
    .innerJoin(
      sessions,
      and(eq(sessions.userId, users.id), eq(sessions.id, ctx.caller.sessionId ?? '')),
    )
    .where(eq(users.id, ctx.caller.userId))

export type OwnCredentials = Awaited<ReturnType<typeof ownCredentials>>[number]

/**
 * What must hold for a try to be counted. Whoever holds a token of a session that has ended uses up no tries of its user.
 * @param isFirst see `isNotAnswered`
 */
export const isTry = ({ caller }: SignedIn, isFirst: SQL): SQL =>
  sql`${isFirst} AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = ${caller.sessionId} AND s.user_id = ${caller.userId}
    AND s.revoked_at IS NULL)`
