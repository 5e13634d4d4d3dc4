import { type LedgerHook, ofTransactions } from '../../../ledger/ledger.public.ts'
import { moveIdentities, returnIdentities } from './identities/identities.queries.ts'

/**
 * Keeps the identities of imported rows when transactions are merged or transfers are unmatched. A row that a transfer
 * replaced keeps its identity, by which the transfer is found.
 */
export const importedRows: LedgerHook = {
  follow: (_, all) => {
    const movements = ofTransactions(all)
    const merged = movements.filter(({ what }) => what === 'merged')
    return [
      ...[...Map.groupBy(merged, ({ into: [toId = ''] = [] }) => toId)].map(([toId, some]) =>
        moveIdentities(
          some.map(({ id }) => id),
          toId,
        ),
      ),
      ...movements.flatMap(({ what, id, into = [] }) =>
        what === 'unmatched' ? [returnIdentities(id, into)] : [],
      ),
    ]
  },
}
