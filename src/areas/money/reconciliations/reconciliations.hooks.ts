import { type LedgerHook, ofTransactions } from '../../../ledger/ledger.public.ts'
import { moveTicks } from './rows.queries.ts'
import { movedLines } from './reconciliations.rules.ts'

/** A tick goes with its row to the one in its place on the account. */
export const tickedRows: LedgerHook = {
  followsStored: true,
  follow: (_, all) => moveTicks(movedLines(ofTransactions(all))),
}
