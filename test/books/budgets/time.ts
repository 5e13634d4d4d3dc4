import { addDays, addMonths, daysBetween } from '../../../src/domain/calendar.ts'
import type { Budget, Rule } from './state.ts'

export interface Period {
  nominal: string
  start: string
  end: string
}

export const today = (): string => new Date().toISOString().slice(0, 10)

const nominalOf = ({ unit, count, anchor }: Rule, k: number): string =>
  unit === 'week' ? addDays(anchor, k * count * 7) : addMonths(anchor, k * count)

function startOf(rule: Rule, k: number): string {
  const nominal = nominalOf(rule, k)
  const weekday = new Date(`${nominal}T00:00:00Z`).getUTCDay()
  if (rule.weekend === 'keep' || (weekday !== 0 && weekday !== 6)) {
    return nominal
  }
  const toFriday = weekday === 6 ? -1 : -2
  return addDays(nominal, rule.weekend === 'before' ? toFriday : toFriday + 3)
}

/** All periods of a budget from its first one through the one that contains a day. */
export function periodsOf({ rule, startsOn }: Budget, through: string): Period[] {
  const first = startsOn < through ? startsOn : through
  const roughly = daysBetween(rule.anchor, first) / (rule.unit === 'week' ? 7 : 31) / rule.count
  const periods: Period[] = []
  for (let k = Math.floor(Math.min(roughly, roughly * 1.2)) - 3; ; k += 1) {
    const [start, end] = [startOf(rule, k), addDays(startOf(rule, k + 1), -1)]
    if (start > through) {
      return periods
    }
    if (end >= startsOn) {
      periods.push({ nominal: nominalOf(rule, k), start, end })
    }
  }
}

/** The period of today: what is decided anew holds from it on. */
export function currentOf(budget: Budget): string {
  const day = today()
  return periodsOf(budget, day).findLast(({ start }) => start <= day)?.nominal ?? ''
}
