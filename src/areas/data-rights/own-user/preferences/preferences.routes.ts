import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  PreferencesResponse,
  presentPreferences,
  UpdatePreferencesRequest,
} from './preferences.contract.ts'
import * as preferences from './preferences.usecases.ts'

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
