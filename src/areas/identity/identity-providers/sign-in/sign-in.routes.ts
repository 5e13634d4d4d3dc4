import { z } from '@hono/zod-openapi'
import { answerAnyone } from '../../../../http/answer.ts'
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

export const findProviders = operation(
  'public',
  {
    method: 'get',
    path: '/auth/provider',
    operationId: 'findProviders',
    summary: 'Find identity providers',
    tags: ['Authentication'],
    request: { query: ProvidersQuery },
    responses: { 200: json(ProvidersForEmailResponse, 'The identity providers') },
  },
  (c) =>
    answerAnyone(
      c,
      200,
      (providers: { id: string; name: string }[]) => ({ providers }),
      (ctx) => signIn.findProviders(ctx, c.req.valid('query').email),
    ),
)

export const authorizeWithProvider = operation(
  'public',
  {
    method: 'get',
    path: '/auth/provider/{id}/authorize',
    operationId: 'authorizeWithProvider',
    summary: 'Start signing in with a provider',
    tags: ['Authentication'],
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
  'public',
  {
    method: 'get',
    path: '/auth/provider/{id}/callback',
    operationId: 'returnFromProvider',
    summary: 'Return from an identity provider',
    tags: ['Authentication'],
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

export const exchangeProviderCode = operation(
  'public',
  {
    method: 'post',
    path: '/auth/provider/exchange',
    operationId: 'exchangeProviderCode',
    summary: 'Exchange a sign-in code for tokens',
    tags: ['Authentication'],
    request: jsonRequest(ExchangeCodeRequest),
    responses: {
      200: json(
        z.union([TokenResponse, MfaChallengeResponse]),
        'Signed in, or a second factor is required',
      ),
    },
    errors: [401, 403],
  },
  (c) =>
    answerAnyone(c, 200, presentLogin, (ctx) =>
      exchange.exchangeProviderCode(ctx, c.req.valid('json').code),
    ),
)
