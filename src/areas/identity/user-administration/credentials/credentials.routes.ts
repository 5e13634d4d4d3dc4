import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AdminUserResponse, presentAdminUser } from '../user-administration.contract.ts'
import {
  presentReset,
  ResetUserPasswordRequest,
  PasswordResetResponse,
} from './credentials.contract.ts'
import * as credentials from './credentials.usecases.ts'

export const resetUserPassword = operation(
  'users.write',
  {
    method: 'post',
    path: '/admin/users/{id}/reset-password',
    operationId: 'resetUserPassword',
    summary: 'Reset the password of a user',
    tags: ['Users'],
    request: { params: pathId('usr', 'user'), ...jsonRequest(ResetUserPasswordRequest) },
    responses: { 200: json(PasswordResetResponse, 'The password is unusable') },
  },
  (c) =>
    answer(c, 200, presentReset, (ctx) =>
      credentials.resetUserPassword(ctx, c.req.valid('param').id, c.req.valid('json').delivery),
    ),
)

export const resetUserMfa = operation(
  'users.write',
  {
    method: 'post',
    path: '/admin/users/{id}/reset-mfa',
    operationId: 'resetUserMfa',
    summary: 'Reset the second factor of a user',
    tags: ['Users'],
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(AdminUserResponse, 'The changed user') },
  },
  (c) =>
    answer(c, 200, presentAdminUser, (ctx) =>
      credentials.resetUserMfa(ctx, c.req.valid('param').id),
    ),
)

export const revokeUserSessions = operation(
  'users.write',
  {
    method: 'post',
    path: '/admin/users/{id}/revoke-sessions',
    operationId: 'revokeUserSessions',
    summary: 'Revoke the sessions of a user',
    tags: ['Users'],
    request: { params: pathId('usr', 'user') },
    responses: { 200: json(MessageResponse, 'The user is signed out everywhere') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'All sessions and personal access tokens of the user have ended.' }),
      (ctx) => credentials.revokeUserSessions(ctx, c.req.valid('param').id),
    ),
)
