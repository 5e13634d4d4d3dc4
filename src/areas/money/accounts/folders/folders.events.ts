import { defineEvents, lifecycleOf } from '../../../../platform/events.ts'
import type { Group } from './folders.queries.ts'

export const accountGroupEvents = defineEvents('accountGroup', lifecycleOf<Group>())
