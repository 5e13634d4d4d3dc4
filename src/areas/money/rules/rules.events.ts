import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  lifecycleOf,
} from '../../../platform/log/events.ts'
import type { PlacelessRule } from './rules.queries.ts'

export const ruleEvents = defineEvents('rule', {
  ...lifecycleOf<PlacelessRule>(),
  /** The ids of all rules, in their order. */
  reordered: carries<{ before: { ruleIds: string[] }; after: { ruleIds: string[] } }>(),
  restored: carries<Created<PlacelessRule>>(),
  /** Erased from the trash. */
  erased: carries<Deleted<PlacelessRule>>(),
})
