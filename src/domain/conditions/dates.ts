import type { CalendarDate } from '../calendar.ts'
import { namedPeriod, spanOf } from '../named-periods.ts'
import { type Comparison, comparisonsOf, type Condition, valuesOf } from './conditions.ts'

/** True if a condition depends on the day on which it is evaluated. */
export const namesPeriods = (condition: Condition): boolean =>
  comparisonsOf(condition).some(
    (comparison) =>
      comparison.field === 'date' && valuesOf(comparison).some((value) => namedPeriod(value)),
  )

/** Returns the condition with days in place of the names of periods. */
export function withDates(condition: Condition, today: CalendarDate): Condition {
  if ('field' in condition) {
    return condition.field === 'date' ? dated(condition, today) : condition
  }
  if ('not' in condition) {
    return { not: withDates(condition.not, today) }
  }
  if ('all' in condition) {
    return { all: condition.all.map((one) => withDates(one, today)) }
  }
  return { any: condition.any.map((one) => withDates(one, today)) }
}

/** A period is after or before all of its days, and begins with its first one and ends with its last one. */
function dated(comparison: Comparison, today: CalendarDate): Comparison {
  const { field, op } = comparison
  const [first, second = first] = valuesOf(comparison) as [string, string?]
  const { from, to } = spanOf(first, today)
  if (op === 'is' || op === 'between') {
    return { field, op: 'between', value: [from, spanOf(second, today).to] }
  }
  return { field, op, value: op === 'from' || op === 'below' ? from : to }
}
