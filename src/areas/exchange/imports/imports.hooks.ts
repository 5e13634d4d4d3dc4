import { type LedgerHook, ofTransactions } from '../../../ledger/ledger.public.ts'
import { moveIdentities, returnIdentities } from './identities/identities.queries.ts'

/**
 * What was imported stays known when its transaction is merged into another one, or a transfer is split again. A row that a
 * transfer took the place of keeps its own: the transfer is found by it.
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
