import { z } from '@hono/zod-openapi'
import { whole, yes } from '../../../http/fields.ts'

export const RegistrationPolicyResponse = z
  .object({
    mode: z.enum(['open', 'invite', 'closed']).openapi({
      description:
        'Who may register: everybody, holders of an invite code, or holders of an administrator’s.',
      example: 'invite',
    }),
    password: z
      .object({
        minLength: whole('Fewest characters.', 15),
        minLengthWithMfa: whole('Fewest characters of a user whose second factor is on.', 8),
        maxLength: whole('Most characters.', 128),
      })
      .openapi({
        description: 'Length only; what is easy to guess or personal is refused besides.',
      }),
    identityProviders: yes(
      'Whether identity providers sign users in; GET /auth/provider names those of an address.',
      false,
    ),
  })
  .openapi('RegistrationPolicyResponse')
