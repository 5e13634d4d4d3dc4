export { unshared } from './sharing.events.ts'
export { shareIsSeen, type ShareRow } from './sharing.queries.ts'
