import { describe, expect, it } from 'vitest'
import { addDays } from '../../../src/domain/calendar.ts'
import type { AppError } from '../../../src/domain/errors.ts'
import {
  checkSchedule,
  type DayRule,
  occurrenceNamed,
  occurrencesBetween,
  occurrencesFrom,
  PLAIN_SCHEDULE,
  type Schedule,
} from '../../../src/domain/schedules/schedules.ts'

const schedule = (fields: Partial<Schedule> & Pick<Schedule, 'unit' | 'anchor'>): Schedule => ({
  count: 1,
  ...PLAIN_SCHEDULE,
  ...fields,
})

const monthly = (anchor: string, fields: Partial<Schedule> = {}) =>
  schedule({ unit: 'month', anchor, ...fields })

const first = (count: number, one: Schedule) => [...occurrencesFrom(one).take(count)]

const nominals = (count: number, one: Schedule) =>
  first(count, one).map(({ nominalDate }) => nominalDate)

const dates = (count: number, one: Schedule) => first(count, one).map(({ date }) => date)

describe('a day that some months lack', () => {
  it.each([
    [
      monthly('2027-12-31', { shortMonth: 'last' }),
      '2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30 2028-05-31 2028-06-30 2028-07-31',
    ],
    [
      monthly('2027-12-31', { shortMonth: 'skip' }),
      '2027-12-31 2028-01-31 2028-03-31 2028-05-31 2028-07-31 2028-08-31 2028-10-31 2028-12-31',
    ],
    [
      monthly('2027-12-31', { shortMonth: 'next' }),
      '2027-12-31 2028-01-31 2028-03-01 2028-03-31 2028-05-01 2028-05-31 2028-07-01 2028-07-31',
    ],
    [
      monthly('2027-12-31', { on: [{ day: -1 }] }),
      '2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30 2028-05-31 2028-06-30 2028-07-31',
    ],
    [
      monthly('2026-11-30', { count: 3 }),
      '2026-11-30 2027-02-28 2027-05-30 2027-08-30 2027-11-30 2028-02-29',
    ],
    [
      monthly('2026-08-29', { count: 6 }),
      '2026-08-29 2027-02-28 2027-08-29 2028-02-29 2028-08-29 2029-02-28',
    ],
    [
      schedule({ unit: 'year', anchor: '2024-02-29' }),
      '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29 2029-02-28',
    ],
    [
      schedule({ unit: 'year', anchor: '2024-02-29', shortMonth: 'skip' }),
      '2024-02-29 2028-02-29 2032-02-29 2036-02-29 2040-02-29 2044-02-29',
    ],
    [
      schedule({ unit: 'year', anchor: '2024-02-29', shortMonth: 'next' }),
      '2024-02-29 2025-03-01 2026-03-01 2027-03-01 2028-02-29 2029-03-01',
    ],
  ])('%j', (one, expected) => {
    expect(nominals(expected.split(' ').length, one).join(' ')).toBe(expected)
  })
})

describe('days of months from 2026-10-01', () => {
  it.each<[Schedule['on'], string]>([
    [
      [{ weekday: 'workday', nth: -1 }],
      '2026-10-30 2026-11-30 2026-12-31 2027-01-29 2027-02-26 2027-03-31',
    ],
    [
      [{ weekday: 'workday', nth: -2 }],
      '2026-10-29 2026-11-27 2026-12-30 2027-01-28 2027-02-25 2027-03-30',
    ],
    [
      [{ weekday: 'workday', nth: 1 }],
      '2026-10-01 2026-11-02 2026-12-01 2027-01-01 2027-02-01 2027-03-01',
    ],
    [
      [{ weekday: 'fri', nth: -1 }],
      '2026-10-30 2026-11-27 2026-12-25 2027-01-29 2027-02-26 2027-03-26',
    ],
    [
      [{ weekday: 'tue', nth: 2 }],
      '2026-10-13 2026-11-10 2026-12-08 2027-01-12 2027-02-09 2027-03-09',
    ],
    [
      [{ weekday: 'mon', nth: 5 }],
      '2026-11-30 2027-03-29 2027-05-31 2027-08-30 2027-11-29 2028-01-31',
    ],
    [
      [{ day: 15 }, { day: -1 }],
      '2026-10-15 2026-10-31 2026-11-15 2026-11-30 2026-12-15 2026-12-31',
    ],
  ])('%j', (on, expected) => {
    expect(nominals(6, monthly('2026-10-01', { on })).join(' ')).toBe(expected)
  })
})

describe('weeks', () => {
  const workdays: Schedule['on'] = [{ weekday: 'mon' }, { weekday: 'wed' }, { weekday: 'fri' }]
  it.each<[Schedule, string]>([
    [
      schedule({ unit: 'week', count: 2, anchor: '2026-12-18' }),
      '2026-12-18 2027-01-01 2027-01-15 2027-01-29 2027-02-12 2027-02-26',
    ],
    [
      schedule({ unit: 'week', anchor: '2026-12-23', on: workdays }),
      '2026-12-23 2026-12-25 2026-12-28 2026-12-30 2027-01-01 2027-01-04',
    ],
    [
      schedule({
        unit: 'week',
        count: 2,
        anchor: '2026-12-23',
        on: [{ weekday: 'fri' }, { weekday: 'mon' }],
      }),
      '2026-12-25 2027-01-04 2027-01-08 2027-01-18 2027-01-22 2027-02-01',
    ],
  ])('%j', (one, expected) => {
    expect(nominals(6, one).join(' ')).toBe(expected)
  })
})

describe('the end of a schedule', () => {
  const anchor = '2026-01-31'
  it.each([
    [monthly(anchor, { times: 4 }), '2026-01-31 2026-02-28 2026-03-31 2026-04-30'],
    [monthly(anchor, { until: '2026-04-29' }), '2026-01-31 2026-02-28 2026-03-31'],
    [
      monthly(anchor, { times: 4, shortMonth: 'skip' }),
      '2026-01-31 2026-03-31 2026-05-31 2026-07-31',
    ],
    [
      monthly(anchor, { times: 4, weekend: 'after' }),
      '2026-02-02 2026-03-02 2026-03-31 2026-04-30',
    ],
  ])('%j', (one, expected) => {
    expect(dates(10, one).join(' ')).toBe(expected)
  })

  it('counts from the anchor, also where only later ones are asked for', () => {
    const one = monthly(anchor, { times: 4 })
    expect(occurrencesBetween(one, '2026-04-01', '2027-12-31').map((o) => o.date)).toEqual([
      '2026-04-30',
    ])
  })

  it('is the end of the calendar at the latest', () => {
    const daily = schedule({ unit: 'day', anchor: '2200-12-30' })
    expect(nominals(5, daily)).toEqual(['2200-12-30', '2200-12-31'])
    const fridays = schedule({ unit: 'week', anchor: '2200-12-19' })
    expect(nominals(5, fridays)).toEqual(['2200-12-19', '2200-12-26'])
    expect(nominals(5, monthly('2200-10-31', { shortMonth: 'next' }))).toEqual([
      '2200-10-31',
      '2200-12-01',
      '2200-12-31',
    ])
  })
})

describe('weekends', () => {
  it.each<[Schedule['weekend'], (string | null)[]]>([
    ['before', ['2026-01-30', '2026-02-27', '2026-03-31', '2026-05-29', '2026-10-30']],
    ['after', ['2026-02-02', '2026-03-02', '2026-03-31', '2026-06-01', '2026-11-02']],
    ['nearest', ['2026-01-30', '2026-02-27', '2026-03-31', '2026-06-01', '2026-10-30']],
    ['skip', [null, null, '2026-03-31', null, null]],
    ['keep', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-05-31', '2026-10-31']],
  ])('%s', (weekend, expected) => {
    const one = monthly('2026-01-31', { weekend })
    const named = ['2026-01-31', '2026-02-28', '2026-03-31', '2026-05-31', '2026-10-31']
    expect(named.map((nominal) => occurrenceNamed(one, nominal)?.date)).toEqual(expected)
  })

  it('moves three days to one Monday and leaves three occurrences', () => {
    const one = schedule({ unit: 'day', anchor: '2026-11-06', weekend: 'after' })
    expect(first(4, one)).toEqual([
      { nominalDate: '2026-11-06', date: '2026-11-06' },
      { nominalDate: '2026-11-07', date: '2026-11-09' },
      { nominalDate: '2026-11-08', date: '2026-11-09' },
      { nominalDate: '2026-11-09', date: '2026-11-09' },
    ])
  })
})

describe('several days of one schedule', () => {
  it('makes one occurrence of two that fall on one day', () => {
    expect(nominals(3, monthly('2026-02-01', { on: [{ day: 31 }, { day: -1 }] }))).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ])
    const next = monthly('2026-04-02', { on: [{ day: 1 }, { day: 31 }], shortMonth: 'next' })
    expect(nominals(3, next)).toEqual(['2026-05-01', '2026-05-31', '2026-06-01'])
  })
})

describe('a day that is no nominal date', () => {
  it('names no occurrence', () => {
    expect(occurrenceNamed(monthly('2026-01-31'), '2026-02-27')).toBeUndefined()
    expect(occurrenceNamed(monthly('2026-01-31'), addDays('2026-01-31', -1))).toBeUndefined()
  })
})

describe('a schedule that is sent', () => {
  const problems = (one: Schedule): string[] => {
    try {
      checkSchedule(one)
      return []
    } catch (error) {
      return (error as AppError).issues.map(({ code, field }) => `${code} ${field}`)
    }
  }

  it.each<[string, Schedule, string[]]>([
    ['fits', monthly('2026-01-31', { on: [{ day: 31 }, { weekday: 'workday', nth: -1 }] }), []],
    [
      'fits with weekdays',
      schedule({ unit: 'week', anchor: '2026-01-31', on: [{ weekday: 'mon' }] }),
      [],
    ],
    ['has no such anchor', monthly('2026-02-30'), ['.anchor']],
    ['has both ends', monthly('2026-01-31', { until: '2026-12-31', times: 3 }), ['.times']],
    ['ends before it begins', monthly('2026-01-31', { until: '2026-01-30' }), ['.until']],
    [
      'has no day',
      monthly('2026-01-30', { until: '2026-02-27', on: [{ day: 29 }], shortMonth: 'skip' }),
      [''],
    ],
    [
      'has several problems',
      monthly('2026-01-30', { until: '2026-01-01', on: [{ day: 0 }] }),
      ['.on.0.day', '.until'],
    ],
  ])('%s', (_, one, fields) => {
    expect(problems(one)).toEqual(fields.map((field) => `schedules.invalid schedule${field}`))
  })

  it.each<[Schedule['unit'], DayRule, string | undefined]>([
    ['day', { weekday: 'mon' }, ''],
    ['week', { weekday: 'workday' }, ''],
    ['week', { weekday: 'mon', nth: 1 }, ''],
    ['week', { day: 3 }, ''],
    ['month', { weekday: 'mon' }, '.nth'],
    ['month', { weekday: 'mon', nth: 6 }, '.nth'],
    ['month', { weekday: 'mon', nth: -6 }, '.nth'],
    ['month', { weekday: 'mon', nth: 1, day: 1 }, '.nth'],
    ['month', {}, '.day'],
    ['month', { day: 32 }, '.day'],
    ['year', { day: -29 }, '.day'],
    ['year', { day: 1, nth: 1 }, '.day'],
    ['year', { day: -28 }, undefined],
    ['year', { weekday: 'sun', nth: -5 }, undefined],
  ])('of %s with %o', (unit, rule, part) => {
    const found = problems(schedule({ unit, anchor: '2026-01-01', on: [rule] }))
    expect(found).toEqual(part === undefined ? [] : [`schedules.invalid schedule.on.0${part}`])
  })
})
