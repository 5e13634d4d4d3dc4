import type { Reader } from '../../../platform/work/readers.ts'
import { linkAfter, LINK } from './linking/automatic.usecases.ts'
import { followPrices } from './settling/prices.usecases.ts'
import { LINKING } from './recurring.queries.ts'

const OF_TRANSACTIONS = ['transaction.created', 'transaction.updated', 'transaction.restored']
const OF_OTHERS = [
  ...['import.finished', 'recurring.created', 'recurring.updated', 'recurring.restored'],
]

/** Links transactions of owners who have items that wait for some. */
export const recurringLinksReader: Reader = {
  name: LINKING,
  of: 'listeners',
  types: [...OF_TRANSACTIONS, ...OF_OTHERS],
  // An import ends with `import.finished`, and what it does itself is no reason to do it again.
  leavesOut: [
    ...OF_TRANSACTIONS.map((type) => `imports.commit ${type}`),
    ...[...OF_TRANSACTIONS, ...OF_OTHERS].map((type) => `${LINK} ${type}`),
  ],
  react: linkAfter,
}

export const recurringPricesReader: Reader = {
  name: 'recurring.prices',
  types: ['recurring.settled'],
  react: followPrices,
}
