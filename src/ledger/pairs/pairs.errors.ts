import { errorTable } from '../../domain/errors.ts'

export const pairErrors = errorTable('ledger', {
  window: ['invalid', 'The days looked through are 366 at most, the last not before the first.'],
})
