import { expect, test } from 'vitest'
import { type BarTable, drawBars } from '../../../src/domain/charts/bars.ts'
import { parseXml, type XmlElement } from '../../../src/domain/xml.ts'

const COLUMNS: BarTable['columns'] = [
  { name: 'Assigned', kind: 'thin' },
  { name: 'Spent', kind: 'full' },
  { name: 'Left', kind: 'rest' },
]

/** A row as a line of a budget has it. */
const rowOf = (name: string, assigned: number, spent: number, left: number) => ({
  name,
  bars: [
    { text: `${assigned}`, from: 0, to: assigned },
    { text: `${spent}`, from: 0, to: spent },
    { text: `${left}`, from: spent, to: spent + left },
  ],
})

const tableOf = (rows: BarTable['rows'], more: Partial<BarTable> = {}): BarTable => ({
  title: 'Household, November',
  description: 'What was spent.',
  heading: 'Household',
  subtitle: 'November',
  columns: COLUMNS,
  nothing: 'There are no lines.',
  ...more,
  rows,
})

const all = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(all)]

function read(svg: string) {
  const root = parseXml(`<?xml version="1.0"?>${svg}`, { maxDepth: 10 })
  const bars = all(root)
    .filter(({ name, children }) => name === 'rect' && children[0]?.name === 'title')
    .map(({ attributes }) => ({
      kind: attributes.get('class') ?? '',
      x: Number(attributes.get('x')),
      width: Number(attributes.get('width')),
    }))
  return { root, bars }
}

test('a chart is an image that tells its title and description first', () => {
  const { root } = read(drawBars(tableOf([rowOf('Food', 10, 5, 5)]), 'light'))
  expect([root.name, root.attributes.get('role'), root.attributes.get('lang')]).toEqual([
    'svg',
    'img',
    'en',
  ])
  const [title, description] = root.children
  expect([title?.name, description?.name]).toEqual(['title', 'desc'])
  const ids = [title, description].map((one) => one?.attributes.get('id'))
  expect(root.attributes.get('aria-labelledby')).toBe(ids.join(' '))
})

test('bars are as long as what they stand for, and each has a text', () => {
  const svg = drawBars(tableOf([rowOf('Food', 400, 100, 300), rowOf('Fun', 50, 80, -30)]), 'light')
  const { bars } = read(svg)
  // 672 wide for 400.
  expect(bars).toEqual([
    { kind: 'quiet', x: 24, width: 672 },
    { kind: 'soft', x: 192, width: 504 },
    { kind: 'main', x: 24, width: 168 },
    { kind: 'quiet', x: 24, width: 84 },
    { kind: 'main', x: 24, width: 134.4 },
    // What goes back lies above the rest, from 50 to 80.
    { kind: 'hatch', x: 108, width: 50.4 },
  ])
  expect(svg).toContain('<title>\u2068Fun\u2069: Left -30</title>')
  expect(svg).toMatch(/<text [^>]*class="alarm"[^>]*>-30<\/text>/)
})

test('bars below zero go to the left of it', () => {
  const { bars } = read(drawBars(tableOf([rowOf('Clothes', -100, -100, 400)]), 'dark'))
  // From -100 to 300.
  expect(bars).toEqual([
    { kind: 'quiet', x: 24, width: 168 },
    { kind: 'soft', x: 24, width: 672 },
    { kind: 'main', x: 24, width: 168 },
  ])
})

test('what is nothing has a text and no bar, and what is little can be seen', () => {
  const { bars } = read(drawBars(tableOf([rowOf('A', 1_000_000, 0, 1_000_000)]), 'light'))
  expect(bars.map(({ kind }) => kind)).toEqual(['quiet', 'soft'])
  const little = drawBars(tableOf([rowOf('A', 1_000_000, 999_999, 1)]), 'light')
  const [, rest] = read(little).bars
  expect(rest).toEqual({ kind: 'soft', x: 694.5, width: 1.5 })
  const zeros = drawBars(tableOf([rowOf('Presents', 0, 0, 0)]), 'light')
  expect(read(zeros).bars).toEqual([])
  expect(zeros.match(/>0<\/text>/g)).toHaveLength(3)
})

test('a table without rows says so, and has no columns', () => {
  const svg = drawBars(tableOf([]), 'auto')
  expect(svg).toContain('>There are no lines.</text>')
  expect(svg).not.toContain('Assigned')
})

test('a row with fewer bars than there are columns has those', () => {
  const svg = drawBars(
    tableOf([
      { name: 'Half', bars: [{ text: '5', from: 0, to: 5 }] },
      { name: 'None', bars: [] },
    ]),
    'light',
  )
  expect(read(svg).bars).toHaveLength(1)
  expect(svg).toContain('>None</text>')
})

test('long names are cut, and told in full; long figures make room for themselves', () => {
  const name = 'A name of a hundred letters that nobody would want to read to its end'.padEnd(
    100,
    '!',
  )
  const most = Number.MAX_SAFE_INTEGER
  const svg = drawBars(tableOf([rowOf(name, most, -most, 2)]), 'light')
  expect(svg).toContain(`<title>${name}</title>`)
  expect(svg).toMatch(/>A name of [^<]*…<\/text>/)
  const ends = [...svg.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>-?\d+</g)]
  const [assigned = 0, spent = 0, left = 0] = ends.map(([, x]) => Number(x))
  expect(left).toBe(696)
  // Sixteen digits in each are more than a hundred wide.
  expect(left - spent).toBeGreaterThan(20)
  expect(spent - assigned).toBeGreaterThan(100)
  expect(svg).not.toMatch(/NaN|Infinity|e\+/)
})

test('nothing in a chart runs, links or is loaded, whatever people typed', () => {
  const hostile = `"><script>x</script><a href='javascript:x'>\u202e&`
  const table = { title: hostile, description: hostile, heading: hostile, subtitle: hostile }
  const svg = drawBars(tableOf([rowOf(hostile, 3, 5, -2)], table), 'auto')
  const { root } = read(svg)
  const names = new Set(all(root).map((one) => one.name))
  const known = ['svg', 'title', 'desc', 'style', 'rect', 'defs', 'pattern', 'path', 'text', 'g']
  expect([...names].toSorted()).toEqual(known.toSorted())
  const attributes = all(root).flatMap((one) => [...one.attributes])
  const odd = attributes.filter(
    ([key, value]) => /^on|href|style/.test(key) || /url\((?!#)|javascript|^https?:/.test(value),
  )
  expect(odd).toEqual([['xmlns', 'http://www.w3.org/2000/svg']])
})

test('one table is one file', () => {
  const table = tableOf([rowOf('Food', 400, 133, 267)])
  expect(drawBars(table, 'auto')).toBe(drawBars(structuredClone(table), 'auto'))
})

test('five hundred lines with the longest names are no more than a megabyte and a half', () => {
  const rows = Array.from({ length: 500 }, (_, at) => rowOf('&'.repeat(100), at + 1, at + 2, -1))
  expect(drawBars(tableOf(rows), 'auto').length).toBeLessThan(1_500_000)
})
