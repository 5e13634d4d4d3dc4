import type { CalendarDate } from '../../../domain/calendar.ts'
import { toMinor } from '../../../domain/money.ts'

/** The amount that the adjustment of a valuation books on its day; zero if there is none. */
export interface BookedSum {
  date: CalendarDate
  bookedMinor: number
}

interface Question {
  /** The valuation that is changed or removed, as it is booked; a new one is not. */
  own: BookedSum | undefined
  /** The wanted value; undefined removes the valuation. */
  wanted: { date: CalendarDate; valueMinor: number } | undefined
  /** Present balance at the end of the wanted day. */
  balanceMinor: bigint
  /** Other valuations of the account: at least the next after each of the two days. */
  others: (BookedSum & { id: string })[]
}

interface Plan {
  /** New amount of the valuation's own adjustment. */
  ownMinor: number
  /** New amounts of other adjustments, by their id. */
  others: Map<string, number>
  /** Effect of all changes on the present balance of the account. */
  changeMinor: number
}

/**
 * Plans the bookings after which the wanted day ends with the wanted value, and every other valuation keeps its
 * balance: the next valuation after an adjustment reverses its effect.
 */
export function valuationPlan({ own, wanted, balanceMinor, others }: Question): Plan {
  const moved: { date: CalendarDate; minor: bigint }[] = []
  const changes = new Map<string, bigint>()
  const book = (date: CalendarDate, minor: bigint) => {
    moved.push({ date, minor })
    const next = followerOf(others, date)
    if (next) {
      moved.push({ date: next.date, minor: -minor })
      changes.set(next.id, (changes.get(next.id) ?? 0n) - minor)
    }
  }
  const sumOf = (some: typeof moved) => some.reduce((total, { minor }) => total + minor, 0n)
  if (own) {
    book(own.date, -BigInt(own.bookedMinor))
  }
  let ownMinor = 0n
  if (wanted) {
    const without = balanceMinor + sumOf(moved.filter(({ date }) => date <= wanted.date))
    ownMinor = BigInt(wanted.valueMinor) - without
    book(wanted.date, ownMinor)
  }
  return {
    ownMinor: toMinor(ownMinor),
    others: new Map(
      others
        .filter(({ id }) => changes.get(id))
        .map(({ id, bookedMinor }) => [id, toMinor(BigInt(bookedMinor) + (changes.get(id) ?? 0n))]),
    ),
    changeMinor: toMinor(sumOf(moved)),
  }
}

/** The next on or after a day; a day has one valuation at most. */
export const followerOf = <Other extends { date: CalendarDate }>(
  others: Other[],
  day: CalendarDate,
): Other | undefined =>
  others.filter(({ date }) => date >= day).toSorted((a, b) => (a.date < b.date ? -1 : 1))[0]
