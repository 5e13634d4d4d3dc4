import { errorTable } from '../../../../domain/errors.ts'

const errors = errorTable('imports', {
  accountGone: ['conflict', 'You can no longer book on an account of the import.'],
  accountClosedMeanwhile: ['conflict', 'An account of the import was closed. Reopen it first.'],
  labelGone: [
    'conflict',
    'A category, payee or tag that was chosen for a row is archived, deleted or of another kind.',
  ],
})

const gone = errors.labelGone

/** What stands in the way of booking a piece. */
export const bookingRefusals = {
  gone: errors.accountGone,
  closed: errors.accountClosedMeanwhile,
  labels: {
    categories: { unknown: gone, otherKind: gone, archived: gone },
    payees: { unknown: gone, archived: gone },
    tags: { unknown: gone, archived: gone },
  },
}
