import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  instant,
  MessageResponse,
  nextCursor,
  toInstant,
  booleanField,
  yesInQuery,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { KEEP_TOKENS, tokensEnded } from '../credentials/proof.contract.ts'
import type { SessionRow } from './sessions.queries.ts'

export const ListSessionsQuery = z.strictObject(pageQuery())

const SessionResponse = z
  .object({
    id: id('ses', 'Id of the session.'),
    userAgent: z
      .string()
      .nullable()
      .openapi({ description: 'User agent of the device.', example: 'Mozilla/5.0 (X11…' }),
    ip: z
      .string()
      .nullable()
      .openapi({ description: 'IP address of the sign-in, if known.', example: '203.0.113.7' }),
    current: booleanField('Whether this request belongs to the session.', true),
    createdAt: instant('Time of the sign-in.'),
    lastUsedAt: instant('Time at which the tokens were last refreshed.'),
    expiresAt: instant('Time at which the session ends if it is not used before.'),
  })
  .openapi('SessionResponse')

export const SessionsResponse = z
  .object({
    sessions: z
      .array(SessionResponse)
      .openapi({ description: 'One page of the list, last used first.' }),
    count,
    nextCursor,
  })
  .openapi('SessionsResponse')

export const LogoutAllQuery = z.strictObject({
  keepTokens: yesInQuery(KEEP_TOKENS, true).optional(),
})

export const SignedOutResponse = MessageResponse.extend({ tokensEnded }).openapi(
  'SignedOutResponse',
)

export const presentSessions = (
  { rows, count, nextCursor }: Listed<SessionRow>,
  { caller }: SignedIn,
): z.infer<typeof SessionsResponse> => ({
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
