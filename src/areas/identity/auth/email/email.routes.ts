import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { ChangeEmailRequest, presentConfirmed, VerifyEmailRequest } from './email.contract.ts'
import * as email from './email.usecases.ts'

export const verifyEmail = operation({
  access: 'public',
  on: 'POST /auth/email/verify',
  summary: 'Confirm an e-mail address',
  request: jsonRequest(VerifyEmailRequest),
  responses: { 200: json(MessageResponse, 'The address is confirmed') },
  errors: [429],
  run: (ctx, { body }) => email.verifyEmail(ctx, body.token),
  present: presentConfirmed,
})

export const resendConfirmation = operation({
  access: 'profile.write',
  on: 'POST /auth/email/resend',
  summary: 'Resend the confirmation mail',
  responses: { 200: json(MessageResponse, 'A mail is sent') },
  run: (ctx) => email.resendConfirmation(ctx),
  present: () => ({ message: 'A mail is under way.' }),
})

export const changeEmail = operation({
  access: 'profile.write',
  on: 'POST /auth/email/change',
  summary: 'Change the caller’s e-mail address',
  request: jsonRequest(ChangeEmailRequest),
  responses: { 200: json(MessageResponse, 'A mail is sent to the new address') },
  run: (ctx, { body }) => email.changeEmail(ctx, body),
  present: () => ({ message: 'A mail to the new address is under way.' }),
})
