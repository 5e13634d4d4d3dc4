import { z } from '@hono/zod-openapi'
import { instant, toInstant } from '../../../../http/fields.ts'
import type { ResetCode } from './credentials.usecases.ts'

export const ResetUserPasswordRequest = z
  .strictObject({
    delivery: z.enum(['mail', 'reveal']).openapi({
      description:
        '`mail` mails the user a code that works for an hour. `reveal` shows the caller a code that works for a day, and sends no mail.',
      example: 'mail',
    }),
  })
  .openapi('ResetUserPasswordRequest')

export const PasswordResetResponse = z
  .object({
    token: z.string().nullable().openapi({
      description:
        'Code for POST /auth/password/reset, which is shown only once; null if it was mailed.',
      example: null,
    }),
    expiresAt: instant('Time at which the code expires.'),
  })
  .openapi('PasswordResetResponse')

export const presentReset = ({
  token,
  expiresAt,
}: ResetCode): z.infer<typeof PasswordResetResponse> => ({
  token,
  expiresAt: toInstant(expiresAt),
})
