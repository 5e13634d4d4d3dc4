import { dateInZone, instantOf } from '../../../../domain/calendar.ts'
import { dueBy, type Span } from '../../../../domain/recurring/occurrences.ts'
import { type DatedOccurrence, hasDate, knownIn, viewOf } from '../occurrences/occurrences.rules.ts'
import { isResting, type RecurringItem, RESTORED, restingColumns } from '../recurring.rules.ts'

/** What a run has done for an item. */
export interface Progress {
  rests: string
  restedOn: string | null
  handledThrough: string | null
  remindedOn: string | null
  nextAt: number | null
}

/** What has to be done for an item now. */
export interface Plan {
  item: RecurringItem
  due: DatedOccurrence[]
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
export function planOf(now: number, stored: RecurringItem): Plan {
  const { row, today } = stored
  const isIdle = isResting(stored)
  const { rests = row.rests, restedOn = null } =
    isIdle === (restedSince(stored) !== null)
      ? row
      : restingColumns({ ...stored, restedOn: restedSince(stored) }, !isIdle, wokenOn(now, stored))
  const item: RecurringItem = { ...stored, restedOn, rests: JSON.parse(rests) as Span[] }
  const { handledThrough, remindOn, remindedOn } = item
  if (isIdle) {
    const after = { rests, restedOn, handledThrough, remindedOn, nextAt: null }
    return { item, due: [], isReminded: false, after }
  }
  const known = knownIn(item)
  const { due, next, ...done } = dueBy(item, { handledThrough, known }, today, MOST_AT_ONCE)
  const isPending = remindOn !== null && remindOn !== remindedOn
  const isReminded = isPending && remindOn <= today
  const days = [next, isPending && !isReminded ? remindOn : null].filter((day) => day !== null)
  const [day] = days.toSorted()
  return {
    ...{ item, isReminded },
    due: due.map((one) => viewOf(item, one)).filter(hasDate),
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
    const last = due.findLast(({ known }) => !known?.date)
    const { handledThrough, nextAt } = plan.item
    return {
      ...plan,
      due,
      after: { ...plan.after, handledThrough: last?.nominalDate ?? handledThrough, nextAt },
    }
  })
}
