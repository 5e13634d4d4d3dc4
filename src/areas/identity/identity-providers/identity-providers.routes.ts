import { z } from '@hono/zod-openapi'
import { answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { IdentityProviderTestResponse, presentTest } from './checks/checks.contract.ts'
import * as checks from './checks/checks.usecases.ts'
import {
  IdentityProviderRequest,
  IdentityProviderResponse,
  presentProvider,
  presentProviders,
} from './identity-providers.contract.ts'
import * as identityProviders from './identity-providers.usecases.ts'

const params = pathId('idp', 'identity provider')

export const listIdentityProviders = operation({
  access: 'identityProviders.read',
  on: 'GET /admin/identity-providers',
  summary: 'List identity providers',
  tag: 'Identity providers',
  responses: { 200: json(z.array(IdentityProviderResponse), 'The identity providers') },
  run: (ctx) => identityProviders.listIdentityProviders(ctx),
  present: presentProviders,
})

export const createIdentityProvider = operation({
  access: 'identityProviders.write',
  on: 'POST /admin/identity-providers',
  summary: 'Add an identity provider for an e-mail domain',
  tag: 'Identity providers',
  request: jsonRequest(IdentityProviderRequest),
  responses: { 201: json(IdentityProviderResponse, 'The new identity provider') },
  run: (ctx, { body }) => identityProviders.createIdentityProvider(ctx, body),
  present: presentProvider,
})

export const getIdentityProvider = operation({
  access: 'identityProviders.read',
  on: 'GET /admin/identity-providers/{id}',
  summary: 'Get an identity provider',
  tag: 'Identity providers',
  request: { params },
  responses: { 200: json(IdentityProviderResponse, 'The identity provider') },
  run: (ctx, { params }) => identityProviders.getIdentityProvider(ctx, params.id),
  present: presentProvider,
})

export const updateIdentityProvider = operation({
  access: 'identityProviders.write',
  on: 'PUT /admin/identity-providers/{id}',
  summary: 'Update an identity provider',
  tag: 'Identity providers',
  versioned: true,
  request: { params, ...jsonRequest(IdentityProviderRequest) },
  responses: { 200: json(IdentityProviderResponse, 'The identity provider as it is now') },
  run: (ctx, { params, body }) => identityProviders.updateIdentityProvider(ctx, params.id, body),
  present: presentProvider,
})

export const deleteIdentityProvider = operation(
  {
    access: 'identityProviders.write',
    on: 'DELETE /admin/identity-providers/{id}',
    summary: 'Delete an identity provider',
    tag: 'Identity providers',
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The identity provider was deleted' } },
  },
  (c) =>
    answerNothing(c, (ctx) =>
      identityProviders.deleteIdentityProvider(ctx, c.req.valid('param').id),
    ),
)

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
