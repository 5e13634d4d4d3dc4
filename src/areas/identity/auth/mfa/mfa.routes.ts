import { answer } from '../../../../http/answer.ts'
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

export const getMfa = operation(
  'mfa.read',
  {
    method: 'get',
    path: '/auth/mfa',
    operationId: 'getMfa',
    summary: 'Get the state of the second factor',
    tags: ['Authentication'],
    responses: { 200: json(MfaResponse, 'The second factors') },
  },
  (c) => answer(c, 200, presentFactors, mfa.getMfa),
)

export const beginTotp = operation(
  'mfa.write',
  {
    method: 'post',
    path: '/auth/mfa/totp',
    operationId: 'beginTotp',
    summary: 'Create an authenticator secret',
    tags: ['Authentication'],
    request: jsonRequest(BeginTotpRequest),
    responses: { 201: json(TotpEnrollmentResponse, 'The secret, shown only once') },
  },
  (c) => answer(c, 201, presentSecret, (ctx) => mfa.beginTotp(ctx, c.req.valid('json').password)),
)

export const confirmTotp = operation(
  'mfa.write',
  {
    method: 'post',
    path: '/auth/mfa/totp/confirm',
    operationId: 'confirmTotp',
    summary: 'Enable the second factor',
    tags: ['Authentication'],
    request: jsonRequest(ConfirmTotpRequest),
    responses: {
      200: json(RecoveryCodesResponse, 'The recovery codes, shown only once'),
    },
  },
  (c) =>
    answer(c, 200, presentRecoveryCodes, (ctx) => mfa.confirmTotp(ctx, c.req.valid('json').code)),
)

export const disableTotp = operation(
  'mfa.write',
  {
    method: 'delete',
    path: '/auth/mfa/totp',
    operationId: 'disableTotp',
    summary: 'Disable the second factor',
    tags: ['Authentication'],
    request: jsonRequest(ProveIdentityRequest),
    responses: { 200: json(MessageResponse, 'The second factor is off') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The second factor is off.' }),
      (ctx) => mfa.disableTotp(ctx, c.req.valid('json')),
    ),
)

export const renewRecoveryCodes = operation(
  'mfa.write',
  {
    method: 'post',
    path: '/auth/mfa/recovery-code',
    operationId: 'renewRecoveryCodes',
    summary: 'Replace all recovery codes',
    tags: ['Authentication'],
    request: jsonRequest(ProveIdentityRequest),
    responses: { 200: json(RecoveryCodesResponse, 'The new codes, shown only once') },
  },
  (c) =>
    answer(c, 200, presentRecoveryCodes, (ctx) => mfa.renewRecoveryCodes(ctx, c.req.valid('json'))),
)
