import { isWhole } from './operations.ts'
import { isProof, SEED } from './rounds.ts'

let turn = SEED

/**
 * So many of a list, the next ones at each call: what is asked of each of many operations is all asked together.
 * All of them each time with `npm run prove`, and where `COFFER_ONLY` leaves few operations.
 */
export function someOf<Item>(list: readonly Item[], count: number): Item[] {
  if (isProof || !isWhole || list.length <= count) {
    return [...list]
  }
  const from = turn
  turn += count
  return Array.from({ length: count }, (_, at) => list[(from + at) % list.length] as Item)
}
