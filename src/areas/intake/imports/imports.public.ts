export { notesOfPieces, unbookedPieces } from './booking/booking.queries.ts'
export { type UnbookedRow, unbookedRows } from './imports.usecases.ts'
