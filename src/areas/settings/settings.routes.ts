import { answer } from '../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentSettings } from './settings.presenters.ts'
import { SettingsResponse, UpdateSettingsRequest } from './settings.schemas.ts'
import { changeSettings, findSettings } from './settings.usecases.ts'

export const settingRoutes = newArea()

export const getSettings = defineRoute('settings.read', {
  method: 'get',
  path: '/admin/settings',
  operationId: 'getSettings',
  summary: 'Every setting of the service, with its default and who chose it',
  tags: ['Administration'],
  responses: { 200: json(SettingsResponse, 'The settings') },
})
settingRoutes.openapi(getSettings, (c) => answer(c, 200, presentSettings, findSettings))

export const updateSettings = defineRoute('settings.write', {
  method: 'patch',
  path: '/admin/settings',
  operationId: 'updateSettings',
  summary: 'Change settings: those that are sent; null takes a choice back',
  tags: ['Administration'],
  versioned: true,
  request: jsonRequest(UpdateSettingsRequest),
  responses: { 200: json(SettingsResponse, 'The settings as they are now') },
})
settingRoutes.openapi(updateSettings, (c) =>
  answer(c, 200, presentSettings, (ctx) => changeSettings(ctx, c.req.valid('json'))),
)
