import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { IdentityProviderTestResponse, presentTest } from './checks.contract.ts'
import * as checks from './checks.usecases.ts'

export const testIdentityProvider = operation(
  'identityProviders.write',
  {
    method: 'post',
    path: '/admin/identity-providers/{id}/test',
    operationId: 'testIdentityProvider',
    summary: 'Test an identity provider',
    tags: ['Identity providers'],
    request: { params: pathId('idp', 'identity provider') },
    responses: { 200: json(IdentityProviderTestResponse, 'The results of the checks') },
  },
  (c) =>
    answer(c, 200, presentTest, (ctx) =>
      checks.testIdentityProvider(ctx, c.req.valid('param').id, new URL(c.req.url).origin),
    ),
)
