import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentProfile, ProfileResponse } from '../own-user.contract.ts'
import { DeleteOwnUserRequest } from './deletion.contract.ts'
import * as deletion from './deletion.usecases.ts'

export const deleteOwnUser = operation({
  access: 'profile.delete',
  on: 'DELETE /user',
  summary: 'Delete the caller’s user account',
  versioned: true,
  request: jsonRequest(DeleteOwnUserRequest),
  responses: { 202: json(ProfileResponse, 'The caller, with the time of their erasure') },
  run: (ctx, { body }) => deletion.deleteOwnUser(ctx, body),
  present: presentProfile,
})

export const restoreOwnUser = operation({
  access: 'profile.delete',
  on: 'POST /user/restore',
  summary: 'Restore the caller’s user account',
  responses: { 200: json(ProfileResponse, 'The caller, who stays') },
  run: (ctx) => deletion.restoreOwnUser(ctx),
  present: presentProfile,
})
