import type { Area } from '../../area.ts'
import * as maintenance from './maintenance.routes.ts'

export const maintenanceArea: Area = { tag: 'Maintenance', operations: [maintenance] }
