import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { ValuationRow } from './valuations.queries.ts'

interface Forced {
  /** Set if a change of reconciled adjustments was forced. */
  forced?: true | undefined
}

type Valued = ValuationRow & { currency: string }

export const valuationEvents = defineEvents('valuation', {
  created: carries<Created<Valued> & Forced>(),
  updated: carries<Updated<ValuationRow> & Forced>(),
  deleted: carries<Deleted<Valued> & Forced>(),
})
