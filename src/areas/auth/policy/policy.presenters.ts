import type { z } from '@hono/zod-openapi'
import { LEAST_LENGTH, LEAST_LENGTH_WITH_MFA, MOST_LENGTH } from '../auth.rules.ts'
import type { Policy } from './policy.queries.ts'
import type { RegistrationPolicyResponse } from './policy.schemas.ts'

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
