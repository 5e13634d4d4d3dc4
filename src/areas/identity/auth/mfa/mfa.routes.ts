import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  BeginTotpRequest,
  TotpEnrollmentResponse,
  ConfirmTotpRequest,
  MfaResponse,
  presentFactors,
  presentRecoveryCodes,
  presentSecret,
  ProveIdentityRequest,
  RecoveryCodesResponse,
} from './mfa.contract.ts'
import * as mfa from './mfa.usecases.ts'

export const getMfa = operation({
  access: 'mfa.read',
  on: 'GET /auth/mfa',
  summary: 'Get the state of the second factor',
  responses: { 200: json(MfaResponse, 'The second factors') },
  run: (ctx) => mfa.getMfa(ctx),
  present: presentFactors,
})

export const beginTotp = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/totp',
  summary: 'Create an authenticator secret',
  request: jsonRequest(BeginTotpRequest),
  responses: { 201: json(TotpEnrollmentResponse, 'The secret, shown only once') },
  run: (ctx, { body }) => mfa.beginTotp(ctx, body.password),
  present: presentSecret,
})

export const confirmTotp = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/totp/confirm',
  summary: 'Enable the second factor',
  request: jsonRequest(ConfirmTotpRequest),
  responses: {
    200: json(RecoveryCodesResponse, 'The recovery codes, shown only once'),
  },
  run: (ctx, { body }) => mfa.confirmTotp(ctx, body.code),
  present: presentRecoveryCodes,
})

export const disableTotp = operation({
  access: 'mfa.write',
  on: 'DELETE /auth/mfa/totp',
  summary: 'Disable the second factor',
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(MessageResponse, 'The second factor is off') },
  run: (ctx, { body }) => mfa.disableTotp(ctx, body),
  present: () => ({ message: 'The second factor is off.' }),
})

export const renewRecoveryCodes = operation({
  access: 'mfa.write',
  on: 'POST /auth/mfa/recovery-code',
  summary: 'Replace all recovery codes',
  request: jsonRequest(ProveIdentityRequest),
  responses: { 200: json(RecoveryCodesResponse, 'The new codes, shown only once') },
  run: (ctx, { body }) => mfa.renewRecoveryCodes(ctx, body),
  present: presentRecoveryCodes,
})
