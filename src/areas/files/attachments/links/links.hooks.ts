import { type LedgerHook, ofTransactions } from '../../../../ledger/ledger.public.ts'
import { moveFileLinks } from './links.queries.ts'

/** The files of a transaction go with it to the one in its place. */
export const attachedFiles: LedgerHook = {
  follow: (_, movements) =>
    [
      ...Map.groupBy(
        ofTransactions(movements).filter(({ into }) => into),
        ({ into: [toId = ''] = [] }) => toId,
      ),
    ].map(([toId, replaced]) =>
      moveFileLinks(
        replaced.flatMap(({ before }) => before?.header ?? []),
        toId,
      ),
    ),
}
