import type { CalendarDate } from '../calendar.ts'
import { minorDigits } from '../currency.ts'
import { MAX_MINOR } from '../money.ts'
import type { ConditionOp } from './conditions.ts'

export type Relation = '>=' | '<=' | '>' | '<'

/** A bound of an amount or a date. */
export interface Bound {
  relation: Relation
  value: string
}

/** The operations that set one bound. */
const RELATION_OF: Partial<Record<ConditionOp, Relation>> = {
  from: '>=',
  to: '<=',
  above: '>',
  below: '<',
}

/** The bounds that an operation means; all of them must hold. Memory and SQL both go by these. */
export function boundsOf(op: ConditionOp, values: readonly string[]): Bound[] {
  const [first, second = first] = values as [string, string?]
  const relation = RELATION_OF[op]
  return relation
    ? [{ relation, value: first }]
    : [
        { relation: '>=', value: first },
        { relation: '<=', value: second },
      ]
}

/**
 * A bound in minor units, for amounts that have none of its surplus decimals: what is at least 12.345 is in
 * euro at least 12.35, and what is at most 12.345 is at most 12.34.
 */
export function boundIn(digits: number, text: string, side: 'least' | 'most'): bigint {
  const [whole, decimals = ''] = text.split('.') as [string, string?]
  const units = BigInt(whole + decimals.slice(0, digits).padEnd(digits, '0'))
  const isCut = /[1-9]/.test(decimals.slice(digits))
  const bound = side === 'least' && isCut ? units + 1n : units
  const beyond = BigInt(MAX_MINOR) + 1n
  return bound < beyond ? bound : beyond
}

/** The bound of an amount in minor units of a currency with so many digits. More than 12.345 is in euro more than 12.34. */
export const minorBound = ({ relation, value }: Bound, digits: number): bigint =>
  boundIn(digits, value, relation === '>=' || relation === '<' ? 'least' : 'most')

const RELATIONS: Record<Relation, <Value extends number | string>(a: Value, b: Value) => boolean> =
  {
    '>=': (a, b) => a >= b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '<': (a, b) => a < b,
  }

/** Makes a function that tells whether an amount, whatever its sign, is within bounds, which it reads once for each number of digits. */
export function amountWithin(
  bounds: readonly Bound[],
): (minor: number, currency: string) => boolean {
  const byDigits = new Map<number, [Relation, minor: number][]>()
  const boundsFor = (digits: number) => {
    const known =
      byDigits.get(digits) ??
      // One unit beyond what can be stored is the most, and exact.
      bounds.map((bound): [Relation, number] => [bound.relation, Number(minorBound(bound, digits))])
    byDigits.set(digits, known)
    return known
  }
  return (minor, currency) =>
    boundsFor(minorDigits(currency)).every(([relation, bound]) =>
      RELATIONS[relation](Math.abs(minor), bound),
    )
}

/** True if a date is within a bound. */
export const isDateWithin = ({ relation, value }: Bound, date: CalendarDate): boolean =>
  RELATIONS[relation](date, value)
