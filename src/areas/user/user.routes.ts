import { answer } from '../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentProfile } from './user.presenters.ts'
import { ProfileResponse, UpdateProfileRequest } from './user.schemas.ts'
import { changeProfile, findProfile } from './user.usecases.ts'

export const userRoutes = newArea()

export const getProfile = defineRoute('profile.read', {
  method: 'get',
  path: '/user/profile',
  operationId: 'getProfile',
  summary: 'The own user',
  tags: ['User'],
  responses: { 200: json(ProfileResponse, 'The own user') },
})
userRoutes.openapi(getProfile, (c) => answer(c, 200, presentProfile, findProfile))

export const updateProfile = defineRoute('profile.write', {
  method: 'patch',
  path: '/user/profile',
  operationId: 'updateProfile',
  summary: 'Change own name, locale, time zone or base currency: what is sent',
  tags: ['User'],
  versioned: true,
  request: jsonRequest(UpdateProfileRequest),
  responses: { 200: json(ProfileResponse, 'The own user as it is now') },
})
userRoutes.openapi(updateProfile, (c) =>
  answer(c, 200, presentProfile, (ctx) => changeProfile(ctx, c.req.valid('json'))),
)
