import type { StoredRate } from '../../domain/exchange.ts'

interface PackedRates {
  currency: string
  base: string
  target: string
  toTarget: string | null
  fromTarget: string | null
  toBase: string | null
  fromBase: string | null
  baseToTarget: string | null
  targetToBase: string | null
}

/** The rates of all rows, each pair once. */
export function storedRates(rows: PackedRates[]): StoredRate[] {
  const byPair = new Map(
    rows
      .flatMap((row) => {
        const { currency, base, target } = row
        return [
          ...unpack(currency, target, row.toTarget),
          ...unpack(target, currency, row.fromTarget),
          ...unpack(currency, base, row.toBase),
          ...unpack(base, currency, row.fromBase),
          ...unpack(base, target, row.baseToTarget),
          ...unpack(target, base, row.targetToBase),
        ]
      })
      .map((rate) => [`${rate.from} ${rate.to}`, rate]),
  )
  return [...byPair.values()]
}

function unpack(from: string, to: string, packed: string | null): StoredRate[] {
  const [date, rate] = packed?.split(' ') ?? []
  return date !== undefined && rate !== undefined ? [{ from, to, date, rate }] : []
}
