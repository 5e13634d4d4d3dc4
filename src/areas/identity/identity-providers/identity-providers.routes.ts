import { z } from '@hono/zod-openapi'
import { answer, answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  IdentityProviderRequest,
  IdentityProviderResponse,
  presentProvider,
  presentProviders,
} from './identity-providers.contract.ts'
import * as identityProviders from './identity-providers.usecases.ts'

const params = pathId('idp', 'identity provider')

export const listIdentityProviders = operation(
  'identityProviders.read',
  {
    method: 'get',
    path: '/admin/identity-providers',
    operationId: 'listIdentityProviders',
    summary: 'List identity providers',
    tags: ['Identity providers'],
    responses: { 200: json(z.array(IdentityProviderResponse), 'The identity providers') },
  },
  (c) => answer(c, 200, presentProviders, identityProviders.listIdentityProviders),
)

export const createIdentityProvider = operation(
  'identityProviders.write',
  {
    method: 'post',
    path: '/admin/identity-providers',
    operationId: 'createIdentityProvider',
    summary: 'Add an identity provider for an e-mail domain',
    tags: ['Identity providers'],
    request: jsonRequest(IdentityProviderRequest),
    responses: { 201: json(IdentityProviderResponse, 'The new identity provider') },
  },
  (c) =>
    answer(c, 201, presentProvider, (ctx) =>
      identityProviders.createIdentityProvider(ctx, c.req.valid('json')),
    ),
)

export const getIdentityProvider = operation(
  'identityProviders.read',
  {
    method: 'get',
    path: '/admin/identity-providers/{id}',
    operationId: 'getIdentityProvider',
    summary: 'Get an identity provider',
    tags: ['Identity providers'],
    request: { params },
    responses: { 200: json(IdentityProviderResponse, 'The identity provider') },
  },
  (c) =>
    answer(c, 200, presentProvider, (ctx) =>
      identityProviders.getIdentityProvider(ctx, c.req.valid('param').id),
    ),
)

export const updateIdentityProvider = operation(
  'identityProviders.write',
  {
    method: 'put',
    path: '/admin/identity-providers/{id}',
    operationId: 'updateIdentityProvider',
    summary: 'Update an identity provider',
    tags: ['Identity providers'],
    versioned: true,
    request: { params, ...jsonRequest(IdentityProviderRequest) },
    responses: { 200: json(IdentityProviderResponse, 'The identity provider as it is now') },
  },
  (c) =>
    answer(c, 200, presentProvider, (ctx) =>
      identityProviders.updateIdentityProvider(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteIdentityProvider = operation(
  'identityProviders.write',
  {
    method: 'delete',
    path: '/admin/identity-providers/{id}',
    operationId: 'deleteIdentityProvider',
    summary: 'Delete an identity provider',
    tags: ['Identity providers'],
    versioned: true,
    request: { params },
    responses: { 204: { description: 'The identity provider was deleted' } },
  },
  (c) =>
    answerNothing(c, (ctx) =>
      identityProviders.deleteIdentityProvider(ctx, c.req.valid('param').id),
    ),
)
