import { rolePermissions, roles } from '../../../../drizzle/schema/system.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** What administrators say; nobody owns it. */
export const roleData: OwnedData = { area: 'roles', tables: [roles, rolePermissions] }
