export { unshared } from './sharing.events.ts'
export { deleteSharesWith, isSharedWith, shareIsSeen, type ShareRow } from './sharing.queries.ts'
