import { answer, answerAnyone } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentChanged, presentReset } from './password.presenters.ts'
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  PasswordSetResponse,
  ResetPasswordRequest,
} from './password.schemas.ts'
import { changePassword, forgetPassword, resetPassword } from './password.usecases.ts'

export const passwordRoutes = newArea()

export const putPassword = defineRoute('profile.write', {
  method: 'put',
  path: '/auth/password',
  operationId: 'changePassword',
  summary: 'Change the own password; ends other sessions and personal access tokens',
  description: 'With `keepTokens: true` personal access tokens stay.',
  tags: ['Authentication'],
  request: jsonRequest(ChangePasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is changed') },
})
passwordRoutes.openapi(putPassword, (c) =>
  answer(c, 200, presentChanged, (ctx) => changePassword(ctx, c.req.valid('json'))),
)

export const postForgotPassword = defineRoute('public', {
  method: 'post',
  path: '/auth/password/forgot',
  operationId: 'forgotPassword',
  summary:
    'Ask for a mail with which to set a new password; the answer is the same for any address',
  tags: ['Authentication'],
  request: jsonRequest(ForgotPasswordRequest),
  responses: { 200: json(MessageResponse, 'If somebody has this address, a mail is under way') },
  errors: [429],
})
passwordRoutes.openapi(postForgotPassword, (c) =>
  answerAnyone(
    c,
    200,
    () => ({ message: 'If somebody is registered with this address, a mail is under way.' }),
    (ctx) => forgetPassword(ctx, c.req.valid('json').email),
  ),
)

export const postResetPassword = defineRoute('public', {
  method: 'post',
  path: '/auth/password/reset',
  operationId: 'resetPassword',
  summary:
    'Set a new password with the code of a mail; ends all sessions and personal access tokens',
  tags: ['Authentication'],
  request: jsonRequest(ResetPasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is set') },
  errors: [429],
})
passwordRoutes.openapi(postResetPassword, (c) =>
  answerAnyone(c, 200, presentReset, (ctx) => resetPassword(ctx, c.req.valid('json'))),
)
