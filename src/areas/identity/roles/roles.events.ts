import {
  type Created,
  carries,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { RoleContent } from './roles.rules.ts'

export const roleEvents = defineEvents('role', {
  created: carries<Created<RoleContent>>(),
  updated: carries<Updated<RoleContent>>(),
  deleted: carries<Deleted<RoleContent>>(),
})
