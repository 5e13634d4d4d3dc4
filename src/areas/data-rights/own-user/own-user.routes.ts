import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentProfile, ProfileResponse, UpdateProfileRequest } from './own-user.contract.ts'
import * as user from './own-user.usecases.ts'

export const getProfile = operation({
  access: 'profile.read',
  on: 'GET /user/profile',
  summary: 'Get the caller’s profile',
  responses: { 200: json(ProfileResponse, 'The caller') },
  run: (ctx) => user.getProfile(ctx),
  present: presentProfile,
})

export const updateProfile = operation({
  access: 'profile.write',
  on: 'PATCH /user/profile',
  summary: 'Update the caller’s profile',
  versioned: true,
  request: jsonRequest(UpdateProfileRequest),
  responses: { 200: json(ProfileResponse, 'The changed user') },
  run: (ctx, { body }) => user.updateProfile(ctx, body),
  present: presentProfile,
})
