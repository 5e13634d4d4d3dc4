import { z } from '@hono/zod-openapi'
import {
  idInput,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../../http/fields.ts'
import { DATE_FORMATS, NUMBER_FORMATS, WEEK_DAYS } from './preferences.rules.ts'
import type { OwnPreferences } from './preferences.usecases.ts'

const weekStart = z
  .enum(WEEK_DAYS)
  .openapi({ description: 'First day of the week.', example: 'monday' })

const periodStartDay = integerField('Day of the month on which a period starts, from 1 to 28.', 25)
  .min(1)
  .max(28)

const numberFormat = z.enum(NUMBER_FORMATS).openapi({
  description:
    'Format of amounts: 1,234.56 is commaDot, 1.234,56 dotComma, 1 234,56 spaceComma, 1’234.56 apostropheDot, 12,34,567.89 indian, 1234.56 plainDot, 1234,56 plainComma.',
  example: 'dotComma',
})

const dateFormat = z
  .enum(DATE_FORMATS)
  .openapi({ description: 'Format of dates.', example: 'dd.MM.yyyy' })

const hideAmounts = booleanField('Whether amounts are hidden until the user reveals them.', false)

export const PreferencesResponse = z
  .object({
    weekStart,
    periodStartDay,
    numberFormat,
    dateFormat,
    defaultAccountId: z.string().nullable().openapi({
      description: 'Account that is suggested first; null if none is set or the account is gone.',
      example: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
    }),
    hideAmounts,
    ...stamps,
  })
  .openapi('PreferencesResponse')

export const UpdatePreferencesRequest = z
  .strictObject({
    weekStart: weekStart.nullish(),
    periodStartDay: periodStartDay.nullish(),
    numberFormat: numberFormat.nullish(),
    dateFormat: dateFormat.nullish(),
    defaultAccountId: idInput('acc', 'Id of an account that the caller sees.').nullish(),
    hideAmounts: hideAmounts.nullish(),
  })
  .openapi('UpdatePreferencesRequest', {
    description: 'Preferences to change. Send null to restore a default.',
  })

export const presentPreferences = (own: OwnPreferences): z.infer<typeof PreferencesResponse> => ({
  weekStart: own.weekStart,
  periodStartDay: own.periodStartDay,
  numberFormat: own.numberFormat,
  dateFormat: own.dateFormat,
  defaultAccountId: own.defaultAccountId,
  hideAmounts: own.hideAmounts,
  ...presentStamps(own),
})
