import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentSettings, SettingsResponse, UpdateSettingsRequest } from './settings.contract.ts'
import * as settings from './settings.usecases.ts'

export const getSettings = operation({
  access: 'settings.read',
  on: 'GET /admin/settings',
  summary: 'Get the settings of the service',
  responses: { 200: json(SettingsResponse, 'The settings') },
  run: (ctx) => settings.getSettings(ctx),
  present: presentSettings,
})

export const updateSettings = operation({
  access: 'settings.write',
  on: 'PATCH /admin/settings',
  summary: 'Update the settings of the service',
  versioned: true,
  request: jsonRequest(UpdateSettingsRequest),
  responses: { 200: json(SettingsResponse, 'The settings as they are now') },
  run: (ctx, { body }) => settings.updateSettings(ctx, body),
  present: presentSettings,
})
