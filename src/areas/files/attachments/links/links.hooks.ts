import { type LedgerHook, ofTransactions } from '../../../../ledger/ledger.public.ts'
import { moveFileLinks, mustHaveFewFiles } from './links.queries.ts'

/** The files of a transaction go with it to the one in its place. Refuses when that then has too many, so that none is lost. */
export const attachedFiles: LedgerHook = {
  followsStored: true,
  follow: (_, movements) => {
    const replaced = Map.groupBy(
      ofTransactions(movements).filter(({ into }) => into),
      ({ into: [toId = ''] = [] }) => toId,
    )
    return [
      ...[...replaced].map(([toId, from]) =>
        moveFileLinks(
          from.flatMap(({ before }) => before?.header ?? []),
          toId,
        ),
      ),
      ...(replaced.size === 0 ? [] : [mustHaveFewFiles([...replaced.keys()])]),
    ]
  },
}
