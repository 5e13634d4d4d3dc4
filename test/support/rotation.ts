import { isWhole } from './operations.ts'
import { hashOf } from './random.ts'
import { isProof } from './rounds.ts'

/**
 * So many of a list, from a place that follows from what it is asked for: what is asked of each of many operations is all asked
 * together, and always of the same ones. All of them with `npm run prove`, and where `COFFER_ONLY` leaves few operations.
 */
export function someOf<Item>(list: readonly Item[], count: number, askedFor: string): Item[] {
  if (isProof || !isWhole || list.length <= count) {
    return [...list]
  }
  const from = hashOf(askedFor) % list.length
  return Array.from({ length: count }, (_, at) => list[(from + at) % list.length] as Item)
}
