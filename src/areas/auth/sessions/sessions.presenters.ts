import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import type { SessionRow } from './sessions.queries.ts'
import type { ListSessionsResponse, SignedOutResponse } from './sessions.schemas.ts'

export const presentSessions = (
  { rows, count, nextCursor }: Listed<SessionRow>,
  { caller }: SignedIn,
): z.infer<typeof ListSessionsResponse> => ({
  sessions: rows.map(({ id, userAgent, ip, createdAt, lastUsedAt, ...ends }) => ({
    id,
    userAgent,
    ip,
    current: id === caller.sessionId,
    createdAt: toInstant(createdAt),
    lastUsedAt: toInstant(lastUsedAt),
    expiresAt: toInstant(Math.min(ends.idleExpiresAt, ends.absoluteExpiresAt)),
  })),
  count,
  nextCursor,
})

export const presentSignedOut = ({
  tokensEnded,
}: {
  tokensEnded: number
}): z.infer<typeof SignedOutResponse> => ({
  message: `Signed out everywhere. ${tellEnded(tokensEnded)}`,
  tokensEnded,
})

/** For people: how many personal access tokens ended. */
export const tellEnded = (count: number): string =>
  count === 1 ? '1 personal access token ended.' : `${count} personal access tokens ended.`
