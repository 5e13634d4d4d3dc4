import { answer, answerAnyone } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { VerifyEmailRequest } from './email.schemas.ts'
import { resendConfirmation, verifyEmail } from './email.usecases.ts'

export const emailRoutes = newArea()

export const postVerifyEmail = defineRoute('public', {
  method: 'post',
  path: '/auth/email/verify',
  operationId: 'verifyEmail',
  summary: 'Confirm an e-mail address with the code of a mail',
  tags: ['Authentication'],
  request: jsonRequest(VerifyEmailRequest),
  responses: { 200: json(MessageResponse, 'The address is confirmed') },
  errors: [429],
})
emailRoutes.openapi(postVerifyEmail, (c) =>
  answerAnyone(
    c,
    200,
    () => ({ message: 'The address is confirmed.' }),
    (ctx) => verifyEmail(ctx, c.req.valid('json').token),
  ),
)

export const postResendEmail = defineRoute('profile.write', {
  method: 'post',
  path: '/auth/email/resend',
  operationId: 'resendConfirmation',
  summary: 'Mail another code that confirms the own address',
  tags: ['Authentication'],
  responses: { 200: json(MessageResponse, 'A mail is under way') },
  errors: [429],
})
emailRoutes.openapi(postResendEmail, (c) =>
  answer(c, 200, () => ({ message: 'A mail is under way.' }), resendConfirmation),
)
