import { z } from '@hono/zod-openapi'
import { count, textField, integerField } from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { SETTING_KEYS } from './settings.rules.ts'
import type { ServiceSettings } from './settings.usecases.ts'

const chosen = <Value extends z.ZodType>(value: Value, description: string, example: unknown) =>
  value.nullable().optional().openapi({ description, example })

export const UpdateSettingsRequest = z
  .strictObject({
    registration: chosen(
      z.enum(['open', 'invite', 'closed']),
      'Who may register; null restores the default.',
      'invite',
    ),
    deletionGraceDays: chosen(
      z.number().int().min(1).max(90),
      'Number of days until a deleted user is erased; null restores the default.',
      14,
    ),
  })
  .refine((sent) => Object.keys(sent).length > 0, must('must name a setting to change', 'required'))
  .openapi('UpdateSettingsRequest')

const value = (description: string) =>
  z.union([z.string(), z.number().int()]).openapi({ description, example: 'invite' })

export const SettingResponse = z
  .object({
    key: z
      .enum(SETTING_KEYS)
      .openapi({ description: 'Name of the setting.', example: 'registration' }),
    value: value('Current value.'),
    default: value('Value that applies unless an administrator sets another one.'),
    source: z.enum(['default', 'environment', 'administrator']).openapi({
      description:
        'Where the value comes from: the code, the configuration of the service, or an administrator.',
      example: 'administrator',
    }),
    description: textField('What the setting controls.', 'Who may register.'),
  })
  .openapi('SettingResponse')

export const SettingsResponse = z
  .object({
    settings: z.array(SettingResponse).openapi({ description: 'All settings.' }),
    count,
    version: integerField('Version number, raised with every change. See If-Match.', 1795000000000),
  })
  .openapi('SettingsResponse')

export const presentSettings = ({
  settings,
  version,
}: ServiceSettings): z.infer<typeof SettingsResponse> => ({
  settings,
  count: settings.length,
  version,
})
