import { type LedgerHook, ofTransactions } from '../../../ledger/ledger.public.ts'
import { moveIdentities, mustStandForFew, returnIdentities } from './identities.queries.ts'

/**
 * Keeps the identities of imported rows when transactions are merged or transfers are unmatched. A row that a transfer
 * replaced keeps its identity, by which the transfer is found.
 */
export const importedRows: LedgerHook = {
  followsStored: true,
  follow: (_, all) => {
    const movements = ofTransactions(all)
    const merged = Map.groupBy(
      movements.filter(({ what }) => what === 'merged'),
      ({ into: [toId = ''] = [] }) => toId,
    )
    return [
      ...[...merged].map(([toId, some]) =>
        moveIdentities(
          some.map(({ id }) => id),
          toId,
        ),
      ),
      ...(merged.size === 0 ? [] : [mustStandForFew([...merged.keys()])]),
      ...movements.flatMap(({ what, id, into = [] }) =>
        what === 'unmatched' ? [returnIdentities(id, into)] : [],
      ),
    ]
  },
}
