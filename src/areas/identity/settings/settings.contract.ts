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
      'Who may register; null takes the choice back.',
      'invite',
    ),
    deletionGraceDays: chosen(
      z.number().int().min(1).max(90),
      'Days until a deleted user is erased; null takes the choice back.',
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
      .openapi({ description: 'Which setting it is.', example: 'registration' }),
    value: value('What holds.'),
    default: value('What holds where no administrator chose.'),
    source: z.enum(['default', 'environment', 'administrator']).openapi({
      description: 'Who says so: the code, the configuration of the service, or an administrator.',
      example: 'administrator',
    }),
    description: textField('What it is about.', 'Who may register.'),
  })
  .openapi('SettingResponse')

export const SettingsResponse = z
  .object({
    settings: z.array(SettingResponse).openapi({ description: 'Every setting.' }),
    count,
    version: integerField('Grows with every change; see If-Match.', 1795000000000),
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
