import { settingsOf } from '../../../env.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentPolicy } from './policy.presenters.ts'
import { RegistrationPolicyResponse } from './policy.schemas.ts'

export const policyRoutes = newArea()

export const getRegistrationPolicy = defineRoute('public', {
  method: 'get',
  path: '/auth/registration-policy',
  operationId: 'getRegistrationPolicy',
  summary: 'Who may register, and what a password must be like',
  tags: ['Authentication'],
  responses: { 200: json(RegistrationPolicyResponse, 'What registration needs') },
})
policyRoutes.openapi(getRegistrationPolicy, (c) => c.json(presentPolicy(settingsOf(c.env)), 200))
