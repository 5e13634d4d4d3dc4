export { notesOfPieces, unbookedPieces } from './unbooked.queries.ts'
export { type UnbookedRow, unbookedRows } from './imports.usecases.ts'
