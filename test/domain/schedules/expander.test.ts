import fc from 'fast-check'
import { expect, it } from 'vitest'
import { occurrencesBetween } from '../../../src/domain/schedules/schedules.ts'
import { rounds } from '../../support/rounds.ts'
import { anySchedule, dateIn, daysOf, expanded, textOf } from './expander.fixtures.ts'

it('gives the same occurrences as looking at each day', () => {
  let compared = 0
  fc.assert(
    fc.property(
      anySchedule,
      dateIn('2019-01-01', '2031-12-31'),
      fc.integer({ min: 0, max: 2500 }),
      (schedule, from, length) => {
        const to = textOf(daysOf(from) + length)
        const expected = expanded(schedule, from, to)
        compared += expected.length
        expect(occurrencesBetween(schedule, from, to)).toEqual(expected)
      },
    ),
    { numRuns: rounds(150, 3000) },
  )
  expect(compared).toBeGreaterThan(rounds(3000, 100_000))
})
