import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  PreferencesResponse,
  presentPreferences,
  UpdatePreferencesRequest,
} from './preferences.contract.ts'
import * as preferences from './preferences.usecases.ts'

export const getPreferences = operation(
  'preferences.read',
  {
    method: 'get',
    path: '/user/preference',
    operationId: 'getPreferences',
    summary: 'Get own preferences',
    tags: ['User'],
    responses: { 200: json(PreferencesResponse, 'The preferences') },
  },
  (c) => answer(c, 200, presentPreferences, preferences.getPreferences),
)

export const updatePreferences = operation(
  'preferences.write',
  {
    method: 'patch',
    path: '/user/preference',
    operationId: 'updatePreferences',
    summary: 'Update own preferences',
    tags: ['User'],
    versioned: true,
    request: jsonRequest(UpdatePreferencesRequest),
    responses: { 200: json(PreferencesResponse, 'All preferences as they are now') },
  },
  (c) =>
    answer(c, 200, presentPreferences, (ctx) =>
      preferences.updatePreferences(ctx, c.req.valid('json')),
    ),
)
