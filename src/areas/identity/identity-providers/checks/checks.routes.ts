import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { IdentityProviderTestResponse, presentTest } from './checks.contract.ts'
import * as checks from './checks.usecases.ts'

export const testIdentityProvider = operation({
  access: 'identityProviders.write',
  on: 'POST /admin/identity-providers/{id}/test',
  summary: 'Test an identity provider',
  tag: 'Identity providers',
  request: { params: pathId('idp', 'identity provider') },
  responses: { 200: json(IdentityProviderTestResponse, 'The results of the checks') },
  run: (ctx, { params, c }) =>
    checks.testIdentityProvider(ctx, params.id, new URL(c.req.url).origin),
  present: presentTest,
})
