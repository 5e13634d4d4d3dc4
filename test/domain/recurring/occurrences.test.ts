import { describe, expect, it } from 'vitest'
import {
  dueBy,
  isRested,
  type KnownOccurrence,
  occurrencesIn,
  type Recurrence,
  restsUntil,
  type Span,
} from '../../../src/domain/recurring/occurrences.ts'
import { PLAIN_SCHEDULE } from '../../../src/domain/schedules/schedules.ts'

const monthly = (fields: Partial<Recurrence> = {}): Recurrence => ({
  schedule: { unit: 'month', count: 1, anchor: '2026-01-15', ...PLAIN_SCHEDULE },
  ...{ firstDay: '2026-02-01', rests: [], restedOn: null, leadDays: 0 },
  ...fields,
})

const known = (...all: Partial<KnownOccurrence>[]) =>
  new Map(
    all.map((one) => {
      const nominalDate = one.nominalDate ?? ''
      return [nominalDate, { nominalDate, date: null, state: null, told: false, ...one }]
    }),
  )

describe('the occurrences of a span', () => {
  it('are those of the schedule from the first day on, and those that are known beside it', () => {
    const stored = known(
      { nominalDate: '2026-01-20' },
      { nominalDate: '2026-02-15', date: '2026-02-17' },
      { nominalDate: '2026-03-15' },
      { nominalDate: '2026-05-15' },
    )
    expect(occurrencesIn(monthly(), stored, ['2026-01-01', '2026-04-30'])).toEqual([
      { nominalDate: '2026-01-20', date: '2026-01-20' },
      { nominalDate: '2026-02-15', date: '2026-02-17' },
      { nominalDate: '2026-03-15', date: '2026-03-15' },
      { nominalDate: '2026-04-15', date: '2026-04-15' },
    ])
  })

  it('are none of a template', () => {
    expect(
      occurrencesIn(monthly({ schedule: null }), known(), ['2026-01-01', '2027-01-01']),
    ).toEqual([])
  })
})

describe('rests', () => {
  const rests: Span[] = [['2026-03-01', '2026-03-31']]

  it.each([
    ['2026-02-15', false],
    ['2026-03-01', true],
    ['2026-03-31', true],
    ['2026-04-30', false],
    ['2026-05-15', true],
    ['2026-06-15', false],
  ])('cover %s: %s', (date, expected) => {
    expect(isRested({ rests, restedOn: '2026-05-01' }, date, '2026-06-01')).toBe(expected)
  })

  it('end the day before an item goes on', () => {
    expect(restsUntil({ rests, restedOn: null }, '2026-05-01')).toEqual(rests)
    expect(restsUntil({ rests, restedOn: '2026-05-01' }, '2026-05-01')).toEqual(rests)
    expect(restsUntil({ rests, restedOn: '2026-04-20' }, '2026-05-01')).toEqual([
      ...rests,
      ['2026-04-20', '2026-04-30'],
    ])
  })

  it('become one where there are many', () => {
    const many = Array.from({ length: 50 }, (_, at): Span => {
      const day = `20${10 + at}-01-01`
      return [day, day]
    })
    const [first, ...others] = restsUntil({ rests: many, restedOn: '2060-01-01' }, '2060-02-01')
    expect(first).toEqual(['2010-01-01', '2011-01-01'])
    expect(others).toHaveLength(49)
  })
})

describe('what is due', () => {
  const nominal = (one: ReturnType<typeof dueBy>) => one.due.map(({ nominalDate }) => nominalDate)

  it('is what was not done yet, by the days before it', () => {
    const item = monthly({ leadDays: 5 })
    const none = { handledThrough: null, known: known() }
    expect(dueBy(item, none, '2026-02-09')).toEqual({
      due: [],
      handledThrough: null,
      next: '2026-02-10',
    })
    const found = dueBy(item, none, '2026-03-10')
    expect(nominal(found)).toEqual(['2026-02-15', '2026-03-15'])
    expect(found).toMatchObject({ handledThrough: '2026-03-15', next: '2026-04-10' })
    expect(nominal(dueBy(item, { ...none, handledThrough: '2026-02-15' }, '2026-03-10'))).toEqual([
      '2026-03-15',
    ])
  })

  it('is left for the next time where there is more than can be done at once', () => {
    const stored = known({ nominalDate: '2026-03-15', state: 'skipped' })
    const upTo = (handledThrough: string | null) =>
      dueBy(monthly(), { handledThrough, known: stored }, '2026-06-20', 2)
    const first = upTo(null)
    expect(nominal(first)).toEqual(['2026-02-15', '2026-04-15'])
    expect(first).toMatchObject({ handledThrough: '2026-04-15', next: '2026-05-15' })
    expect(nominal(upTo(first.handledThrough))).toEqual(['2026-05-15', '2026-06-15'])
  })

  it('leaves out what is settled, and what rested', () => {
    const stored = known({ nominalDate: '2026-02-15', state: 'booked' })
    const item = monthly({ rests: [['2026-03-01', '2026-03-31']] })
    const found = dueBy(item, { handledThrough: null, known: stored }, '2026-04-20')
    expect(nominal(found)).toEqual(['2026-04-15'])
    const rested = monthly({ rests: [['2026-02-01', '2026-03-15']] })
    for (const handledThrough of [null, '2026-02-15', '2026-03-15']) {
      const after = dueBy(rested, { handledThrough, known: known() }, '2026-04-20')
      expect(nominal(after)).toEqual(['2026-04-15'])
      expect(after).toMatchObject({ handledThrough: '2026-04-15', next: '2026-05-15' })
    }
  })

  it('comes on the day to which it was moved', () => {
    const stored = known(
      { nominalDate: '2026-02-15', date: '2026-03-01' },
      { nominalDate: '2026-03-15', date: '2026-03-20' },
      { nominalDate: '2026-04-15', date: '2026-02-10', told: true },
    )
    const at = (today: string) => dueBy(monthly(), { handledThrough: null, known: stored }, today)
    expect(at('2026-02-16')).toMatchObject({ due: [], next: '2026-03-01' })
    expect(nominal(at('2026-03-02'))).toEqual(['2026-02-15'])
    expect(nominal(at('2026-03-21'))).toEqual(['2026-02-15', '2026-03-15'])
  })

  it('ends with the schedule, and with the calendar', () => {
    const schedule = { unit: 'day' as const, count: 1, anchor: '2200-12-30', ...PLAIN_SCHEDULE }
    const item = monthly({ schedule, firstDay: '2200-12-30' })
    const found = dueBy(item, { handledThrough: null, known: known() }, '2200-12-31')
    expect([nominal(found).length, found.next]).toEqual([2, null])
    const after = dueBy(item, { handledThrough: '2200-12-31', known: known() }, '2200-12-31')
    expect(after).toEqual({ due: [], handledThrough: '2200-12-31', next: null })
  })

  it('leaves out what a weekend leaves out', () => {
    const schedule = {
      ...PLAIN_SCHEDULE,
      unit: 'month' as const,
      count: 1,
      anchor: '2026-02-15',
      weekend: 'skip' as const,
    }
    // 15 February and 15 March 2026 are Sundays.
    const found = dueBy(
      monthly({ schedule }),
      { handledThrough: null, known: known() },
      '2026-04-20',
    )
    expect(nominal(found)).toEqual(['2026-04-15'])
  })
})
