import type { z } from '@hono/zod-openapi'
import type { MessageResponse } from '../../../http/fields.ts'
import { tellEnded } from '../sessions/sessions.presenters.ts'
import type { Confirmed } from './email.usecases.ts'

export const presentConfirmed = ({
  isNewAddress,
  tokensEnded,
}: Confirmed): z.infer<typeof MessageResponse> => ({
  message: isNewAddress
    ? `The new address is confirmed; sign in with it. ${tellEnded(tokensEnded)}`
    : 'The address is confirmed.',
})
