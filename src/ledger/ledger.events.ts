import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  type Updated,
} from '../platform/log/events.ts'
import type { Relabelled } from './journal/relabelling.rules.ts'
import type { Snapshot } from './journal/snapshots.rules.ts'
import type { PairKind } from './pairs/pairs.queries.ts'

/** Flags that any event of money can carry besides its snapshots. */
export interface EventFlags {
  /** Set if a change of something reconciled was forced. */
  forced?: true
  /** While it is private to whoever made it, or was before. */
  private?: true
}

/** With the account where that differs: one that a transaction was moved to from another. */
type MovedSnapshot = Snapshot & { accountId?: string }

/** One per account line, so that everybody whose account moved gets an event. */
export const transactionEvents = defineEvents('transaction', {
  created: carries<Created<Snapshot> & EventFlags>(),
  /**
   * The event of an account that a transaction was moved away from has only `before`. The event of a label that
   * replaced others has only the labels that were removed and added.
   */
  updated: carries<
    (Updated<MovedSnapshot> | Deleted<Snapshot> | Updated<Relabelled>) & EventFlags
  >(),
  deleted: carries<Deleted<Snapshot> & EventFlags>(),
  restored: carries<Created<Snapshot> & EventFlags>(),
  erased: carries<Deleted<Snapshot> & EventFlags>(),
})

/** Events of a transfer, for its legs and for the rows that it replaces. */
export const transferEvents = defineEvents('transfer', {
  matched: carries<(Created<Snapshot> | Deleted<Snapshot>) & EventFlags>(),
  unmatched: carries<(Created<Snapshot> | Deleted<Snapshot>) & EventFlags>(),
})

/** Events of a row that becomes the other side of a part, or no longer is it: of the row, of the part's whole, and of the other side. */
export const splitEvents = defineEvents('transaction', {
  splitMatched: carries<
    (Created<Snapshot> | Updated<MovedSnapshot> | Deleted<Snapshot>) & EventFlags
  >(),
  splitUnmatched: carries<
    (Created<Snapshot> | Updated<MovedSnapshot> | Deleted<Snapshot>) & EventFlags
  >(),
})

/**
 * The inverse of the change behind each event of money: an event of the journal, an operation of its own, or none,
 * with the reason.
 */
export const INVERSES: Record<
  string,
  { event: string } | { operation: string } | { none: string }
> = {
  'transaction.created': { event: 'transaction.deleted' },
  'transaction.updated': { event: 'transaction.updated' },
  'transaction.deleted': { event: 'transaction.restored' },
  'transaction.restored': { event: 'transaction.deleted' },
  'transaction.erased': {
    none: 'It is gone for good, whether by its account, its import or the trash.',
  },
  'transfer.matched': { operation: 'unmatchTransfer' },
  'transfer.unmatched': { operation: 'matchTransfer' },
  'transaction.splitMatched': { operation: 'unmatchSplit' },
  'transaction.splitUnmatched': { operation: 'matchSplit' },
  'ledger.checked': { none: 'Nothing changed.' },
  'ledger.checkContinued': { none: 'Nothing changed.' },
  'ledger.recalculated': { none: 'Sums were made equal to what is booked.' },
  'ledger.recalculationContinued': { none: 'Sums were made equal to what is booked.' },
}

/** Events of nightly checks and recalculations, by their tasks. Their counts are facts. */
export const ledgerEvents = defineEvents('ledger', {
  checked: carries(),
  checkContinued: carries(),
  recalculated: carries(),
  recalculationContinued: carries(),
})

export const projectionEvents = defineEvents('account', {
  /** A projection was not what the entries say; of many findings it names the first. */
  recalculated: carries<{ differences: number; findings: string[] }>(),
})

export const pairEvents = defineEvents('transaction', {
  /** Somebody said that two are no such pair. */
  pairDismissed: carries<{ kind: PairKind; transactionIds: string[] }>(),
})
