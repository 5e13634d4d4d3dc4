import type { z } from '@hono/zod-openapi'
import type { MessageResponse } from '../../../http/fields.ts'
import type { Confirmed } from './email.usecases.ts'

export const presentConfirmed = (confirmed: Confirmed): z.infer<typeof MessageResponse> => ({
  message:
    confirmed === 'changed'
      ? 'The new address is confirmed; sign in with it.'
      : 'The address is confirmed.',
})
