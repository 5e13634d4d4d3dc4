import type { Reader } from '../../../platform/work/readers.ts'
import { linkAfter, LINK } from './linking/automatic.usecases.ts'
import { followPrices } from './settling/prices.usecases.ts'
import { LINKING } from './recurring.queries.ts'

/** Links transactions of owners who have items that wait for some. */
export const recurringLinksReader: Reader = {
  name: LINKING,
  of: 'listeners',
  types: [
    ...['transaction.created', 'transaction.updated', 'transaction.restored', 'import.finished'],
    ...['recurring.created', 'recurring.updated', 'recurring.restored'],
  ],
  // An import ends with `import.finished`.
  leavesOut: ['imports.commit', LINK],
  react: linkAfter,
}

export const recurringPricesReader: Reader = {
  name: 'recurring.prices',
  types: ['recurring.settled'],
  react: followPrices,
}
