import { expect, it } from 'vitest'
import { addDays, type CalendarDate, monthOf } from '../../../src/domain/calendar.ts'
import { spansOf } from '../../../src/ledger/search/search.rules.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'

const FIRST: CalendarDate = '2023-12-15'
const DAYS = Array.from({ length: 430 }, (_, at) => addDays(FIRST, at))

/** How often each day is counted by the spans. */
function timesCounted(day: CalendarDate, { months, days }: ReturnType<typeof spansOf>): number {
  const month = monthOf(day)
  const inMonths = months && month > months.after && month < months.before ? 1 : 0
  return inMonths + days.filter(([first, last]) => day >= first && day <= last).length
}

it('counts every day of the span once and no other', () => {
  const { pick, chance } = randomFrom(SEED)
  for (let round = 0; round < 300; round++) {
    const from = chance(0.8) ? pick(DAYS) : undefined
    const to = chance(0.8) ? pick(DAYS) : undefined
    const spans = spansOf(from, to)
    for (const day of DAYS) {
      const isWithin = (from === undefined || day >= from) && (to === undefined || day <= to)
      expect(timesCounted(day, spans), `seed ${SEED}: ${day} of ${from} to ${to}`).toBe(
        isWithin ? 1 : 0,
      )
    }
  }
})
