import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentProfile, ProfileResponse } from '../own-user.contract.ts'
import { DeleteOwnUserRequest } from './deletion.contract.ts'
import * as deletion from './deletion.usecases.ts'

export const deleteOwnUser = operation(
  'profile.delete',
  {
    method: 'delete',
    path: '/user',
    operationId: 'deleteOwnUser',
    summary: 'Delete the caller’s user account',
    tags: ['User'],
    versioned: true,
    request: jsonRequest(DeleteOwnUserRequest),
    responses: { 202: json(ProfileResponse, 'The caller, with the time of their erasure') },
  },
  (c) => answer(c, 202, presentProfile, (ctx) => deletion.deleteOwnUser(ctx, c.req.valid('json'))),
)

export const restoreOwnUser = operation(
  'profile.delete',
  {
    method: 'post',
    path: '/user/restore',
    operationId: 'restoreOwnUser',
    summary: 'Restore the caller’s user account',
    tags: ['User'],
    responses: { 200: json(ProfileResponse, 'The caller, who stays') },
  },
  (c) => answer(c, 200, presentProfile, deletion.restoreOwnUser),
)
