import { describe, expect, test } from 'vitest'
import { addDays, addMonths } from '../../../src/domain/calendar.ts'
import { type ColumnChart, drawColumns } from '../../../src/domain/charts/columns.ts'
import { widthOf } from '../../../src/domain/charts/svg.ts'
import { parseXml, type XmlElement } from '../../../src/domain/xml.ts'

/** A chart of months with what was earned and spent, and the difference as a line. */
function chartOf(
  months: readonly (readonly [earned: number, spent: number])[],
  { textOf = String, ...more }: Partial<ColumnChart> & { textOf?: (value: number) => string } = {},
): ColumnChart {
  const dates = more.dates ?? months.map((_, at) => addMonths('2026-01-01', at))
  const valuesOf = (valueOf: (earned: number, spent: number) => number) =>
    months.map(([earned, spent], at) => {
      const value = valueOf(earned, spent)
      return { value, when: `${dates[at]}`.slice(0, 7), text: textOf(value) }
    })
  return {
    title: 'Earned and spent, 2026',
    description: 'In EUR by month.',
    heading: 'Earned and spent',
    subtitle: '2026 · EUR',
    interval: 'month',
    dates,
    series: [
      { name: 'Earned', kind: 'solid', values: valuesOf((earned) => earned) },
      { name: 'Spent', kind: 'striped', values: valuesOf((_, spent) => spent) },
      { name: 'Net', kind: 'line', values: valuesOf((earned, spent) => earned - spent) },
    ],
    labelOf: textOf,
    nothing: 'Nothing was earned or spent.',
    ...more,
  }
}

const all = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(all)]

function read(svg: string) {
  const elements = all(parseXml(`<?xml version="1.0"?>${svg}`, { maxDepth: 10 }))
  const [root] = elements
  const numbersOf = ({ attributes }: XmlElement, ...names: string[]) =>
    names.map((name) => Number(attributes.get(name)))
  const marks = elements.filter(({ children: [first] }) => first?.name === 'title').slice(1)
  return {
    root,
    elements,
    columns: marks
      .filter(({ name }) => name === 'rect')
      .map((one) => ({
        kind: one.attributes.get('class'),
        at: numbersOf(one, 'x', 'y', 'width', 'height'),
      })),
    points: marks.filter(({ name }) => name === 'circle').map((one) => numbersOf(one, 'cx', 'cy')),
    titles: marks.map(({ children: [first] }) => first?.text),
    description: elements.find(({ name }) => name === 'desc')?.text,
    texts: elements
      .filter(({ name }) => name === 'text')
      .map((one) => ({
        text: one.text,
        x: Number(one.attributes.get('x')),
        y: Number(one.attributes.get('y')),
        anchor: one.attributes.get('text-anchor'),
      })),
  }
}

const BOTTOM = 340
const TOP = 116

/** The labels of one axis: those of dates stand below the columns. */
const labelsOf = (svg: string, axis: 'dates' | 'values') =>
  read(svg).texts.filter(({ anchor }) => anchor === (axis === 'dates' ? 'middle' : 'end'))

describe('a chart of columns', () => {
  test('is an image whose texts tell the extremes of each series', () => {
    const { root, description } = read(
      drawColumns(
        chartOf([
          [3000, 0],
          [0, 1366],
          [11, 38],
        ]),
        'light',
      ),
    )
    expect([root?.name, root?.attributes.get('role'), root?.children[0]?.text]).toEqual([
      'svg',
      'img',
      'Earned and spent, 2026',
    ])
    expect(description).toBe(
      'In EUR by month. Earned: largest 3000 (2026-01), smallest 0 (2026-02), last 11 (2026-03). ' +
        'Spent: largest 1366 (2026-02), smallest 0 (2026-01), last 38 (2026-03). ' +
        'Net: largest 3000 (2026-01), smallest -1366 (2026-02), last -27 (2026-03).',
    )
  })

  test('has columns as high as what they stand for, on both sides of zero', () => {
    const { columns, points, titles } = read(
      drawColumns(
        chartOf(
          [
            [400, 100],
            [0, -200],
          ],
          { labelOf: () => '' },
        ),
        'light',
      ),
    )
    // From -200 to 600 (the net of 2026-02 is 200): 224 high for 600 and 336 wide for a month.
    expect(columns).toEqual([
      { kind: 'main', at: [145, 116, 46, 149.33] },
      { kind: 'striped', at: [193, 228, 46, 37.33] },
      { kind: 'striped', at: [529, 265.33, 46, 74.67] },
    ])
    expect(points).toEqual([
      [192, 153.33],
      [528, 190.67],
    ])
    expect(titles).toEqual([
      '2026-01: Earned 400',
      '2026-01: Spent 100',
      '2026-02: Spent -200',
      '2026-01: Net 300',
      '2026-02: Net 200',
    ])
  })

  test('stand in the middle where none covers another, as assets and debts do', () => {
    const { columns } = read(
      drawColumns(
        chartOf(
          [
            [400, -200],
            [0, -200],
          ],
          { labelOf: () => '' },
        ),
        'light',
      ),
    )
    expect(columns.map(({ kind, at: [x, , width] }) => [kind, x, width])).toEqual([
      ['main', 169, 46],
      ['striped', 169, 46],
      ['striped', 505, 46],
    ])
  })

  test('shows what is little, and has no column for zero', () => {
    const { columns } = read(
      drawColumns(
        chartOf([
          [1_000_000, 1],
          [0, -1],
        ]),
        'dark',
      ),
    )
    const heights = columns.map(({ at: [, , , height] }) => height)
    expect(heights.slice(1)).toEqual([1.5, 1.5])
  })

  test('tells its series apart by pattern as well as by color, and names them', () => {
    const svg = drawColumns(chartOf([[2, 1]]), 'light')
    const { elements, texts } = read(svg)
    const striped = elements.filter(({ attributes }) => attributes.get('class') === 'striped')
    expect(striped.map(({ attributes }) => attributes.get('fill'))).toEqual([
      'url(#coffer-light-hatch)',
      'url(#coffer-light-hatch)',
    ])
    expect(svg).toContain('<pattern id="coffer-light-hatch"')
    const names = texts.filter(({ y }) => y === 92)
    expect(names.map(({ text }) => text)).toEqual(['Earned', 'Spent', 'Net'])
    const ends = names.map(({ text, x }) => x + widthOf(text) * 12)
    expect(names.slice(1).every(({ x }, at) => x > (ends[at] ?? 0))).toBe(true)
  })

  test('has no amounts where they are hidden, and still says when', () => {
    const svg = drawColumns(chartOf([[300_077, 4_055]], { textOf: () => '' }), 'light')
    const { titles, description, texts } = read(svg)
    expect(titles).toEqual(['2026-01: Earned', '2026-01: Spent', '2026-01: Net'])
    expect(description).toContain(
      'Earned: largest (2026-01), smallest (2026-01), last (2026-01). Spent: ',
    )
    expect(texts.map(({ text }) => text)).toEqual([
      'Earned and spent',
      '2026 · EUR',
      ...['Earned', 'Spent', 'Net'],
      '2026-01',
    ])
  })

  test('says that there is nothing where all is zero', () => {
    const { texts, columns } = read(
      drawColumns(
        chartOf([
          [0, 0],
          [0, 0],
        ]),
        'auto',
      ),
    )
    expect(texts.map(({ text }) => text)).toContain('Nothing was earned or spent.')
    expect(texts.map(({ text }) => text)).not.toContain('Earned')
    expect(columns).toEqual([])
  })

  test('without a line or without columns has the others', () => {
    const chart = chartOf([
      [2, 1],
      [3, 4],
    ])
    const [earned, , net] = chart.series
    const only = (series: ColumnChart['series'][number] | undefined) =>
      read(drawColumns({ ...chart, series: series ? [series] : [] }, 'light'))
    expect([only(earned).columns.length, only(earned).points.length]).toEqual([2, 0])
    expect([only(net).columns.length, only(net).points.length]).toEqual([0, 2])
    expect(only(undefined).description).toBe('In EUR by month.')
  })
})

describe('labels of axes', () => {
  test('leave out decimals that are zero in all, and make room for long ones', () => {
    const money = (value: number) => (value / 100).toFixed(2)
    const labels = (most: number) =>
      labelsOf(drawColumns(chartOf([[most, 0]], { textOf: money }), 'light'), 'values').map(
        ({ text }) => text,
      )
    expect(labels(300)).toEqual(['0.00', '0.50', '1.00', '1.50', '2.00', '2.50', '3.00'])
    expect(labels(40_000)).toEqual(['0', '100', '200', '300', '400'])
    expect(labels(4)).toEqual(['0.00', '0.01', '0.02', '0.03', '0.04'])
    const huge = labelsOf(drawColumns(chartOf([[9e18, -9e18]]), 'light'), 'values')
    expect(Math.min(...huge.map(({ x, text }) => x - widthOf(text) * 12))).toBeGreaterThanOrEqual(
      23.9,
    )
  })

  test.each([
    ['month', 1],
    ['month', 12],
    ['month', 23],
    ['month', 120],
    ['day', 31],
    ['day', 120],
    ['week', 53],
    ['quarter', 40],
    ['year', 101],
  ] as const)('by %s of %i intervals do not overlap, and stay in the image', (interval, count) => {
    const dateOf = (at: number) => {
      const months = { month: 1, quarter: 3, year: 12, day: 0, week: 0 }[interval]
      return months > 0
        ? addMonths('1950-03-31', at * months)
        : addDays('2026-01-05', at * (interval === 'week' ? 7 : 1))
    }
    const months = Array.from(
      { length: count },
      (_, at) => [(at * 7919 + 5) % 9973, (at * 6007 + 5) % 9967] as const,
    )
    const dates = months.map((_, at) => dateOf(at))
    const svg = drawColumns(chartOf(months, { interval, dates }), 'light')
    const labels = labelsOf(svg, 'dates').map(({ text, x }) => {
      const half = (widthOf(text) * 12) / 2
      return { start: x - half, end: x + half }
    })
    expect(labels.length).toBeGreaterThanOrEqual(Math.min(count, 3))
    for (const [at, { start, end }] of labels.entries()) {
      expect(start).toBeGreaterThan(labels[at - 1]?.end ?? 0)
      expect(end).toBeLessThanOrEqual(720)
    }
    const { columns, points } = read(svg)
    expect(points).toHaveLength(count)
    for (const {
      at: [x = 0, y = 0, width = 0, height = 0],
    } of columns) {
      expect([x >= 24, x + width <= 696.01, y >= TOP - 0.01, y + height <= BOTTOM + 0.01]).toEqual([
        true,
        true,
        true,
        true,
      ])
    }
  })
})

test('nothing in a chart runs, links or is loaded, whatever people typed', () => {
  const hostile = `"><script>x</script><a href='javascript:x'>\u202e&`
  const chart = chartOf([[1, -2]], {
    ...{ title: hostile, description: hostile, heading: hostile, subtitle: hostile },
    textOf: () => hostile,
  })
  const { elements } = read(drawColumns(chart, 'auto'))
  const known = [
    'svg',
    'title',
    'desc',
    'style',
    'rect',
    'defs',
    'pattern',
    'path',
    'text',
    'circle',
  ]
  expect([...new Set(elements.map(({ name }) => name))].toSorted()).toEqual(known.toSorted())
  const odd = elements
    .flatMap(({ attributes }) => [...attributes])
    .filter(([key, value]) => /^on|href|style/.test(key) || /url\((?!#)|javascript/.test(value))
  expect(odd).toEqual([])
})

test('one chart is one file, with rounded positions, and 120 intervals are less than 100 kB', () => {
  const chart = chartOf(Array.from({ length: 120 }, (_, at) => [at * 7777, 100_000 / (at + 1)]))
  const svg = drawColumns(chart, 'auto')
  expect(drawColumns({ ...chart }, 'auto')).toBe(svg)
  expect(svg.length).toBeLessThan(100_000)
  const { elements } = read(svg)
  const places = elements
    .filter(({ name }) => name !== 'svg')
    .flatMap(({ attributes }) =>
      ['x', 'y', 'cx', 'cy', 'width', 'height', 'r', 'd'].map((key) => attributes.get(key) ?? ''),
    )
  expect(places.join(' ')).not.toMatch(/\.\d{3}|NaN|Infinity|e[+-]/)
})
