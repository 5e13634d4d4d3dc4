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
export type { AssertionRow } from './balance-assertions.rules.ts'
