import type { Area } from '../../area.ts'
import * as maintenance from './maintenance.routes.ts'

export const maintenanceArea: Area = { operations: [maintenance] }
