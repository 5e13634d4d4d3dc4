import { type CalendarDate, dateInZone, instantOf } from '../../../../domain/calendar.ts'
import { dueBy, type Span } from '../../../../domain/recurring/occurrences.ts'
import type { Occurrence } from '../../../../domain/schedules/schedules.ts'
import { type Facts, knownIn } from '../occurrences/occurrences.rules.ts'
import {
  isResting,
  itemOf,
  type RecurringItem,
  type RecurringRow,
  RESTORED,
  restingColumns,
  todayOf,
} from '../recurring.rules.ts'

/** What a run has done for an item. */
export interface Progress {
  rests: string
  restedOn: string | null
  handledThrough: string | null
  remindedOn: string | null
  nextAt: number | null
}

/** An occurrence for which something has to be done now. */
export interface DueOccurrence extends Occurrence {
  item: RecurringItem
  facts: Facts
  date: CalendarDate
}

/** What has to be done for an item now. */
export interface Plan {
  row: RecurringRow
  item: RecurringItem
  due: DueOccurrence[]
  isReminded: boolean
  /** How far it is once all of it is done. */
  after: Progress
}

/** The day from which on an item rests. One that was restored has rested since it was last seen to. */
const restedSince = ({ restedOn, nextAt, handledThrough, firstDay }: RecurringItem) =>
  restedOn ?? (nextAt === RESTORED ? (handledThrough ?? firstDay) : null)

/** The day on which something happened to an item: that of its account's deletion, where it begins to rest for that. */
const wokenOn = (now: number, { nextAt, timeZone }: RecurringItem) =>
  dateInZone(Math.min(nextAt || now, now), timeZone)

/** Occurrences that one commit books. */
export const MOST_AT_ONCE = 50

/** Plans what has to be done for an item, as far as one commit goes. @param now milliseconds since 1970 UTC */
export function planOf(now: number, row: RecurringRow, facts: Facts): Plan {
  const stored = itemOf(row)
  const today = todayOf({ now }, stored)
  const isIdle = isResting(stored)
  const { rests = row.rests, restedOn = null } =
    isIdle === (restedSince(stored) !== null)
      ? row
      : restingColumns({ ...stored, restedOn: restedSince(stored) }, !isIdle, wokenOn(now, stored))
  const item: RecurringItem = { ...stored, restedOn, rests: JSON.parse(rests) as Span[] }
  const { handledThrough, remindOn, remindedOn } = item
  if (isIdle) {
    const after = { rests, restedOn, handledThrough, remindedOn, nextAt: null }
    return { row, item, due: [], isReminded: false, after }
  }
  const known = knownIn(facts)
  const { due, next, ...done } = dueBy(item, { handledThrough, known }, today, MOST_AT_ONCE)
  const isPending = remindOn !== null && remindOn !== remindedOn
  const isReminded = isPending && remindOn <= today
  const days = [next, isPending && !isReminded ? remindOn : null].filter((day) => day !== null)
  const [day] = days.toSorted()
  return {
    ...{ row, item, isReminded },
    due: due.flatMap(({ nominalDate, date }) =>
      date === null ? [] : [{ nominalDate, date, item, facts }],
    ),
    after: {
      ...{ rests, restedOn, handledThrough: done.handledThrough },
      remindedOn: isReminded ? remindOn : remindedOn,
      nextAt: day === undefined ? null : instantOf(day, item.timeZone),
    },
  }
}

/**
 * Takes the oldest occurrences of all plans, as many as one commit books; what is left stays due.
 * @returns the plans with what is done of them
 */
export function firstOf(plans: readonly Plan[], most: number): Plan[] {
  const taken = new Set(
    plans
      .flatMap(({ due }) => due)
      .toSorted((a, b) => (a.date < b.date ? -1 : 1))
      .slice(0, most),
  )
  return plans.map((plan) => {
    const due = plan.due.filter((one) => taken.has(one))
    if (due.length === plan.due.length) {
      return plan
    }
    // They are in the order of their dates, so those before the last one are done, too. Moved ones are done by themselves.
    const last = due.findLast(({ facts, nominalDate }) => !facts.stored.get(nominalDate)?.date)
    const { handledThrough, nextAt } = plan.row
    return {
      ...plan,
      due,
      after: { ...plan.after, handledThrough: last?.nominalDate ?? handledThrough, nextAt },
    }
  })
}
