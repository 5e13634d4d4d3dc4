import {
  DIGITS,
  type Fraction,
  fractionOf,
  inverse,
  nearest,
  powerOfTen,
  times,
} from '../../domain/reference.ts'
import type { Rate } from './state.ts'

const newest = (rates: Rate[], from: string, to: string, day: string): Rate | undefined =>
  rates
    .filter((rate) => rate.from === from && rate.to === to && rate.date <= day)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .at(-1)

function direct(rates: Rate[], from: string, to: string, day: string): Fraction | undefined {
  const there = newest(rates, from, to, day)
  if (there) {
    return fractionOf(there.rate)
  }
  const back = newest(rates, to, from, day)
  return back && inverse(fractionOf(back.rate))
}

function over(rates: Rate[], from: string, hop: string, to: string, day: string) {
  const [first, second] = [direct(rates, from, hop, day), direct(rates, hop, to, day)]
  return first && second && times(first, second)
}

/** Minor units in another currency by the rate of a day; undefined where there is none yet. */
export type Convert = (minor: bigint, currency: string, day: string) => bigint | undefined

export const converterInto =
  (rates: Rate[], target: string, base: string): Convert =>
  (minor, currency, day) => {
    if (currency === target) {
      return minor
    }
    const rate =
      direct(rates, currency, target, day) ??
      over(rates, currency, base, target, day) ??
      over(rates, currency, 'EUR', target, day)
    return (
      rate &&
      nearest({
        over: minor * rate.over * powerOfTen(DIGITS[target] ?? 0),
        under: rate.under * powerOfTen(DIGITS[currency] ?? 0),
      })
    )
  }
