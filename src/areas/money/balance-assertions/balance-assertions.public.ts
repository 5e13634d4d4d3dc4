export { assertionEvents, assertionThing, statedOf } from './balance-assertions.events.ts'
export {
  assertionsWithLock,
  balancesStated,
  endAssertionsOf,
  failingIn,
  type FailingRow,
  failingOf,
  insertAssertions,
} from './balance-assertions.queries.ts'
export { type Closing, closingsToAssert } from './closings/closings.queries.ts'
export { assertClosings } from './closings/closings.usecases.ts'
export type { AssertionRow } from './balance-assertions.rules.ts'
