export { notesOfPieces, unbookedPieces } from './unbooked/unbooked.queries.ts'
export { type UnbookedRow, unbookedRows } from './unbooked/unbooked.usecases.ts'
