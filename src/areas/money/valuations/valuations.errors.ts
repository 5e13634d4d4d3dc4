import { errorTable, SEND_FORCE } from '../../../domain/errors.ts'

export const valuationErrors = errorTable('valuations', {
  notFound: ['notFound', 'There is no such valuation.'],
  accountNotFound: ['notFound', 'There is no such account.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  accountClosed: ['conflict', 'The account is closed. Reopen it or choose another one.'],
  onBudget: [
    'conflict',
    'An account on the budget cannot have valuations. Record transactions or adjust its balance instead.',
  ],
  dayTaken: [
    'conflict',
    'The account already has a valuation on this day. Update that one instead.',
  ],
  reconciled: [
    'conflict',
    `This would change an adjustment that is reconciled with a statement. To change it, ${SEND_FORCE}.`,
  ],
})
