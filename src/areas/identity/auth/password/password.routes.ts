import { answer, answerAnyone } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  PasswordSetResponse,
  presentChanged,
  presentReset,
  ResetPasswordRequest,
} from './password.contract.ts'
import * as password from './password.usecases.ts'

export const changePassword = operation(
  'profile.write',
  {
    method: 'put',
    path: '/auth/password',
    operationId: 'changePassword',
    summary: 'Change the caller’s password',
    tags: ['Authentication'],
    request: jsonRequest(ChangePasswordRequest),
    responses: { 200: json(PasswordSetResponse, 'The password is changed') },
  },
  (c) => answer(c, 200, presentChanged, (ctx) => password.changePassword(ctx, c.req.valid('json'))),
)

export const forgotPassword = operation(
  'public',
  {
    method: 'post',
    path: '/auth/password/forgot',
    operationId: 'forgotPassword',
    summary: 'Request a password reset',
    tags: ['Authentication'],
    request: jsonRequest(ForgotPasswordRequest),
    responses: { 200: json(MessageResponse, 'If the address is registered, a mail is sent') },
    errors: [429],
  },
  (c) =>
    answerAnyone(
      c,
      200,
      () => ({ message: 'If somebody is registered with this address, a mail is under way.' }),
      (ctx) => password.forgotPassword(ctx, c.req.valid('json').email),
    ),
)

export const resetPassword = operation(
  'public',
  {
    method: 'post',
    path: '/auth/password/reset',
    operationId: 'resetPassword',
    summary: 'Reset a password',
    tags: ['Authentication'],
    request: jsonRequest(ResetPasswordRequest),
    responses: { 200: json(PasswordSetResponse, 'The password is set') },
    errors: [429],
  },
  (c) =>
    answerAnyone(c, 200, presentReset, (ctx) => password.resetPassword(ctx, c.req.valid('json'))),
)
