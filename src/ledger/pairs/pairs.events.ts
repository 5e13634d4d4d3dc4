import { carries, defineEvents } from '../../platform/log/events.ts'
import type { PairKind } from './pairs.queries.ts'

export const pairEvents = defineEvents('transaction', {
  /** Somebody said that two are no such pair. */
  pairDismissed: carries<{ kind: PairKind; transactionIds: string[] }>(),
})
