import { errorTable } from '../../../domain/errors.ts'

export const assertionErrors = errorTable('assertions', {
  notFound: ['notFound', 'There is no such balance assertion.'],
  unknownAccount: ['invalid', 'There is no such account, or you cannot see it.'],
  dateInFuture: ['invalid', 'The day is in the future. Enter today or an earlier day.'],
  taken: [
    'conflict',
    'The account already has the balance assertion {id} for this day, `when` and `of`, with another amount. Delete that one first.',
  ],
})
