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
    summary: 'Get the caller’s profile',
    tags: ['User'],
    responses: { 200: json(ProfileResponse, 'The caller') },
  },
  (c) => answer(c, 200, presentProfile, user.getProfile),
)

export const updateProfile = operation(
  'profile.write',
  {
    method: 'patch',
    path: '/user/profile',
    operationId: 'updateProfile',
    summary: 'Update the caller’s profile',
    tags: ['User'],
    versioned: true,
    request: jsonRequest(UpdateProfileRequest),
    responses: { 200: json(ProfileResponse, 'The changed user') },
  },
  (c) => answer(c, 200, presentProfile, (ctx) => user.updateProfile(ctx, c.req.valid('json'))),
)
