export { assertionEvents, assertionThing, statedByAssertion } from './balance-assertions.events.ts'
export {
  assertionsAmong,
  assertionsToCheck,
  assertionsWithLock,
  balancesStated,
  deleteAssertionRow,
  endAssertionsOf,
  failingIn,
  type FailingRow,
  failingOf,
  firstFailingDay,
  insertAssertions,
} from './balance-assertions.queries.ts'
export { type StatedClosing, closingsToAssert } from './checking.queries.ts'
export type { AssertionRow } from './balance-assertions.rules.ts'
export { assertionFrom, assertClosings } from './balance-assertions.usecases.ts'
