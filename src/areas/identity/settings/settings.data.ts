import { settings } from '../../../../drizzle/schema/system.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** The settings of administrators; nobody owns them. */
export const settingData: OwnedData = { area: 'settings', tables: [settings] }
