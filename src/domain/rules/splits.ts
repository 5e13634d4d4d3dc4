import { allocate, divideHalfEven, parseMoney, sum, toMinor } from '../money.ts'
import { type RulePart, ruleProblems } from './rules.ts'

/** A percent with at most two decimals. Linear time, and fit for the `pattern` of a JSON schema. */
export const PERCENT_PATTERN = /^(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,2})?$/

/** A percent in hundredths: 12.5 is 1250. */
export function hundredthsOf(percent: string): number {
  const [whole, decimals = ''] = percent.split('.')
  return Number(`${whole}${decimals.padEnd(2, '0')}`)
}

const WHOLE = 100n * 100n

/** A part and the amount that it has in one transaction. */
export interface SizedPart {
  part: RulePart
  amountMinor: number
}

/**
 * Splits an amount as a rule says; parts of zero are left out.
 * @param amountMinor without its sign
 * @throws AppError `rules.splitTooMuch`, `rules.splitIncomplete`, or what `parseMoney` refuses in the currency
 */
export function splitAmount(
  amountMinor: number,
  currency: string,
  parts: readonly RulePart[],
): SizedPart[] {
  const fixed = parts.map((part) =>
    part.fixed === undefined ? 0 : parseMoney(part.fixed, currency),
  )
  const left = amountMinor - sum(fixed)
  if (left < 0) {
    throw ruleProblems.splitTooMuch()
  }
  const percents = percentAmounts(parts, amountMinor, left)
  const rest = restAmounts(parts, left - sum(percents))
  return parts.flatMap((part, at) => {
    const own = sum([fixed[at] as number, percents[at] as number, rest[at] as number])
    return own === 0 ? [] : [{ part, amountMinor: own }]
  })
}

/** The amounts of the parts with percents; 0 for others. */
function percentAmounts(parts: readonly RulePart[], total: number, left: number): number[] {
  const weights = parts.map(({ percent }) => (percent === undefined ? 0 : hundredthsOf(percent)))
  // All parts with percents have the same base.
  const isOfRest = parts.some(({ percentOf }) => percentOf === 'rest')
  const base = BigInt(isOfRest ? left : total)
  const whole = weights.reduce((all, weight) => all + weight, 0)
  // Rounded each by itself, percents of all that is left would rarely be all of it.
  if (whole > 0 && base * BigInt(whole) === BigInt(left) * WHOLE) {
    return allocate(left, weights)
  }
  return weights.map((weight) => toMinor(divideHalfEven(base * BigInt(weight), WHOLE)))
}

/** The amounts of the parts that share what is left; 0 for others. */
function restAmounts(parts: readonly RulePart[], left: number): number[] {
  if (left < 0) {
    throw ruleProblems.splitTooMuch()
  }
  const weights = parts.map(({ rest = 0 }) => rest)
  if (weights.some((weight) => weight > 0)) {
    return allocate(left, weights)
  }
  if (left > 0) {
    throw ruleProblems.splitIncomplete()
  }
  return weights
}
