import { z } from '@hono/zod-openapi'
import { MessageResponse, booleanField } from '../../../../http/fields.ts'
import { email, password } from '../auth.contract.ts'
import { KEEP_TOKENS, tokensEnded } from './proof.contract.ts'
import { tellEnded } from '../sessions/sessions.contract.ts'
import type { EmailConfirmation } from './email.usecases.ts'

export const ChangePasswordRequest = z
  .strictObject({
    currentPassword: z
      .string()
      .max(1024)
      .openapi({ description: 'The current password.', example: 'long enough to be only mine' }),
    newPassword: password.openapi({ example: 'another one that is long enough' }),
    keepTokens: booleanField(KEEP_TOKENS, false).optional(),
  })
  .openapi('ChangePasswordRequest')

export const PasswordSetResponse = MessageResponse.extend({ tokensEnded }).openapi(
  'PasswordSetResponse',
)

export const ForgotPasswordRequest = z.strictObject({ email }).openapi('ForgotPasswordRequest')

/** The code of a mail, as a request names it. */
const oneTimeToken = z.string().min(1).max(200).openapi({
  description: 'The complete code from the mail. It works once.',
  example: 'pwr_…',
})

export const ResetPasswordRequest = z
  .strictObject({ token: oneTimeToken, password })
  .openapi('ResetPasswordRequest')

interface Ended {
  tokensEnded: number
}

export const presentChanged = ({ tokensEnded }: Ended): z.infer<typeof PasswordSetResponse> => ({
  message: `The password was changed; other sessions have ended. ${tellEnded(tokensEnded)}`,
  tokensEnded,
})

export const presentPasswordReset = ({
  tokensEnded,
}: Ended): z.infer<typeof PasswordSetResponse> => ({
  message: `The password was set; sign in with it. ${tellEnded(tokensEnded)}`,
  tokensEnded,
})

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
}: EmailConfirmation): z.infer<typeof MessageResponse> => ({
  message: isNewAddress
    ? `The new address is confirmed; sign in with it. ${tellEnded(tokensEnded)}`
    : 'The address is confirmed.',
})
