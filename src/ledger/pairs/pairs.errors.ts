import { errorTable } from '../../domain/errors.ts'

export const pairErrors = errorTable('ledger', {
  window: [
    'invalid',
    'The period can have at most 366 days, and its last day must not be before the first.',
  ],
  tooManyDismissed: [
    'conflict',
    'At most 100 pairs with the same transaction can be dismissed, as duplicates and as transfers together.',
  ],
})
