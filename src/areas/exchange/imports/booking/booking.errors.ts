import { errorTable } from '../../../../domain/errors.ts'

const errors = errorTable('imports', {
  accountGone: [
    'conflict',
    'You can no longer book on an account of the import. Ask its owner for access, and import the file again for the rest of its rows.',
  ],
  accountClosedMeanwhile: [
    'conflict',
    'An account of the import was closed. Reopen it, and import the file again for the rest of its rows.',
  ],
  labelGone: [
    'conflict',
    'A category, payee or tag that was chosen for a row is archived, deleted or of another kind. Import the file again for the rest of its rows, and choose another one.',
  ],
})

const gone = errors.labelGone

/** The errors that end a commit. */
export const bookingRefusals = {
  gone: errors.accountGone,
  closed: errors.accountClosedMeanwhile,
  labels: {
    categories: { unknown: gone, otherKind: gone, archived: gone },
    payees: { unknown: gone, archived: gone },
    tags: { unknown: gone, archived: gone },
  },
}
