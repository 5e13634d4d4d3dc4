import {
  type LedgerHook,
  ofLabels,
  ofTransactions,
  type TransactionMovement,
} from '../../../ledger/ledger.public.ts'
import {
  requireWritable,
  requireOwnBookings,
  requireAccess,
  requireHistory,
} from '../../identity/access/access.public.ts'

/**
 * Nobody books on an account that is closed, or where they may not, or changes what others booked where they may change
 * their own alone; nor changes labels of what they do not see. A task has no caller, and goes by what was allowed to whoever
 * caused it.
 */
export const bookableAccounts: LedgerHook = {
  guard: (ctx, all, errors) => {
    const { caller } = ctx
    if (!caller) {
      return []
    }
    const signedIn = { ...ctx, caller }
    const movements = ofTransactions(all)
    const of = (change: TransactionMovement['change']) =>
      movements.filter((one) => one.change === change)
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
      ...(stored.length === 0 ? [] : requireOwnBookings(ctx, stored)),
      ...ofLabels(all).map(({ lines }) => requireHistory(signedIn, lines)),
    ]
  },
}

const accountsOf = (movements: TransactionMovement[]) => [
  ...new Set(movements.flatMap(({ accountIds }) => accountIds)),
]
