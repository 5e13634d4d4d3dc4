import { z } from '@hono/zod-openapi'
import { pathId } from '../../../../http/fields.ts'
import { answerBrowser } from '../../../../http/redirect.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { MfaChallengeResponse, presentLogin, TokenResponse } from '../../auth/auth.public.ts'
import {
  AuthorizeQuery,
  CallbackQuery,
  ExchangeCodeRequest,
  ProvidersForEmailResponse,
  ProvidersQuery,
  SignInCodeResponse,
} from './sign-in.contract.ts'
import * as exchange from './exchange.usecases.ts'
import * as signIn from './sign-in.usecases.ts'
import type { Confirmed } from './sign-in.usecases.ts'

const params = pathId('idp', 'identity provider')

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
      ({ code }: Confirmed) => ({ code }),
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
