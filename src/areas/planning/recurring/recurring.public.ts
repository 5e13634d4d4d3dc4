export { costsIn } from './costs.rules.ts'
export {
  type NamedItem,
  packedItem,
  plannedItems,
  unpackItem,
  visibleItemNames,
} from './recurring.queries.ts'
export { isResting, type RecurringItem, transactionWith } from './recurring.rules.ts'
export { unpaidOf, unsettledIn } from './upcoming/upcoming.rules.ts'
