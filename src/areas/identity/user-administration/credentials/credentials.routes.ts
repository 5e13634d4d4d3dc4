import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import {
  presentReset,
  ResetUserPasswordRequest,
  PasswordResetResponse,
} from './credentials.contract.ts'
import * as credentials from './credentials.usecases.ts'

export const resetUserPassword = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/reset-password',
  summary: 'Reset the password of a user',
  request: { params: pathId('usr', 'user'), ...jsonRequest(ResetUserPasswordRequest) },
  responses: { 200: json(PasswordResetResponse, 'The password is unusable') },
  run: (ctx, { params, body }) => credentials.resetUserPassword(ctx, params.id, body.delivery),
  present: presentReset,
})

export const resetUserMfa = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/reset-mfa',
  summary: 'Reset the second factor of a user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(AdminUserResponse, 'The changed user') },
  run: (ctx, { params }) => credentials.resetUserMfa(ctx, params.id),
  present: presentAdminUser,
})

export const revokeUserSessions = operation({
  access: 'users.write',
  on: 'POST /admin/users/{id}/revoke-sessions',
  summary: 'Revoke the sessions of a user',
  request: { params: pathId('usr', 'user') },
  responses: { 200: json(MessageResponse, 'The user is signed out everywhere') },
  run: (ctx, { params }) => credentials.revokeUserSessions(ctx, params.id),
  present: () => ({ message: 'All sessions and personal access tokens of the user have ended.' }),
})
