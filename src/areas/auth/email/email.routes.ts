import { answer, answerAnyone } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentConfirmed } from './email.presenters.ts'
import { ChangeEmailRequest, VerifyEmailRequest } from './email.schemas.ts'
import { requestEmailChange, resendConfirmation, verifyEmail } from './email.usecases.ts'

export const emailRoutes = newArea()

export const postVerifyEmail = defineRoute('public', {
  method: 'post',
  path: '/auth/email/verify',
  operationId: 'verifyEmail',
  summary: 'Confirm an e-mail address with the code of a mail; a new one takes effect by that',
  tags: ['Authentication'],
  request: jsonRequest(VerifyEmailRequest),
  responses: { 200: json(MessageResponse, 'The address is confirmed') },
  errors: [429],
})
emailRoutes.openapi(postVerifyEmail, (c) =>
  answerAnyone(c, 200, presentConfirmed, (ctx) => verifyEmail(ctx, c.req.valid('json').token)),
)

export const postResendEmail = defineRoute('profile.write', {
  method: 'post',
  path: '/auth/email/resend',
  operationId: 'resendConfirmation',
  summary: 'Mail another code that confirms the own address',
  tags: ['Authentication'],
  responses: { 200: json(MessageResponse, 'A mail is under way') },
})
emailRoutes.openapi(postResendEmail, (c) =>
  answer(c, 200, () => ({ message: 'A mail is under way.' }), resendConfirmation),
)

export const postChangeEmail = defineRoute('profile.write', {
  method: 'post',
  path: '/auth/email/change',
  operationId: 'changeEmail',
  summary:
    'Ask for another e-mail address; it takes effect once it is confirmed by POST /auth/email/verify',
  tags: ['Authentication'],
  request: jsonRequest(ChangeEmailRequest),
  responses: { 200: json(MessageResponse, 'A mail to the new address is under way') },
})
emailRoutes.openapi(postChangeEmail, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'A mail to the new address is under way.' }),
    (ctx) => requestEmailChange(ctx, c.req.valid('json')),
  ),
)
