import { json, operation } from '../../../../http/route.ts'
import { presentPolicy, RegistrationPolicyResponse } from './policy.contract.ts'
import * as policy from './policy.usecases.ts'

export const getRegistrationPolicy = operation({
  access: 'public',
  on: 'GET /auth/registration-policy',
  summary: 'Get the registration policy',
  responses: { 200: json(RegistrationPolicyResponse, 'The requirements for registration') },
  run: (ctx) => policy.getRegistrationPolicy(ctx),
  present: presentPolicy,
})
