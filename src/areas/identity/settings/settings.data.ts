import { settings } from '../../../../drizzle/schema/system.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** What administrators say; nobody owns it. */
export const settingData: OwnedData = { area: 'settings', tables: [settings] }
