import { answerAnyone } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentPolicy } from './policy.presenters.ts'
import { RegistrationPolicyResponse } from './policy.schemas.ts'
import { findPolicy } from './policy.usecases.ts'

export const policyRoutes = newArea()

export const getRegistrationPolicy = defineRoute('public', {
  method: 'get',
  path: '/auth/registration-policy',
  operationId: 'getRegistrationPolicy',
  summary: 'Who may register, what a password must be like, and whether others can sign users in',
  tags: ['Authentication'],
  responses: { 200: json(RegistrationPolicyResponse, 'What registration needs') },
})
policyRoutes.openapi(getRegistrationPolicy, (c) => answerAnyone(c, 200, presentPolicy, findPolicy))
