import { z } from '@hono/zod-openapi'
import { email } from '../auth.schemas.ts'
import { oneTimeToken } from '../password/password.schemas.ts'

export const VerifyEmailRequest = z
  .strictObject({ token: oneTimeToken.openapi({ example: 'emv_…' }) })
  .openapi('VerifyEmailRequest')

export const ChangeEmailRequest = z
  .strictObject({
    email: email.openapi({ description: 'The new e-mail address.', example: 'ada@example.org' }),
    password: z
      .string()
      .max(1024)
      .openapi({ description: 'The password.', example: 'long enough to be only mine' }),
  })
  .openapi('ChangeEmailRequest')
