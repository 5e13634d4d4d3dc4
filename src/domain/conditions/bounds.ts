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

const RELATIONS: Record<Relation, <Value extends bigint | string>(a: Value, b: Value) => boolean> =
  {
    '>=': (a, b) => a >= b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '<': (a, b) => a < b,
  }

/** True if an amount, whatever its sign, is within a bound. */
export const isAmountWithin = (bound: Bound, minor: number, currency: string): boolean =>
  RELATIONS[bound.relation](BigInt(Math.abs(minor)), minorBound(bound, minorDigits(currency)))

/** True if a date is within a bound. */
export const isDateWithin = ({ relation, value }: Bound, date: CalendarDate): boolean =>
  RELATIONS[relation](date, value)
