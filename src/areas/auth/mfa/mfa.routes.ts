import { answer } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentFactors, presentRecoveryCodes, presentSecret } from './mfa.presenters.ts'
import {
  BeginTotpRequest,
  BeginTotpResponse,
  ConfirmTotpRequest,
  MfaResponse,
  ProveIdentityRequest,
  RecoveryCodesResponse,
} from './mfa.schemas.ts'
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  listFactors,
  renewRecoveryCodes,
} from './mfa.usecases.ts'

export const mfaRoutes = newArea()

export const getMfa = defineRoute('mfa.read', {
  method: 'get',
  path: '/auth/mfa',
  operationId: 'getMfa',
  summary: 'Which second factors are on',
  tags: ['Authentication'],
  responses: { 200: json(MfaResponse, 'The second factors') },
})
mfaRoutes.openapi(getMfa, (c) => answer(c, 200, presentFactors, listFactors))

export const postTotp = defineRoute('mfa.write', {
  method: 'post',
  path: '/auth/mfa/totp',
  operationId: 'beginTotp',
  summary: 'Make the secret of an authenticator app; it counts once it is confirmed',
  tags: ['Authentication'],
  request: jsonRequest(BeginTotpRequest),
  responses: { 201: json(BeginTotpResponse, 'The secret, shown this once') },
})
mfaRoutes.openapi(postTotp, (c) =>
  answer(c, 201, presentSecret, (ctx) => beginTotp(ctx, c.req.valid('json').password)),
)

export const postTotpConfirm = defineRoute('mfa.write', {
  method: 'post',
  path: '/auth/mfa/totp/confirm',
  operationId: 'confirmTotp',
  summary: 'Turn the second factor on with a code of the app',
  tags: ['Authentication'],
  request: jsonRequest(ConfirmTotpRequest),
  responses: { 200: json(RecoveryCodesResponse, 'It is on; the recovery codes, shown this once') },
})
mfaRoutes.openapi(postTotpConfirm, (c) =>
  answer(c, 200, presentRecoveryCodes, (ctx) => confirmTotp(ctx, c.req.valid('json').code)),
)

export const deleteTotp = defineRoute('mfa.write', {
  method: 'delete',
  path: '/auth/mfa/totp',
  operationId: 'disableTotp',
  summary: 'Turn the second factor off, with the password or a code',
  tags: ['Authentication'],
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(MessageResponse, 'It is off') },
})
mfaRoutes.openapi(deleteTotp, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The second factor is off.' }),
    (ctx) => disableTotp(ctx, c.req.valid('json')),
  ),
)

export const postRecoveryCode = defineRoute('mfa.write', {
  method: 'post',
  path: '/auth/mfa/recovery-code',
  operationId: 'renewRecoveryCodes',
  summary: 'Replace all recovery codes, with the password or a code',
  tags: ['Authentication'],
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(RecoveryCodesResponse, 'The new codes, shown this once') },
})
mfaRoutes.openapi(postRecoveryCode, (c) =>
  answer(c, 200, presentRecoveryCodes, (ctx) => renewRecoveryCodes(ctx, c.req.valid('json'))),
)
