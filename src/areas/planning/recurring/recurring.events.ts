import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  lifecycleOf,
} from '../../../platform/log/events.ts'
import type { StoredRecurring } from './recurring.rules.ts'

/** An occurrence that something happened to. */
interface AtOccurrence {
  nominalDate: string
}

export const recurringEvents = defineEvents('recurring', {
  ...lifecycleOf<StoredRecurring>(),
  restored: carries<Created<Omit<StoredRecurring, 'nextAt'>>>(),
  /** Erased from the trash. */
  erased: carries<Deleted<Omit<StoredRecurring, 'nextAt'>>>(),
  /** A transaction was booked for it, or linked to it. */
  settled: carries<AtOccurrence & { transactionIds: string[] }>(),
  skipped: carries<AtOccurrence>(),
  /** An amount that was paid twice in a row became that of the item. */
  priceChanged: carries<
    AtOccurrence & { beforeMinor: number; afterMinor: number; percent: string }
  >(),
  missed: carries<AtOccurrence & { reason: string }>(),
})
