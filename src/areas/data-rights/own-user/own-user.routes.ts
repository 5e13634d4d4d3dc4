import { json, jsonRequest, operation } from '../../../http/route.ts'
import { DeleteOwnUserRequest } from './deletion/deletion.contract.ts'
import * as deletion from './deletion/deletion.usecases.ts'
import { presentProfile, ProfileResponse, UpdateProfileRequest } from './own-user.contract.ts'
import * as user from './own-user.usecases.ts'
import {
  PreferencesResponse,
  presentPreferences,
  UpdatePreferencesRequest,
} from './preferences/preferences.contract.ts'
import * as preferences from './preferences/preferences.usecases.ts'
import { presentOwnStatistics, StatisticsResponse } from './statistics/statistics.contract.ts'
import * as statistics from './statistics/statistics.usecases.ts'

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
  run: (ctx) => statistics.getStatistics(ctx),
  present: presentOwnStatistics,
})
