import { payeeRefusals } from '../../payees/payees.public.ts'
import { tagRefusals } from '../../tags/tags.public.ts'
import { labelErrors } from '../labels/labels.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { transferErrors } from './transfers.errors.ts'

/** The errors of a commit that changes a transaction with one account. */
export const bookingErrors = {
  gone: transactionErrors.accountNotFound,
  closed: transactionErrors.accountClosed,
  linked: transactionErrors.linkedAmount,
  labels: labelErrors,
}

/** The errors of a commit that changes a transfer. */
export const transferBookingErrors = {
  gone: transferErrors.accountNotFound,
  closed: transferErrors.accountClosed,
  linked: transferErrors.linkedAmount,
  labels: {
    categories: {
      unknown: transferErrors.unknownCategory,
      otherKind: transferErrors.categoryKind,
      archived: transferErrors.archivedCategory,
    },
    payees: payeeRefusals,
    tags: tagRefusals,
  },
}
