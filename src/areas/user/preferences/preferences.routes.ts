import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentPreferences } from './preferences.presenters.ts'
import { PreferencesResponse, UpdatePreferencesRequest } from './preferences.schemas.ts'
import { changePreferences, findPreferences } from './preferences.usecases.ts'

export const preferenceRoutes = newArea()

export const getPreferences = defineRoute('preferences.read', {
  method: 'get',
  path: '/user/preference',
  operationId: 'getPreferences',
  summary: 'All own preferences; what was never chosen is as by default',
  tags: ['User'],
  responses: { 200: json(PreferencesResponse, 'The preferences') },
})
preferenceRoutes.openapi(getPreferences, (c) => answer(c, 200, presentPreferences, findPreferences))

export const updatePreferences = defineRoute('preferences.write', {
  method: 'patch',
  path: '/user/preference',
  operationId: 'updatePreferences',
  summary: 'Change the preferences that are sent; null takes a choice back to its default',
  tags: ['User'],
  versioned: true,
  request: jsonRequest(UpdatePreferencesRequest),
  responses: { 200: json(PreferencesResponse, 'All preferences as they are now') },
  errors: [404],
})
preferenceRoutes.openapi(updatePreferences, (c) =>
  answer(c, 200, presentPreferences, (ctx) => changePreferences(ctx, c.req.valid('json'))),
)
