import { type SQL, sql } from 'drizzle-orm'

// Each amount and each balance fits a number, their sum over a list need not: beyond 2^53 D1 hands back
// another number, and beyond 2^63 SQLite fails. So what is shown is summed in two halves, as text.

/** A wide sum as it leaves the database: the sums of the upper and of the lower halves. */
export type WideSum = string

const HALF = 32n

export const wideSum = (amount: SQL): SQL =>
  sql`(ifnull(sum(${amount} >> 32), 0) || ' ' || ifnull(sum(${amount} & 4294967295), 0))`

/** The wide sum of a window, given as what follows OVER. */
export const wideRunningSum = (amount: SQL, window: SQL): SQL =>
  sql`(sum(${amount} >> 32) OVER ${window} || ' ' || sum(${amount} & 4294967295) OVER ${window})`

/** A sum as a number to compare with amounts. Beyond 64 bits it is approximate, and far from any amount. */
export const comparableSum = (amount: SQL): SQL =>
  sql`(ifnull(sum(${amount} >> 32), 0) * 4294967296 + ifnull(sum(${amount} & 4294967295), 0))`

export function fromWideSum(text: WideSum): bigint {
  const [upper = '0', lower = '0'] = text.split(' ')
  return (BigInt(upper) << HALF) + BigInt(lower)
}
