import { addDays, type CalendarDate, nearDay } from '../calendar.ts'
import { type Occurrence, occurrencesFrom, type Schedule } from '../schedules/schedules.ts'

/** The days from the first to the second, both included. */
export type Span = readonly [CalendarDate, CalendarDate]

/** When an item comes again, and when it rested. */
export interface Recurrence {
  /** null for a template. */
  schedule: Schedule | null
  /** The first day that counts. */
  firstDay: CalendarDate
  rests: readonly Span[]
  /** The day from which on it rests. */
  restedOn: CalendarDate | null
  leadDays: number
}

/** What is known of an occurrence beside what the schedule says. */
export interface KnownOccurrence {
  nominalDate: CalendarDate
  /** The day to which it was moved. */
  date: CalendarDate | null
  state: 'booked' | 'skipped' | 'missed' | null
  /** True if somebody was told that it is due. */
  told: boolean
}

/** The occurrences that the schedule names from a day on, without those before the first day that counts. */
export function* scheduledFrom(
  { schedule, firstDay }: Pick<Recurrence, 'schedule' | 'firstDay'>,
  from: CalendarDate,
): Generator<Occurrence> {
  if (schedule) {
    yield* occurrencesFrom(schedule, from > firstDay ? from : firstDay)
  }
}

/** The occurrences of a span of nominal dates: those of the schedule, and those that are known although it names them no more. */
export function occurrencesIn(
  item: Pick<Recurrence, 'schedule' | 'firstDay'>,
  known: ReadonlyMap<CalendarDate, { date: CalendarDate | null }>,
  [from, to]: Span,
): Occurrence[] {
  const found = new Map<CalendarDate, Occurrence>()
  for (const one of scheduledFrom(item, from)) {
    if (one.nominalDate > to) {
      break
    }
    found.set(one.nominalDate, one)
  }
  for (const [nominalDate, { date }] of known) {
    if (nominalDate >= from && nominalDate <= to) {
      const day = date ?? found.get(nominalDate)?.date ?? nominalDate
      found.set(nominalDate, { nominalDate, date: day })
    }
  }
  return [...found.values()].toSorted((a, b) => (a.nominalDate < b.nominalDate ? -1 : 1))
}

/** True if the item rested on the nominal date, so that the occurrence is left out. */
export const isRested = (
  { rests, restedOn }: Pick<Recurrence, 'rests' | 'restedOn'>,
  nominalDate: CalendarDate,
  today: CalendarDate,
): boolean =>
  rests.some(([first, last]) => nominalDate >= first && nominalDate <= last) ||
  (restedOn !== null && nominalDate >= restedOn && nominalDate < today)

/** Spans of rest that an item keeps. What is older becomes one. */
const MOST_RESTS = 50

/** The spans of rest, with the one that ends before a day. */
export function restsUntil(
  { rests, restedOn }: Pick<Recurrence, 'rests' | 'restedOn'>,
  today: CalendarDate,
): Span[] {
  const last = addDays(today, -1)
  const all: Span[] =
    restedOn === null || restedOn > last ? [...rests] : [...rests, [restedOn, last]]
  const [first, second, ...others] = all
  return first && second && all.length > MOST_RESTS ? [[first[0], second[1]], ...others] : all
}

/** The first day on which an occurrence is due. */
export const dueOn = (date: CalendarDate, leadDays: number): CalendarDate =>
  nearDay(date, -leadDays)

/**
 * The occurrences for which something has to be done by now: to book them, or to tell that they are due.
 * @param handledThrough the last nominal date that was done
 * @param known those that somebody moved to another day are done by themselves
 * @param most of those on their own day: what comes after them is left, and is due next
 */
export function dueBy(
  item: Recurrence,
  { handledThrough, known }: Handled,
  today: CalendarDate,
  most = Infinity,
): Due {
  const isLeft = ({ nominalDate }: Occurrence) =>
    (known.get(nominalDate)?.state ?? null) === null && !isRested(item, nominalDate, today)
  const found: Occurrence[] = []
  let through = handledThrough
  let next: CalendarDate | null = null
  const begun = handledThrough ?? item.firstDay
  // A rest may be of many years.
  const [, from] = item.rests.find(([first, last]) => first <= begun && last > begun) ?? ['', begun]
  for (const one of scheduledFrom(item, from)) {
    if (handledThrough !== null && one.nominalDate <= handledThrough) {
      continue
    }
    const isMoved = (known.get(one.nominalDate)?.date ?? null) !== null
    if (one.date !== null && !isMoved) {
      const day = dueOn(one.date, item.leadDays)
      if (day > today || found.length >= most) {
        next = day
        break
      }
      if (isLeft(one)) {
        found.push(one)
      }
    }
    through = one.nominalDate
  }
  for (const { nominalDate, date, told, state } of known.values()) {
    if (date !== null && !told && state === null) {
      const day = dueOn(date, item.leadDays)
      if (day <= today) {
        found.push({ nominalDate, date })
      } else if (next === null || day < next) {
        next = day
      }
    }
  }
  return { due: found.filter(isLeft), handledThrough: through, next }
}

interface Handled {
  handledThrough: CalendarDate | null
  known: ReadonlyMap<CalendarDate, KnownOccurrence>
}

interface Due {
  due: Occurrence[]
  handledThrough: CalendarDate | null
  /** The next day on which something is due; null if there is none. */
  next: CalendarDate | null
}
