import { z } from '@hono/zod-openapi'
import type { MessageResponse } from '../../../../http/fields.ts'
import { email } from '../auth.contract.ts'
import { oneTimeToken } from '../password/password.contract.ts'
import { tellEnded } from '../sessions/sessions.contract.ts'
import type { Confirmed } from './email.usecases.ts'

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

export const presentConfirmed = ({
  isNewAddress,
  tokensEnded,
}: Confirmed): z.infer<typeof MessageResponse> => ({
  message: isNewAddress
    ? `The new address is confirmed; sign in with it. ${tellEnded(tokensEnded)}`
    : 'The address is confirmed.',
})
