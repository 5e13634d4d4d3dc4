export { costsIn, type UnpackedItem, unpackItem } from './costs.rules.ts'
export { type OccurrenceView, transactionFor } from './occurrences/occurrences.rules.ts'
export {
  type NamedItem,
  packedItem,
  plannedItemIds,
  visibleItemNames,
} from './recurring.queries.ts'
export { unpaidOf, unsettledIn, type UpcomingOccurrence } from './upcoming/upcoming.rules.ts'
