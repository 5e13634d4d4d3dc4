import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentTest } from './checks.presenters.ts'
import { IdentityProviderTestResponse } from './checks.schemas.ts'
import { testProvider } from './checks.usecases.ts'

export const providerCheckRoutes = newArea()

export const testIdentityProvider = defineRoute('identityProviders.write', {
  method: 'post',
  path: '/admin/identity-providers/{id}/test',
  operationId: 'testIdentityProvider',
  summary: 'Check whether sign-ins with an identity provider can work; signs nobody in',
  tags: ['Identity providers'],
  request: { params: pathId('idp', 'identity provider') },
  responses: { 200: json(IdentityProviderTestResponse, 'What was found, good or bad') },
  errors: [404],
})
providerCheckRoutes.openapi(testIdentityProvider, (c) =>
  answer(c, 200, presentTest, (ctx) =>
    testProvider(ctx, c.req.valid('param').id, new URL(c.req.url).origin),
  ),
)
