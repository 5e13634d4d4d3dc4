import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../../platform/events.ts'
import type { Group } from './folders.queries.ts'

export const accountGroupEvents = defineEvents('accountGroup', {
  created: carries<Created<Group>>(),
  updated: carries<Updated<Group>>(),
  deleted: carries<Deleted<Group>>(),
})
