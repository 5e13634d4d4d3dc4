export { type NamedItem, visibleItemNames } from './recurring.queries.ts'
