import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../../http/fields.ts'
import type { PreferencesResponse } from './preferences.schemas.ts'
import type { OwnPreferences } from './preferences.usecases.ts'

export const presentPreferences = (own: OwnPreferences): z.infer<typeof PreferencesResponse> => ({
  weekStart: own.weekStart,
  periodStartDay: own.periodStartDay,
  numberFormat: own.numberFormat,
  dateFormat: own.dateFormat,
  defaultAccountId: own.defaultAccountId,
  hideAmounts: own.hideAmounts,
  ...presentStamps(own),
})
