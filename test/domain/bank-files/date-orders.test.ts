import { expect, test } from 'vitest'
import { orderCollector } from '../../../src/domain/bank-files/date-orders.ts'

function collect(...texts: string[]) {
  const collector = orderCollector()
  for (const [index, text] of texts.entries()) {
    collector.add(text, index + 2)
  }
  return collector.findings()
}

test('a first number of four digits is a year', () => {
  expect(collect('2026-04-03', '2026-05-04')).toMatchObject({ order: 'YMD', dates: 2 })
})

test('example 1: nothing excludes an order until a 13th comes', () => {
  const open = collect('03/04/2026', '05/04/2026')
  expect(open.order).toBeUndefined()
  expect(open.possible).toEqual(['DMY', 'MDY'])
  expect(open.evidence).toEqual([
    { line: 2, raw: '03/04/2026' },
    { line: 3, raw: '05/04/2026' },
  ])
  const settled = collect('03/04/2026', '05/04/2026', '13/04/2026')
  expect(settled).toMatchObject({ order: 'DMY', byMonotony: false, direction: 'up' })
  expect(settled.evidence).toContainEqual({ line: 4, raw: '13/04/2026' })
})

test('a day that is not in its month excludes an order', () => {
  expect(collect('04/01/2026', '04/02/2026', '05/31/2026').order).toBe('MDY')
  expect(collect('01/04/2026', '04/31/2026').order).toBeUndefined()
})

test('evidence is at most five values', () => {
  const many = Array.from({ length: 9 }, (_, index) => `0${index + 1}/01/2026`)
  expect(collect(...many).evidence).toHaveLength(5)
})

test('ten different dates that go one way under one order settle it', () => {
  const june = Array.from(
    { length: 12 },
    (_, index) => `${String(index + 1).padStart(2, '0')}/01/26`,
  )
  // Under month, day, year this is the first of each month; under year, month, day it is impossible; both go up.
  expect(collect(...june).order).toBeUndefined()
  const overMonths = ['10/01/26', '11/01/26', '12/01/26', '01/02/26', '02/02/26', '03/02/26']
  const more = [...overMonths, '04/02/26', '05/02/26', '06/02/26', '07/02/26', '08/02/26']
  expect(collect(...more)).toMatchObject({ order: 'DMY', byMonotony: true })
  const dashed = more.map((text) => text.replaceAll('/', '.'))
  expect(collect(...dashed)).toMatchObject({ order: 'DMY', byMonotony: true, direction: 'up' })
  expect(collect(...dashed.toReversed())).toMatchObject({ order: 'DMY', direction: 'down' })
  expect(collect(...dashed.slice(0, 8)).order).toBeUndefined()
})

test('the dates of another section begin anew', () => {
  const collector = orderCollector()
  const first = ['08.01.26', '09.01.26', '10.01.26', '11.01.26', '12.01.26', '01.02.26', '02.02.26']
  for (const text of [...first, '03.02.26', '04.02.26', '05.02.26']) {
    collector.add(text, 1)
  }
  collector.section()
  collector.add('01.01.26', 20)
  expect(collector.findings()).toMatchObject({ order: 'DMY', byMonotony: true })
})

test('nothing is asked where all orders that are left say the same', () => {
  expect(collect('03/03/2026')).toMatchObject({ order: 'DMY', possible: ['DMY', 'MDY'] })
  expect(collect('3 Mar 2026', '4 Mar 2026').order).toBe('YMD')
})

test('what is no date under any order says nothing', () => {
  expect(collect('30/02/2026', 'Total', '')).toEqual({
    possible: [],
    evidence: [],
    byMonotony: false,
    lacksYear: false,
    dates: 0,
  })
})

test('dates that contradict each other leave the question open, the more frequent order first', () => {
  const found = collect('12/31/2026', '31/12/2026', '30/12/2026')
  expect(found.order).toBeUndefined()
  expect(found.possible).toEqual(['DMY', 'MDY'])
  expect(found.evidence.length).toBeGreaterThan(1)
})

test('dates without a year are told', () => {
  expect(collect('12/30', '12/31')).toMatchObject({
    lacksYear: true,
    order: 'YMD',
    possible: ['YMD', 'MDY'],
  })
})
