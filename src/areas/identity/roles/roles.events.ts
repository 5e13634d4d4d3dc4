import { defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { RoleContent } from './roles.rules.ts'

export const roleEvents = defineEvents('role', lifecycleOf<RoleContent>())
