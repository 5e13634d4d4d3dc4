import type { z } from '@hono/zod-openapi'
import type { SettingsResponse } from './settings.schemas.ts'
import type { ServiceSettings } from './settings.usecases.ts'

export const presentSettings = ({
  settings,
  version,
}: ServiceSettings): z.infer<typeof SettingsResponse> => ({
  settings,
  count: settings.length,
  version,
})
