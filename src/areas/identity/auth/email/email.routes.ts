import { answer, answerAnyone } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { ChangeEmailRequest, presentConfirmed, VerifyEmailRequest } from './email.contract.ts'
import * as email from './email.usecases.ts'

export const verifyEmail = operation(
  'public',
  {
    method: 'post',
    path: '/auth/email/verify',
    operationId: 'verifyEmail',
    summary: 'Confirm an e-mail address',
    tags: ['Authentication'],
    request: jsonRequest(VerifyEmailRequest),
    responses: { 200: json(MessageResponse, 'The address is confirmed') },
    errors: [429],
  },
  (c) =>
    answerAnyone(c, 200, presentConfirmed, (ctx) =>
      email.verifyEmail(ctx, c.req.valid('json').token),
    ),
)

export const resendConfirmation = operation(
  'profile.write',
  {
    method: 'post',
    path: '/auth/email/resend',
    operationId: 'resendConfirmation',
    summary: 'Resend the confirmation mail',
    tags: ['Authentication'],
    responses: { 200: json(MessageResponse, 'A mail is sent') },
  },
  (c) => answer(c, 200, () => ({ message: 'A mail is under way.' }), email.resendConfirmation),
)

export const changeEmail = operation(
  'profile.write',
  {
    method: 'post',
    path: '/auth/email/change',
    operationId: 'changeEmail',
    summary: 'Change the caller’s e-mail address',
    tags: ['Authentication'],
    request: jsonRequest(ChangeEmailRequest),
    responses: { 200: json(MessageResponse, 'A mail is sent to the new address') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'A mail to the new address is under way.' }),
      (ctx) => email.changeEmail(ctx, c.req.valid('json')),
    ),
)
