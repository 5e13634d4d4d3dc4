import { WIPE_KINDS, type WipeKind } from '../../../../domain/owned-data.ts'

export interface Wipe {
  kinds: WipeKind[]
  requestedAt: number
  dueAt: number
}

/** Each once, in the order in which they are declared. */
export const wipesInOrder = (kinds: WipeKind[]): WipeKind[] =>
  WIPE_KINDS.filter((kind) => kinds.includes(kind))
