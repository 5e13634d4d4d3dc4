/** The rows of a bank's file that the service and its peer are both given, from the number of each. */

import { amountOf, wordsOf } from './ledger-data.ts'

export const SIZES = (process.env['BENCH_ROWS'] ?? '1000,10000,100000').split(',').map(Number)

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 1800

interface Row {
  date: string
  payee: string
  notes: string
  /** Minor units. */
  amount: number
}

/** In the order of a bank: the oldest first, spread over the same five years however many there are. */
export const rowOf = (n: number, rows: number): Row => ({
  date: new Date(Date.UTC(2021, 11, 1) + Math.floor((n / rows) * DAYS) * DAY_MS)
    .toISOString()
    .slice(0, 10),
  payee: `Shop ${n % 100}`,
  notes: `CARD PAYMENT ${wordsOf(n)} BERLIN DE`,
  amount: n % 20 === 0 ? 100_000 + amountOf(n) : -amountOf(n),
})

/** About a hundred bytes for each row. */
export function csvOf(rows: number): string {
  let balance = 0
  const lines = Array.from({ length: rows }, (_, n) => {
    const { date, payee, notes, amount } = rowOf(n, rows)
    balance += amount
    return `${date},${date},"${payee}","${notes}",${(amount / 100).toFixed(2)},EUR,${(balance / 100).toFixed(2)}`
  })
  return `${['Booking date,Value date,Payee,Description,Amount,Currency,Balance', ...lines].join('\n')}\n`
}
