import { answer } from '../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentSettings, SettingsResponse, UpdateSettingsRequest } from './settings.contract.ts'
import * as settings from './settings.usecases.ts'

export const getSettings = operation(
  'settings.read',
  {
    method: 'get',
    path: '/admin/settings',
    operationId: 'getSettings',
    summary: 'Get the settings of the service',
    tags: ['Administration'],
    responses: { 200: json(SettingsResponse, 'The settings') },
  },
  (c) => answer(c, 200, presentSettings, settings.getSettings),
)

export const updateSettings = operation(
  'settings.write',
  {
    method: 'patch',
    path: '/admin/settings',
    operationId: 'updateSettings',
    summary: 'Update the settings of the service',
    tags: ['Administration'],
    versioned: true,
    request: jsonRequest(UpdateSettingsRequest),
    responses: { 200: json(SettingsResponse, 'The settings as they are now') },
  },
  (c) =>
    answer(c, 200, presentSettings, (ctx) => settings.updateSettings(ctx, c.req.valid('json'))),
)
