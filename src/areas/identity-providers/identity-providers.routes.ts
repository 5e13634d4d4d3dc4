import { z } from '@hono/zod-openapi'
import { answer, answerNothing } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentProvider, presentProviders } from './identity-providers.presenters.ts'
import { IdentityProviderRequest, IdentityProviderResponse } from './identity-providers.schemas.ts'
import {
  addProvider,
  changeProvider,
  findProvider,
  findProviders,
  removeProvider,
} from './identity-providers.usecases.ts'

export const identityProviderRoutes = newArea()

const params = pathId('idp', 'identity provider')

export const listIdentityProviders = defineRoute('identityProviders.read', {
  method: 'get',
  path: '/admin/identity-providers',
  operationId: 'listIdentityProviders',
  summary: 'Every identity provider, by name; secrets are masked',
  tags: ['Identity providers'],
  responses: { 200: json(z.array(IdentityProviderResponse), 'The identity providers') },
})
identityProviderRoutes.openapi(listIdentityProviders, (c) =>
  answer(c, 200, presentProviders, findProviders),
)

export const createIdentityProvider = defineRoute('identityProviders.write', {
  method: 'post',
  path: '/admin/identity-providers',
  operationId: 'createIdentityProvider',
  summary: 'Add an identity provider for an e-mail domain',
  tags: ['Identity providers'],
  request: jsonRequest(IdentityProviderRequest),
  responses: { 201: json(IdentityProviderResponse, 'The new identity provider') },
})
identityProviderRoutes.openapi(createIdentityProvider, (c) =>
  answer(c, 201, presentProvider, (ctx) => addProvider(ctx, c.req.valid('json'))),
)

export const getIdentityProvider = defineRoute('identityProviders.read', {
  method: 'get',
  path: '/admin/identity-providers/{id}',
  operationId: 'getIdentityProvider',
  summary: 'One identity provider; its secret is masked',
  tags: ['Identity providers'],
  request: { params },
  responses: { 200: json(IdentityProviderResponse, 'The identity provider') },
  errors: [404],
})
identityProviderRoutes.openapi(getIdentityProvider, (c) =>
  answer(c, 200, presentProvider, (ctx) => findProvider(ctx, c.req.valid('param').id)),
)

export const updateIdentityProvider = defineRoute('identityProviders.write', {
  method: 'put',
  path: '/admin/identity-providers/{id}',
  operationId: 'updateIdentityProvider',
  summary: 'Change an identity provider; optional fields that are left out stay',
  tags: ['Identity providers'],
  versioned: true,
  request: { params, ...jsonRequest(IdentityProviderRequest) },
  responses: { 200: json(IdentityProviderResponse, 'The identity provider as it is now') },
  errors: [404],
})
identityProviderRoutes.openapi(updateIdentityProvider, (c) =>
  answer(c, 200, presentProvider, (ctx) =>
    changeProvider(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteIdentityProvider = defineRoute('identityProviders.write', {
  method: 'delete',
  path: '/admin/identity-providers/{id}',
  operationId: 'deleteIdentityProvider',
  summary: 'Delete an identity provider; nobody can sign in with it any more',
  tags: ['Identity providers'],
  versioned: true,
  request: { params },
  responses: { 204: { description: 'The identity provider is gone' } },
  errors: [404],
})
identityProviderRoutes.openapi(deleteIdentityProvider, (c) =>
  answerNothing(c, (ctx) => removeProvider(ctx, c.req.valid('param').id)),
)
