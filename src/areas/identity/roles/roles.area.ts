import type { Area } from '../../area.ts'
import * as roles from './roles.routes.ts'

export const rolesArea: Area = { tag: 'Roles', operations: [roles] }
