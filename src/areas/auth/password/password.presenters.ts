import type { z } from '@hono/zod-openapi'
import { tellEnded } from '../sessions/sessions.presenters.ts'
import type { PasswordSetResponse } from './password.schemas.ts'

interface Ended {
  tokensEnded: number
}

export const presentChanged = ({ tokensEnded }: Ended): z.infer<typeof PasswordSetResponse> => ({
  message: `The password was changed; other sessions have ended. ${tellEnded(tokensEnded)}`,
  tokensEnded,
})

export const presentReset = ({ tokensEnded }: Ended): z.infer<typeof PasswordSetResponse> => ({
  message: `The password was set; sign in with it. ${tellEnded(tokensEnded)}`,
  tokensEnded,
})
