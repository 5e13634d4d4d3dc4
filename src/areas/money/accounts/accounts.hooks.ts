import type { LedgerHook, Movement } from '../../../ledger/ledger.public.ts'
import {
  requireWritable,
  requireOwnBookings,
  requireAccess,
} from '../../identity/access/access.public.ts'

/**
 * Nobody books on an account that is closed, or where they may not, or changes what others booked where they may change
 * their own alone. A task has no caller, and goes by what was allowed to whoever caused it.
 */
export const bookableAccounts: LedgerHook = {
  guard: (ctx, movements, errors) => {
    const { caller } = ctx
    if (!caller) {
      return []
    }
    const signedIn = { ...ctx, caller }
    const of = (change: Movement['change']) => movements.filter((one) => one.change === change)
    const [money, meaning, words] = [of('money'), of('meaning'), of('words')]
    const stored = money.filter(({ before }) => before)
    return [
      ...(money.length === 0
        ? []
        : [requireWritable(signedIn, accountsOf(money), 'write', errors)]),
      ...(meaning.length === 0
        ? []
        : [requireWritable(signedIn, accountsOf(meaning), 'annotate', errors)]),
      ...(words.length === 0
        ? []
        : [requireAccess(signedIn, 'annotate', accountsOf(words), errors.gone)]),
      ...(stored.length === 0
        ? []
        : requireOwnBookings(
            ctx,
            stored.map(({ id }) => id),
          )),
    ]
  },
}

const accountsOf = (movements: Movement[]) => [
  ...new Set(movements.flatMap(({ accountIds }) => accountIds)),
]
