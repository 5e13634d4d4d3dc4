import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentProfile } from '../user.presenters.ts'
import { ProfileResponse } from '../user.schemas.ts'
import { DeleteOwnUserRequest } from './deletion.schemas.ts'
import { scheduleDeletion, undoDeletion } from './deletion.usecases.ts'

export const deletionRoutes = newArea()

export const deleteOwnUser = defineRoute('profile.delete', {
  method: 'delete',
  path: '/user',
  operationId: 'deleteOwnUser',
  summary:
    'Have the own user erased after a time of grace; ends all other sessions and all personal access tokens',
  tags: ['User'],
  versioned: true,
  request: jsonRequest(DeleteOwnUserRequest),
  responses: { 202: json(ProfileResponse, 'The own user, with the time at which it is erased') },
})
deletionRoutes.openapi(deleteOwnUser, (c) =>
  answer(c, 202, presentProfile, (ctx) => scheduleDeletion(ctx, c.req.valid('json'))),
)

export const restoreOwnUser = defineRoute('profile.delete', {
  method: 'post',
  path: '/user/restore',
  operationId: 'restoreOwnUser',
  summary: 'Keep the own user after all: undo DELETE /user',
  tags: ['User'],
  responses: { 200: json(ProfileResponse, 'The own user, which stays') },
})
deletionRoutes.openapi(restoreOwnUser, (c) => answer(c, 200, presentProfile, undoDeletion))
