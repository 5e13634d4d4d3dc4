import { relabelTrashed } from '../../../ledger/labels/labels.public.ts'
import { type LedgerHook, ofLabels } from '../../../ledger/ledger.public.ts'
import { relabelRules } from './rules.queries.ts'

/**
 * A label that takes the place of others takes it in rules, too, and in those in the trash. One that comes back from the trash leaves
 * them as they are.
 */
export const relabelledRules: LedgerHook = {
  follow: (ctx, movements) => {
    const { caller } = ctx
    return ofLabels(movements).flatMap(({ from, to, isReturn }) =>
      caller && to !== null && !isReturn
        ? from.flatMap((id) => [
            ...relabelRules({ ...ctx, caller }, { from: id, to }),
            relabelTrashed({ ...ctx, caller }, 'rule', { from: id, to }),
          ])
        : [],
    )
  },
}
