import { answerAnyone } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentSignIn } from '../auth.presenters.ts'
import { TokenResponse } from '../auth.schemas.ts'
import { MfaLoginRequest } from './mfa-login.schemas.ts'
import { finishLogin } from './mfa-login.usecases.ts'

export const mfaLoginRoutes = newArea()

export const loginWithCode = defineRoute('public', {
  method: 'post',
  path: '/auth/v2/login/mfa',
  operationId: 'loginMfa',
  summary: 'Finish a sign-in that asks for a second factor',
  tags: ['Authentication'],
  request: jsonRequest(MfaLoginRequest),
  responses: { 200: json(TokenResponse, 'Signed in') },
  errors: [401, 429],
})
mfaLoginRoutes.openapi(loginWithCode, (c) =>
  answerAnyone(c, 200, presentSignIn, (ctx) => finishLogin(ctx, c.req.valid('json'))),
)
