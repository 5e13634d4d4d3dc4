import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { ValuationRow } from './valuations.queries.ts'

interface Forced {
  /** Whether it was forced upon adjustments that are reconciled. */
  forced?: true | undefined
}

type Valued = ValuationRow & { currency: string }

export const valuationEvents = defineEvents('valuation', {
  created: carries<Created<Valued> & Forced>(),
  updated: carries<Updated<ValuationRow> & Forced>(),
  deleted: carries<Deleted<Valued> & Forced>(),
})
