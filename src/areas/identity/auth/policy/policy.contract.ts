import { z } from '@hono/zod-openapi'
import { integerField, booleanField } from '../../../../http/fields.ts'
import { LEAST_LENGTH, LEAST_LENGTH_WITH_MFA, MOST_LENGTH } from '../auth.rules.ts'
import type { Policy } from './policy.queries.ts'

export const RegistrationPolicyResponse = z
  .object({
    mode: z.enum(['open', 'invite', 'closed']).openapi({
      description:
        'Who may register: everybody (`open`), holders of any invite code (`invite`), or only holders of a code from an administrator (`closed`).',
      example: 'invite',
    }),
    password: z
      .object({
        minLength: integerField('Minimum number of characters.', 15),
        minLengthWithMfa: integerField(
          'Minimum number of characters for a user whose second factor is on.',
          8,
        ),
        maxLength: integerField('Maximum number of characters.', 128),
      })
      .openapi({
        description:
          'Limits of the length. Passwords that are easy to guess or contain personal data are refused as well.',
      }),
    identityProviders: booleanField(
      'Whether users can sign in with identity providers. GET /auth/provider finds those for an address.',
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
