import { z } from '@hono/zod-openapi'
import { instant, toInstant } from '../../../../http/fields.ts'
import type { ResetCode } from './credentials.usecases.ts'

export const ResetUserPasswordRequest = z
  .strictObject({
    delivery: z.enum(['mail', 'reveal']).openapi({
      description:
        '`mail` sends the code to the user, good for an hour; `reveal` answers it, good for a day, where no mail is sent.',
      example: 'mail',
    }),
  })
  .openapi('ResetUserPasswordRequest')

export const ResetUserPasswordResponse = z
  .object({
    token: z.string().nullable().openapi({
      description: 'For POST /auth/password/reset; null when it is mailed. Shown this once.',
      example: null,
    }),
    expiresAt: instant('Until when the code is good.'),
  })
  .openapi('ResetUserPasswordResponse')

export const presentReset = ({
  token,
  expiresAt,
}: ResetCode): z.infer<typeof ResetUserPasswordResponse> => ({
  token,
  expiresAt: toInstant(expiresAt),
})
