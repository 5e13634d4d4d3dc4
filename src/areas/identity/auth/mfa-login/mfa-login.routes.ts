import { answerAnyone } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentSignIn, TokenResponse } from '../auth.contract.ts'
import { MfaLoginRequest } from './mfa-login.contract.ts'
import * as mfaLogin from './mfa-login.usecases.ts'

export const loginMfa = operation(
  'public',
  {
    method: 'post',
    path: '/auth/v2/login/mfa',
    operationId: 'loginMfa',
    summary: 'Finish signing in with a second factor',
    tags: ['Authentication'],
    request: jsonRequest(MfaLoginRequest),
    responses: { 200: json(TokenResponse, 'Signed in') },
    errors: [401, 429],
  },
  (c) => answerAnyone(c, 200, presentSignIn, (ctx) => mfaLogin.loginMfa(ctx, c.req.valid('json'))),
)
