// Common typing errors in an amount.

/** Tells whether two amounts differ by two swapped neighbouring digits. */
export function isTransposed(one: number, other: number): boolean {
  const length = Math.max(String(Math.abs(one)).length, String(Math.abs(other)).length)
  const [first, second] = [one, other].map((minor) =>
    String(Math.abs(minor)).padStart(length, '0'),
  ) as [string, string]
  const at = [...first].findIndex((digit, place) => digit !== second[place])
  return (
    at >= 0 &&
    Math.sign(one) === Math.sign(other) &&
    first[at] === second[at + 1] &&
    first[at + 1] === second[at] &&
    first.slice(at + 2) === second.slice(at + 2)
  )
}

const FACTORS = [10, 100]

/** Tells whether one of two amounts is ten or a hundred times the other, because a decimal point is in the wrong place. */
export const isShifted = (one: number, other: number): boolean =>
  FACTORS.some((factor) => one * factor === other || other * factor === one)
