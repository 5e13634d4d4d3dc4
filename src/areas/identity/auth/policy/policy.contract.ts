import { z } from '@hono/zod-openapi'
import { integerField, booleanField } from '../../../../http/fields.ts'
import { LEAST_LENGTH, LEAST_LENGTH_WITH_MFA, MOST_LENGTH } from '../auth.rules.ts'
import type { Policy } from './policy.queries.ts'

export const RegistrationPolicyResponse = z
  .object({
    mode: z.enum(['open', 'invite', 'closed']).openapi({
      description:
        'Who may register: everybody, holders of an invite code, or holders of an administrator’s.',
      example: 'invite',
    }),
    password: z
      .object({
        minLength: integerField('Fewest characters.', 15),
        minLengthWithMfa: integerField('Fewest characters of a user whose second factor is on.', 8),
        maxLength: integerField('Most characters.', 128),
      })
      .openapi({
        description: 'Length only; what is easy to guess or personal is refused besides.',
      }),
    identityProviders: booleanField(
      'Whether identity providers sign users in; GET /auth/provider names those of an address.',
      false,
    ),
  })
  .openapi('RegistrationPolicyResponse')

export const presentPolicy = ({
  mode,
  hasProviders,
}: Policy): z.infer<typeof RegistrationPolicyResponse> => ({
  mode,
  password: {
    minLength: LEAST_LENGTH,
    minLengthWithMfa: LEAST_LENGTH_WITH_MFA,
    maxLength: MOST_LENGTH,
  },
  identityProviders: hasProviders === 1,
})
