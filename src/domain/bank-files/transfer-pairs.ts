import { absoluteDecimal, isNegativeDecimal } from './decimals.ts'

/** Both counts are in one number, as there may be very many of them; no file has so many rows. */
const OTHER_SIDE = 2 ** 24

/**
 * Finds the two sides of transfers that a source writes on both accounts without an id: by the accounts, the date, and
 * opposite amounts. The first such row of one account belongs to the first of the other one, and so on.
 */
export class TransferPairs {
  /** The number of equal rows so far on the paying side and on the other side, by their content. */
  readonly #counts = new Map<string, number>()

  /** Returns the key that this side of a transfer shares with the other side. */
  keyOf(own: string, other: string, date: string, amount: string): string {
    const isOut = isNegativeDecimal(amount)
    const key = JSON.stringify([
      isOut ? own : other,
      isOut ? other : own,
      date,
      absoluteDecimal(amount),
    ])
    const counts = this.#counts.get(key) ?? 0
    const step = isOut ? 1 : OTHER_SIDE
    this.#counts.set(key, counts + step)
    const count = isOut ? (counts % OTHER_SIDE) + 1 : Math.floor(counts / OTHER_SIDE) + 1
    return `${key}#${count}`
  }
}
