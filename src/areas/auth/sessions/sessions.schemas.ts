import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  instant,
  MessageResponse,
  nextCursor,
  yes,
  yesInQuery,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { KEEP_TOKENS, tokensEnded } from '../proof/proof.schemas.ts'

export const ListSessionsQuery = z.strictObject(pageQuery())

const SessionResponse = z
  .object({
    id: id('ses', 'Id of the session.'),
    userAgent: z
      .string()
      .nullable()
      .openapi({ description: 'What the device called itself.', example: 'Mozilla/5.0 (X11…' }),
    ip: z
      .string()
      .nullable()
      .openapi({ description: 'The address that signed in, where known.', example: '203.0.113.7' }),
    current: yes('Whether this request came with it.', true),
    createdAt: instant('When it was signed in.'),
    lastUsedAt: instant('When it last got new tokens.'),
    expiresAt: instant('When it ends, if it is not used before.'),
  })
  .openapi('SessionResponse')

export const ListSessionsResponse = z
  .object({
    sessions: z.array(SessionResponse).openapi({ description: 'One page, last used first.' }),
    count,
    nextCursor,
  })
  .openapi('ListSessionsResponse')

export const LogoutAllQuery = z.strictObject({
  keepTokens: yesInQuery(KEEP_TOKENS, true).optional(),
})

export const SignedOutResponse = MessageResponse.extend({ tokensEnded }).openapi(
  'SignedOutResponse',
)
