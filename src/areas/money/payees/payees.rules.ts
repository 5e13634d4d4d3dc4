import { type Named, requireKnownLabels } from '../../../ledger/labels/labels.public.ts'
import { payeeErrors } from './payees.errors.ts'

/** Limit that allows a payee to be read and merged with all its aliases. */
export const MOST_ALIASES = 200

/** The most payees that are merged into another in one call. */
export const MOST_MERGED = 50

/** The errors for a payee that cannot be used in a booking. */
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
  requireKnownLabels(
    named,
    known,
    kept.map(({ payeeId }) => payeeId),
    payeeRefusals,
  )

/** A bank's text, folded, of a transaction on an account. */
export interface TextOnAccount {
  accountId: string
  key: string
}

/** A text whose draft may name the account by the key of its name. */
export type DraftText = TextOnAccount | { accountKey: string; key: string }

export const isOnNamed = (text: DraftText): boolean => 'accountKey' in text

/** The payee that it means to the owner of the account, if any. */
export interface Meaning extends TextOnAccount {
  payeeId: string | null
}
