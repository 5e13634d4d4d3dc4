import { z } from '@hono/zod-openapi'
import { integerField } from '../../../../http/fields.ts'

/** A code of the app, or a recovery code. */
export const mfaCode = z
  .string()
  .min(6)
  .max(40)
  .openapi({ description: 'Six-digit code of the app, or a recovery code.', example: '492039' })

/** The own password, to prove who one is. */
export const ownPassword = z
  .string()
  .max(1024)
  .openapi({ description: 'The password.', example: 'long enough to be only mine' })

/** Personal access tokens end with what ends sessions, unless this is sent. */
export const KEEP_TOKENS = 'Whether personal access tokens stay valid; by default they end.'

export const tokensEnded = integerField('Number of personal access tokens that ended.', 2)
