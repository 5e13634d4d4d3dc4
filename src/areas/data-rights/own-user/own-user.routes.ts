import { answer } from '../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentProfile, ProfileResponse, UpdateProfileRequest } from './own-user.contract.ts'
import * as user from './own-user.usecases.ts'

export const getProfile = operation(
  'profile.read',
  {
    method: 'get',
    path: '/user/profile',
    operationId: 'getProfile',
    summary: 'Get the own user',
    tags: ['User'],
    responses: { 200: json(ProfileResponse, 'The own user') },
  },
  (c) => answer(c, 200, presentProfile, user.getProfile),
)

export const updateProfile = operation(
  'profile.write',
  {
    method: 'patch',
    path: '/user/profile',
    operationId: 'updateProfile',
    summary: 'Update the own user',
    tags: ['User'],
    versioned: true,
    request: jsonRequest(UpdateProfileRequest),
    responses: { 200: json(ProfileResponse, 'The own user as it is now') },
  },
  (c) => answer(c, 200, presentProfile, (ctx) => user.updateProfile(ctx, c.req.valid('json'))),
)
