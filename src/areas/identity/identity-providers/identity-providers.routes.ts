import { z } from '@hono/zod-openapi'
import { answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { answerBrowser } from '../../../http/redirect.ts'
import { MfaChallengeResponse, presentLogin, TokenResponse } from '../auth/auth.public.ts'
import {
  IdentityProviderRequest,
  IdentityProviderResponse,
  presentProvider,
  presentProviders,
  IdentityProviderTestResponse,
  presentTest,
  IdentityResponse,
  LinkIdentityRequest,
  IdentitiesResponse,
  presentIdentities,
  presentIdentity,
  AuthorizeQuery,
  CallbackQuery,
  ExchangeCodeRequest,
  ProvidersForEmailResponse,
  ProvidersQuery,
  SignInCodeResponse,
} from './identity-providers.contract.ts'
import * as identityProviders from './identity-providers.usecases.ts'
import * as identities from './identities.usecases.ts'
import * as exchange from './sign-in/exchange.usecases.ts'
import * as signIn from './sign-in/sign-in.usecases.ts'
import type { ConfirmedSignIn } from './sign-in/sign-in.usecases.ts'

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
    identityProviders.testIdentityProvider(ctx, params.id, new URL(c.req.url).origin),
  present: presentTest,
})

export const listIdentities = operation({
  access: 'profile.read',
  on: 'GET /auth/identity',
  summary: 'List own identities',
  responses: { 200: json(IdentitiesResponse, 'The identities') },
  run: (ctx) => identities.listIdentities(ctx),
  present: presentIdentities,
})

export const linkIdentity = operation({
  access: 'profile.write',
  on: 'POST /auth/identity',
  summary: 'Link an identity',
  request: jsonRequest(LinkIdentityRequest),
  responses: { 201: json(IdentityResponse, 'The identity is linked') },
  run: (ctx, { body }) => identities.linkIdentity(ctx, body.code),
  present: presentIdentity,
})

export const unlinkIdentity = operation(
  {
    access: 'profile.write',
    on: 'DELETE /auth/identity/{id}',
    summary: 'Unlink an identity',
    request: { params: pathId('ext', 'identity') },
    responses: { 204: { description: 'The identity was unlinked' } },
  },
  (c) => answerNothing(c, (ctx) => identities.unlinkIdentity(ctx, c.req.valid('param').id)),
)

export const findProviders = operation({
  access: 'public',
  on: 'GET /auth/provider',
  summary: 'Find identity providers',
  request: { query: ProvidersQuery },
  responses: { 200: json(ProvidersForEmailResponse, 'The identity providers') },
  run: (ctx, { query }) => signIn.findProviders(ctx, query.email),
  present: (providers: { id: string; name: string }[]) => ({ providers }),
})

export const authorizeWithProvider = operation(
  {
    access: 'public',
    on: 'GET /auth/provider/{id}/authorize',
    summary: 'Start signing in with a provider',
    writes: true,
    request: { params, query: AuthorizeQuery },
    responses: {
      302: { description: 'Redirect to the identity provider, with a cookie for the return' },
    },
    errors: [404, 429],
  },
  (c) =>
    answerBrowser(
      c,
      () => ({}),
      (ctx, visit) =>
        signIn.authorizeWithProvider(ctx, visit, {
          ...c.req.valid('param'),
          ...c.req.valid('query'),
        }),
    ),
)

export const returnFromProvider = operation(
  {
    access: 'public',
    on: 'GET /auth/provider/{id}/callback',
    summary: 'Return from an identity provider',
    writes: true,
    request: { params, query: CallbackQuery },
    responses: {
      200: json(SignInCodeResponse, 'The code, as no redirectUri was given'),
      302: { description: 'Redirect to redirectUri, with the code in its query' },
    },
    errors: [401, 403],
  },
  (c) =>
    answerBrowser(
      c,
      ({ code }: ConfirmedSignIn) => ({ code }),
      (ctx, visit) => signIn.returnFromProvider(ctx, visit, c.req.valid('param').id),
    ),
)

export const exchangeProviderCode = operation({
  access: 'public',
  on: 'POST /auth/provider/exchange',
  summary: 'Exchange a sign-in code for tokens',
  request: jsonRequest(ExchangeCodeRequest),
  responses: {
    200: json(
      z.union([TokenResponse, MfaChallengeResponse]),
      'Signed in, or a second factor is required',
    ),
  },
  errors: [401, 403],
  run: (ctx, { body }) => exchange.exchangeProviderCode(ctx, body.code),
  present: presentLogin,
})
