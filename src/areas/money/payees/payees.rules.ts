import { type Named, requireKnown } from '../../../ledger/labels/labels.public.ts'
import { payeeErrors } from './payees.errors.ts'

/** Limit that allows a payee to be read and merged with all its aliases. */
export const MOST_ALIASES = 200

/** How many payees are merged into another in one call. */
export const MOST_MERGED = 50

/** Why a payee cannot be booked with. */
export const payeeRefusals = {
  unknown: payeeErrors.notThere,
  archived: payeeErrors.archivedPayee,
}

/** Refuses payees that are not the caller's, and archived ones where they are not already. */
export const requirePayees = (
  named: Named[],
  known: { id: string; archived: boolean }[],
  kept: { payeeId: string }[] = [],
): void =>
  requireKnown(
    named,
    known,
    kept.map(({ payeeId }) => payeeId),
    payeeRefusals,
  )
