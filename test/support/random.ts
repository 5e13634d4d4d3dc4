/** A small generator of numbers that a seed repeats: mulberry32. */
export function randomFrom(seed: number) {
  let state = seed
  /** From 0 to 2 ** 32 - 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const share = () => next() / 2 ** 32
  const whole = (least: number, most: number) => least + Math.floor(share() * (most - least + 1))
  return {
    whole,
    below: (most: number) => whole(0, most - 1),
    chance: (ofOne: number) => share() < ofOne,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) {
        throw new Error('nothing to pick from')
      }
      return item
    },
    bytes: (count: number): Uint8Array<ArrayBuffer> =>
      Uint8Array.from({ length: count }, () => next() >>> 24),
  }
}

/** A seed of its own for each text. */
export const hashOf = (text: string, seed = 0): number =>
  [...text].reduce((hash, char) => (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) | 0, seed) >>>
  0

export type Random = ReturnType<typeof randomFrom>
