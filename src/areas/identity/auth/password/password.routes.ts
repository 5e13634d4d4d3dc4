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

export const changePassword = operation({
  access: 'profile.write',
  on: 'PUT /auth/password',
  summary: 'Change the caller’s password',
  request: jsonRequest(ChangePasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is changed') },
  run: (ctx, { body }) => password.changePassword(ctx, body),
  present: presentChanged,
})

export const forgotPassword = operation({
  access: 'public',
  on: 'POST /auth/password/forgot',
  summary: 'Request a password reset',
  request: jsonRequest(ForgotPasswordRequest),
  responses: { 200: json(MessageResponse, 'If the address is registered, a mail is sent') },
  errors: [429],
  run: (ctx, { body }) => password.forgotPassword(ctx, body.email),
  present: () => ({ message: 'If somebody is registered with this address, a mail is under way.' }),
})

export const resetPassword = operation({
  access: 'public',
  on: 'POST /auth/password/reset',
  summary: 'Reset a password',
  request: jsonRequest(ResetPasswordRequest),
  responses: { 200: json(PasswordSetResponse, 'The password is set') },
  errors: [429],
  run: (ctx, { body }) => password.resetPassword(ctx, body),
  present: presentReset,
})
