import { z } from '@hono/zod-openapi'
import { answer, answerAnyone } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database.ts'
import {
  LoginRequest,
  MeResponse,
  MfaChallengeResponse,
  presentLogin,
  presentMe,
  presentSignIn,
  RefreshTokenRequest,
  RegisterRequest,
  TokenResponse,
} from './auth.contract.ts'
import * as auth from './auth.usecases.ts'
import * as registration from './registration/registration.usecases.ts'

export const register = operation(
  'public',
  {
    method: 'post',
    path: '/auth/register',
    operationId: 'register',
    summary: 'Register a user',
    tags: ['Authentication'],
    request: jsonRequest(RegisterRequest),
    responses: { 201: json(TokenResponse, 'The user is registered and signed in') },
    errors: [403, 429],
  },
  (c) =>
    answerAnyone(c, 201, presentSignIn, (ctx) => registration.register(ctx, c.req.valid('json'))),
)

export const login = operation(
  'public',
  {
    method: 'post',
    path: '/auth/v2/login',
    operationId: 'login',
    summary: 'Sign in with e-mail and password',
    tags: ['Authentication'],
    request: jsonRequest(LoginRequest),
    responses: {
      200: json(
        z.union([TokenResponse, MfaChallengeResponse]),
        'Signed in, or a second factor is required',
      ),
    },
    errors: [401, 429],
  },
  (c) => answerAnyone(c, 200, presentLogin, (ctx) => auth.login(ctx, c.req.valid('json'))),
)

export const refreshToken = operation(
  'public',
  {
    method: 'post',
    path: '/auth/refresh-token',
    operationId: 'refreshToken',
    summary: 'Refresh tokens',
    tags: ['Authentication'],
    request: jsonRequest(RefreshTokenRequest),
    responses: { 200: json(TokenResponse, 'New tokens') },
    errors: [401],
  },
  (c) =>
    answerAnyone(c, 200, presentSignIn, (ctx) =>
      auth.refresh(ctx, c.req.valid('json').refreshToken),
    ),
)

export const logout = operation(
  'sessions.write',
  {
    method: 'post',
    path: '/auth/logout',
    operationId: 'logout',
    summary: 'End the current session',
    tags: ['Authentication'],
    responses: { 200: json(MessageResponse, 'Signed out') },
  },
  (c) => answer(c, 200, () => ({ message: 'Signed out.' }), auth.logout),
)

export const getMe = operation(
  'profile.read',
  {
    method: 'get',
    path: '/auth/me',
    operationId: 'getMe',
    summary: 'Get the caller',
    tags: ['Authentication'],
    responses: { 200: json(MeResponse, 'The caller') },
  },
  (c) => answer(c, 200, presentMe, checkAccess),
)
