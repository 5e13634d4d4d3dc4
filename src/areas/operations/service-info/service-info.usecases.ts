import { DEV_BUILD } from '../../../env.ts'
import type { Context } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { type SettingValues, settingToRead } from '../../identity/settings/settings.public.ts'
import { defaultClass } from '../../files/storage-classes/storage-classes.public.ts'

export interface ServiceInfo {
  registration: SettingValues['registration']
  uploads: { maxObjectBytes: number; allowedTypes: string[] } | undefined
  settings: Context['settings']
  /** True if the build contains a description of the interface. */
  isDescribed: boolean
}

export async function getServiceInfo(ctx: Context): Promise<ServiceInfo> {
  const { settings } = ctx
  const [[policy], [uploads]] = await read(ctx, settingToRead(ctx, 'registration'), defaultClass())
  return {
    registration: policy?.value ?? settings.registration.value,
    uploads,
    settings,
    isDescribed: DEV_BUILD,
  }
}
