import {
  type LedgerHook,
  ofTransactions,
  type TransactionMovement,
} from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { mustKeepMatched } from './matching.queries.ts'

/** A part that was matched with a row moves money to the account of that row, until the two are unmatched. */
export const matchedParts: LedgerHook = {
  followsStored: true,
  follow: (_, all) => {
    const ids = ofTransactions(all)
      .filter(losesLeg)
      .map(({ id }) => id)
    return ids.length === 0 ? [] : [mustKeepMatched(ids, transactionErrors.partMatched)]
  },
}

/** True if a part no longer moves money to the same account in the same direction. */
function losesLeg({ before, after }: TransactionMovement): boolean {
  const legs = ({ entries }: NonNullable<typeof before>) =>
    entries
      .filter(({ side, pair }) => side === 'account' && pair !== null)
      .map(({ pair, accountId, amountMinor }) => `${pair} ${accountId} ${amountMinor < 0}`)
  if (!before || !after) {
    return false
  }
  const left = new Set(legs(after))
  return legs(before).some((leg) => !left.has(leg))
}
