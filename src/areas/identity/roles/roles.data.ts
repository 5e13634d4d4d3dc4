import { rolePermissions, roles } from '../../../../drizzle/schema/system.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** The roles of administrators; nobody owns them. */
export const roleData: OwnedData = { area: 'roles', tables: [roles, rolePermissions] }
