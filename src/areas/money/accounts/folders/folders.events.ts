import { defineEvents, lifecycleOf } from '../../../../platform/log/events.ts'
import type { Group } from './folders.queries.ts'

export const accountGroupEvents = defineEvents('accountGroup', lifecycleOf<Group>())
