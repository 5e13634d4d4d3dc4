import { z } from '@hono/zod-openapi'
import { settingsOf } from '../../../env.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database.ts'
import { publicKeysOf } from '../../../platform/tokens.ts'
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
import { JwkSetResponse } from './keys/keys.contract.ts'
import { MfaLoginRequest } from './mfa-login/mfa-login.contract.ts'
import * as mfaLogin from './mfa-login/mfa-login.usecases.ts'
import { presentPolicy, RegistrationPolicyResponse } from './policy/policy.contract.ts'
import * as policy from './policy/policy.usecases.ts'
import * as registration from './registration/registration.usecases.ts'

export const register = operation({
  access: 'public',
  on: 'POST /auth/register',
  summary: 'Register a user',
  request: jsonRequest(RegisterRequest),
  responses: { 201: json(TokenResponse, 'The user is registered and signed in') },
  errors: [403, 429],
  run: (ctx, { body }) => registration.register(ctx, body),
  present: presentSignIn,
})

export const login = operation({
  access: 'public',
  on: 'POST /auth/v2/login',
  summary: 'Sign in with e-mail and password',
  request: jsonRequest(LoginRequest),
  responses: {
    200: json(
      z.union([TokenResponse, MfaChallengeResponse]),
      'Signed in, or a second factor is required',
    ),
  },
  errors: [401, 429],
  run: (ctx, { body }) => auth.login(ctx, body),
  present: presentLogin,
})

export const refreshToken = operation({
  access: 'public',
  on: 'POST /auth/refresh-token',
  summary: 'Refresh tokens',
  request: jsonRequest(RefreshTokenRequest),
  responses: { 200: json(TokenResponse, 'New tokens') },
  errors: [401],
  run: (ctx, { body }) => auth.refresh(ctx, body.refreshToken),
  present: presentSignIn,
})

export const logout = operation({
  access: 'sessions.write',
  on: 'POST /auth/logout',
  summary: 'End the current session',
  responses: { 200: json(MessageResponse, 'Signed out') },
  run: (ctx) => auth.logout(ctx),
  present: () => ({ message: 'Signed out.' }),
})

export const getMe = operation({
  access: 'profile.read',
  on: 'GET /auth/me',
  summary: 'Get the caller',
  responses: { 200: json(MeResponse, 'The caller') },
  run: (ctx) => checkAccess(ctx),
  present: presentMe,
})

export const getJwks = operation(
  {
    access: 'public',
    on: 'GET /.well-known/jwks.json',
    summary: 'Get the public keys of access tokens',
    responses: { 200: json(JwkSetResponse, 'The keys') },
  },
  (c) => {
    c.header('Cache-Control', 'public, max-age=300')
    return c.json({ keys: publicKeysOf(settingsOf(c.env).jwtKeys) }, 200)
  },
)

export const loginMfa = operation({
  access: 'public',
  on: 'POST /auth/v2/login/mfa',
  summary: 'Finish signing in with a second factor',
  request: jsonRequest(MfaLoginRequest),
  responses: { 200: json(TokenResponse, 'Signed in') },
  errors: [401, 429],
  run: (ctx, { body }) => mfaLogin.loginMfa(ctx, body),
  present: presentSignIn,
})

export const getRegistrationPolicy = operation({
  access: 'public',
  on: 'GET /auth/registration-policy',
  summary: 'Get the registration policy',
  responses: { 200: json(RegistrationPolicyResponse, 'The requirements for registration') },
  run: (ctx) => policy.getRegistrationPolicy(ctx),
  present: presentPolicy,
})
