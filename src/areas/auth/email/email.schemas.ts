import { z } from '@hono/zod-openapi'
import { oneTimeToken } from '../password/password.schemas.ts'

export const VerifyEmailRequest = z
  .strictObject({ token: oneTimeToken.openapi({ example: 'emv_…' }) })
  .openapi('VerifyEmailRequest')
