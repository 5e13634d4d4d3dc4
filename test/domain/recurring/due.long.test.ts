import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planOf } from '../../../src/areas/planning/recurring/settling/settling.rules.ts'
import { itemOf, type RecurringRow } from '../../../src/areas/planning/recurring/recurring.rules.ts'
import type { Schedule } from '../../../src/domain/schedules/schedules.ts'
import { isAmong, rounds } from '../../support/rounds.ts'
import { anySchedule, dateIn, daysOf, expanded, textOf } from '../schedules/expander.fixtures.ts'

const [FIRST, LAST] = ['2008-01-01', '2034-12-31']
const QUARTER = 15 * 60_000
const HOUR = 4 * QUARTER

// Summer time that begins at two and at midnight, the first and the last places of the day, and the day that Samoa never had.
const ZONES = [
  ...['Europe/Berlin', 'America/Havana', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Pacific/Apia'],
]

/** The first moment of each day in a zone: later by quarters of an hour, until the calendar there says so. */
function beginningsIn(timeZone: string): Map<string, number> {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const found = new Map<string, number>()
  let at = Date.parse(`${FIRST}T00:00:00Z`) - 100 * 24 * HOUR
  for (let days = daysOf(FIRST) - 61; days <= daysOf(LAST); days++) {
    const date = textOf(days)
    const isBefore = (moment: number) => format.format(moment) < date
    at = isBefore(at + 22 * HOUR) ? at + 22 * HOUR : at
    while (isBefore(at)) {
      at += QUARTER
    }
    found.set(date, at)
  }
  return found
}

const beginnings = new Map(ZONES.map((zone) => [zone, beginningsIn(zone)]))

const wanted = fc.record({
  schedule: anySchedule,
  // Most come often, as those of people do.
  count: fc.constantFrom(1, 1, 1, 2, 3, undefined),
  anchor: fc.oneof(dateIn(FIRST, '2029-12-31'), fc.constantFrom('2011-12-30', '2012-02-29')),
  zone: fc.constantFrom(...ZONES),
  leadDays: fc.constantFrom(0, 0, 0, 1, 7, 60),
  years: fc.integer({ min: 1, max: 4 }),
})

const itemOn = (schedule: Schedule, timeZone: string, leadDays: number) =>
  ({
    ...{ id: 'rec_1', ownerId: 'usr_1', name: 'Rent', mode: 'post', active: true, version: 1 },
    ...{ currency: 'EUR', firstDay: schedule.anchor, rests: '[]', restedOn: null, nextAt: 1 },
    ...{ handledThrough: null, remindedOn: null, goneAccounts: 0, timeZone },
    definition: JSON.stringify({
      ...{ schedule, transaction: { kind: 'expense', amount: '1' }, amountIs: 'exact', leadDays },
      ...{ amountMax: null, tolerancePercent: null, remindOn: null, graceDays: 0 },
    }),
  }) as unknown as RecurringRow

let asked = 0

/** What becomes due in a span, and when, as runs of the clock find it that come just before the time and just in time. */
function foundBy(row: RecurringRow, from: number, to: number): string[] {
  const seen = { ...row }
  const planAt = (moment: number) => planOf(moment, itemOf({ now: moment }, seen))
  const found: string[] = []
  let now: number | null = from
  while (now !== null && now < to) {
    const at: number = now
    const early = at === from || !isAmong(++asked, 5) ? [] : planAt(at - 1).due
    const plan = planAt(at)
    found.push(...early.map(({ nominalDate }) => `${nominalDate} is early`))
    found.push(...plan.due.map(({ nominalDate, date }) => `${nominalDate} ${date} ${at}`))
    Object.assign(seen, plan.after)
    now = plan.after.nextAt
  }
  return found
}

it('is each occurrence at the first moment of its day, wherever its owner is', () => {
  let compared = 0
  fc.assert(
    fc.property(wanted, ({ schedule: any, count = any.count, anchor, zone, leadDays, years }) => {
      const schedule = { ...any, count, anchor }
      const starts = beginnings.get(zone) as Map<string, number>
      const end = textOf(Math.min(daysOf(anchor) + 366 * years, daysOf(LAST)))
      const [from, to] = [(starts.get(anchor) ?? 0) - 60 * 24 * HOUR, starts.get(end) ?? 0]
      const dueAt = (date: string) => starts.get(textOf(daysOf(date) - leadDays)) ?? 0
      const last = textOf(Math.min(daysOf(end) + 70, daysOf(LAST)))
      const expected = expanded(schedule, anchor, last).flatMap(({ nominalDate, date }) => {
        const at = date === null ? to : Math.max(dueAt(date), from)
        return at < to ? [`${nominalDate} ${date} ${at}`] : []
      })
      compared += expected.length
      const item = itemOn(schedule, zone, leadDays)
      expect(foundBy(item, from, to).toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: rounds(840, 8400) },
  )
  expect(compared).toBeGreaterThan(rounds(100_000, 900_000))
}, 600_000)
