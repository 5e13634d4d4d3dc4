import { relabelTrashed } from '../../../ledger/labels/labels.public.ts'
import { type LedgerHook, ofLabels } from '../../../ledger/ledger.public.ts'
import { relabelRecurring } from './recurring.queries.ts'

/** A label that takes the place of others takes it in items, too, and one that is deleted comes off. */
export const relabelledRecurring: LedgerHook = {
  follow: (ctx, movements) => {
    const { caller } = ctx
    return ofLabels(movements).flatMap(({ from, to, isReturn }) =>
      caller && !isReturn
        ? from.flatMap((id) => [
            ...relabelRecurring({ ...ctx, caller }, { from: id, to }),
            relabelTrashed({ ...ctx, caller }, 'recurring', { from: id, to }),
          ])
        : [],
    )
  },
}
