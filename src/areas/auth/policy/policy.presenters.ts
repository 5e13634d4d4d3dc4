import type { z } from '@hono/zod-openapi'
import type { Context } from '../../../platform/context.ts'
import { LEAST_LENGTH, LEAST_LENGTH_WITH_MFA, MOST_LENGTH } from '../auth.rules.ts'
import type { RegistrationPolicyResponse } from './policy.schemas.ts'

export const presentPolicy = ({
  registration,
}: Context['settings']): z.infer<typeof RegistrationPolicyResponse> => ({
  mode: registration,
  password: {
    minLength: LEAST_LENGTH,
    minLengthWithMfa: LEAST_LENGTH_WITH_MFA,
    maxLength: MOST_LENGTH,
  },
})
