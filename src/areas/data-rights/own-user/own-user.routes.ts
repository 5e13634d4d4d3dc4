import { json, jsonRequest, operation } from '../../../http/route.ts'
import { versionTag } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { answerFile, fileRequest, fileResponses, uploadOf } from '../../../http/files.ts'
import {
  presentProfile,
  ProfileResponse,
  UpdateProfileRequest,
  DeleteOwnUserRequest,
  presentOwnStatistics,
  StatisticsResponse,
  AvatarResponse,
  presentAvatar,
  PreferencesResponse,
  presentPreferences,
  UpdatePreferencesRequest,
} from './own-user.contract.ts'
import * as user from './own-user.usecases.ts'
import * as preferences from './preferences.usecases.ts'

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

export const deleteOwnUser = operation({
  access: 'profile.delete',
  on: 'DELETE /user',
  summary: 'Delete the caller’s user account',
  versioned: true,
  request: jsonRequest(DeleteOwnUserRequest),
  responses: { 202: json(ProfileResponse, 'The caller, with the time of their erasure') },
  run: (ctx, { body }) => user.deleteOwnUser(ctx, body),
  present: presentProfile,
})

export const restoreOwnUser = operation({
  access: 'profile.delete',
  on: 'POST /user/restore',
  summary: 'Restore the caller’s user account',
  responses: { 200: json(ProfileResponse, 'The caller, who stays') },
  run: (ctx) => user.restoreOwnUser(ctx),
  present: presentProfile,
})

export const getPreferences = operation({
  access: 'preferences.read',
  on: 'GET /user/preference',
  summary: 'Get own preferences',
  responses: { 200: json(PreferencesResponse, 'The preferences') },
  run: (ctx) => preferences.getPreferences(ctx),
  present: presentPreferences,
})

export const updatePreferences = operation({
  access: 'preferences.write',
  on: 'PATCH /user/preference',
  summary: 'Update own preferences',
  versioned: true,
  request: jsonRequest(UpdatePreferencesRequest),
  responses: { 200: json(PreferencesResponse, 'All preferences as they are now') },
  run: (ctx, { body }) => preferences.updatePreferences(ctx, body),
  present: presentPreferences,
})

export const getStatistics = operation({
  access: 'profile.read',
  on: 'GET /user/statistic',
  summary: 'Count the caller’s data',
  responses: { 200: json(StatisticsResponse, 'The counts') },
  run: (ctx) => user.getStatistics(ctx),
  present: presentOwnStatistics,
})

export const getAvatar = operation(
  {
    access: 'profile.read',
    on: 'GET /user/avatar',
    summary: 'Get the caller’s picture',
    responses: fileResponses,
    errors: [404, 416],
  },
  (c) =>
    answerFile(c, user.findAvatar, user.openAvatar, ({ version, sha256 }) =>
      versionTag(version, sha256),
    ),
)

export const setAvatar = operation({
  access: 'profile.write',
  on: 'PUT /user/avatar',
  summary: 'Set the caller’s picture',
  versioned: true,
  request: fileRequest(),
  responses: { 200: json(AvatarResponse, 'The details of the picture') },
  run: (ctx, { c }) => user.setAvatar(ctx, uploadOf(c)),
  present: presentAvatar,
})

export const deleteAvatar = operation({
  access: 'profile.write',
  on: 'DELETE /user/avatar',
  summary: 'Remove the caller’s picture',
  versioned: true,
  responses: { 200: json(MessageResponse, 'The picture was removed') },
  errors: [404],
  run: (ctx) => user.deleteAvatar(ctx),
  present: () => ({ message: 'The picture is gone.' }),
})
