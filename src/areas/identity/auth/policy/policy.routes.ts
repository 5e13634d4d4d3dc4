import { answerAnyone } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentPolicy, RegistrationPolicyResponse } from './policy.contract.ts'
import * as policy from './policy.usecases.ts'

export const getRegistrationPolicy = operation(
  'public',
  {
    method: 'get',
    path: '/auth/registration-policy',
    operationId: 'getRegistrationPolicy',
    summary: 'Get the registration policy',
    tags: ['Authentication'],
    responses: { 200: json(RegistrationPolicyResponse, 'The requirements for registration') },
  },
  (c) => answerAnyone(c, 200, presentPolicy, policy.getRegistrationPolicy),
)
