import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentSignIn, TokenResponse } from '../auth.contract.ts'
import { MfaLoginRequest } from './mfa-login.contract.ts'
import * as mfaLogin from './mfa-login.usecases.ts'

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
