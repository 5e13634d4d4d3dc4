export { costsIn, unpackItem } from './costs.rules.ts'
export { transactionFor } from './occurrences/occurrences.rules.ts'
export {
  type NamedItem,
  packedItem,
  plannedItemIds,
  visibleItemNames,
} from './recurring.queries.ts'
export { isResting } from './recurring.rules.ts'
export { unpaidOf, unsettledIn } from './upcoming/upcoming.rules.ts'
