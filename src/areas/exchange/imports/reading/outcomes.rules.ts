import type { AnswerOutcome } from '../../../../domain/bank-files/format.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import { formatMoney } from '../../../../domain/money.ts'

export type TalliedRow = Pick<SettledRow, 'date' | 'minor' | 'currency' | 'errors'>

/** What rows come to: how many there are, from when to when, and what comes in and goes out in each currency. */
export function outcomeOf(rows: TalliedRow[]): Omit<AnswerOutcome, 'option'> {
  const booked = rows.flatMap(({ date, minor, currency, errors }) =>
    date === undefined || minor === undefined || errors.length > 0
      ? []
      : [{ date, minor, currency }],
  )
  const dates = booked.map(({ date }) => date).toSorted()
  const sums = new Map<string, { in: bigint; out: bigint }>()
  for (const { minor, currency } of booked) {
    const sum = sums.get(currency) ?? { in: 0n, out: 0n }
    sum[minor < 0 ? 'out' : 'in'] += BigInt(Math.abs(minor))
    sums.set(currency, sum)
  }
  return {
    rows: booked.length,
    errors: rows.length - booked.length,
    from: dates[0] ?? null,
    to: dates.at(-1) ?? null,
    sums: [...sums].map(([currency, sum]) => ({
      currency,
      in: formatMoney(sum.in, currency),
      out: formatMoney(sum.out, currency),
    })),
  }
}
