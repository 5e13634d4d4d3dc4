import {
  element,
  isolated,
  type Markup,
  shownText,
  textElement,
  chartImage,
  scopeOf,
  type ImageTexts,
  fitted,
  widthOf,
} from './svg.ts'
import type { Theme } from './themes.ts'

/**
 * The way a column of bars is drawn. `thin` lies above the others for comparison. `rest` continues where `full` ends;
 * one that goes backwards means that a limit is exceeded.
 */
export type BarKind = 'thin' | 'full' | 'rest'

/** A bar, from one value to another, and what is said of it. */
export interface Bar {
  text: string
  from: number
  to: number
}

/** A name with a bar for each column. */
export interface BarRow {
  name: string
  bars: readonly Bar[]
}

/** Names with figures, and a bar for each of these. */
export interface BarTable extends ImageTexts {
  heading: string
  /** One line below the heading. */
  subtitle: string
  columns: readonly { name: string; kind: BarKind }[]
  rows: readonly BarRow[]
  /** The text that is shown if there are no rows. */
  nothing: string
}

const WIDTH = 720
const MARGIN = 24
const INNER = WIDTH - 2 * MARGIN
/** The vertical positions of the column names and of the first row. */
const [HEADS, FIRST_ROW] = [92, 108]
const ROW = 49
const SIZES = { heading: 19, subtitle: 13, head: 12, cell: 13 }
const GAP = 20
/** A bar of something is never too short to be seen. */
const SHORTEST = 1.5

/** The position of each kind of bar below the top of its row. */
const PLACES: Record<BarKind, { y: number; height: number }> = {
  thin: { y: 22, height: 3 },
  full: { y: 27, height: 10 },
  rest: { y: 27, height: 10 },
}

interface Column {
  name: string
  kind: BarKind
  /** The right edge of its figures. */
  right: number
}

interface Drawing {
  scope: string
  columns: Column[]
  /** The width that is left for names. */
  nameWidth: number
  /** Returns the horizontal position of a value. */
  xOf: (value: number) => number
}

/** Draws a table of bars as an SVG image. */
export function drawBars(table: BarTable, theme: Theme): string {
  const { rows } = table
  const scope = scopeOf(theme)
  const drawing = { scope, ...columnsOf(table), xOf: scaleOf(rows) }
  const height = FIRST_ROW + Math.max(1, rows.length) * ROW + MARGIN / 2
  return chartImage(
    table,
    { width: WIDTH, height, theme },
    patternOf(scope),
    line(
      table.heading,
      { x: MARGIN, y: 38, size: SIZES.heading, class: 'text', weight: 600 },
      INNER,
    ),
    line(table.subtitle, { x: MARGIN, y: 61, size: SIZES.subtitle, class: 'muted' }, INNER),
    ...(rows.length === 0
      ? [line(table.nothing, { x: MARGIN, y: HEADS + 34, size: 14, class: 'muted' }, INNER)]
      : [...heads(drawing), axis(drawing, rows.length)]),
    ...rows.map((row, at) => drawRow(drawing, row, FIRST_ROW + at * ROW)),
  )
}

/** Lines for what goes back: it differs from the rest by its pattern, too. */
const patternOf = (scope: string): Markup =>
  element(
    'defs',
    {},
    element(
      'pattern',
      {
        id: `${scope}-hatch`,
        ...{ width: 5, height: 5 },
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      element('rect', { class: 'background', width: 5, height: 5 }),
      element('path', { class: 'hatch', d: 'M1.5 0v5', 'stroke-width': 3 }),
    ),
  )

interface Style {
  x: number
  y: number
  size: number
  class: string
  weight?: number
  anchor?: 'end'
}

/** A line of text, cut to a width. */
function line(
  text: string,
  { x, y, size, class: name, weight, anchor }: Style,
  width: number,
): Markup {
  const attributes = {
    ...{ x, y, class: name, 'font-size': size },
    ...(weight === undefined ? {} : { 'font-weight': weight }),
    ...(anchor === undefined ? {} : { 'text-anchor': anchor }),
  }
  return textElement('text', attributes, fitted(shownText(text), width / size))
}

/** Columns end at the right edge, each as wide as its longest figure. Names have what is left. */
function columnsOf({ columns, rows }: BarTable): Pick<Drawing, 'columns' | 'nameWidth'> {
  let right = WIDTH - MARGIN
  const placed = columns
    .map((column, at): Column => {
      const texts = rows.map(({ bars }) => widthOf(bars[at]?.text ?? '') * SIZES.cell)
      return { ...column, right: Math.max(widthOfHead(column), ...texts) }
    })
    .toReversed()
    .map((column) => {
      const end = right
      right -= column.right + GAP
      return { ...column, right: end }
    })
    .toReversed()
  return { columns: placed, nameWidth: right - MARGIN }
}

const SWATCH = 18

const widthOfHead = ({ name }: { name: string }) => widthOf(name) * SIZES.head + SWATCH

/** The values of all bars, and zero, from one edge to the other. */
function scaleOf(rows: readonly BarRow[]): (value: number) => number {
  const values = rows.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to]))
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [0, 0],
  )
  const span = most - least || 1
  return (value) => MARGIN + ((value - least) / span) * INNER
}

const heads = ({ columns }: Drawing): Markup[] => [
  element('path', {
    class: 'rule',
    d: `M${MARGIN} ${HEADS + 9.5}h${INNER}`,
  }),
  ...columns.flatMap(({ name, kind, right }) => [
    line(
      name,
      { x: right, y: HEADS, size: SIZES.head, class: 'muted', anchor: 'end' },
      widthOf(name) * SIZES.head,
    ),
    swatch(kind, right - widthOfHead({ name })),
  ]),
]

/** Draws the sample of a column's bars in its heading. */
function swatch(kind: BarKind, x: number): Markup {
  const { height } = PLACES[kind]
  return element('rect', {
    class: CLASSES[kind],
    ...{ x, y: HEADS - 4 - height / 2, width: 12, height },
    rx: kind === 'thin' ? 1.5 : 2,
  })
}

const CLASSES: Record<BarKind, string> = { thin: 'quiet', full: 'main', rest: 'soft' }

/** Draws the line at zero beside the bars of each row. */
const axis = ({ xOf }: Drawing, rows: number): Markup => {
  const x = round(xOf(0))
  const ofRows = Array.from({ length: rows }, (_, at) => `M${x} ${FIRST_ROW + at * ROW + 20}v19`)
  return element('path', { class: 'axis', d: ofRows.join('') })
}

const round = (value: number): number => Math.round(value * 100) / 100

function drawRow(drawing: Drawing, { name, bars }: BarRow, top: number): Markup {
  const { columns, nameWidth } = drawing
  const drawn = columns.flatMap((column, at) => {
    const bar = bars[at]
    return bar ? [{ column, bar, isTooMuch: column.kind === 'rest' && bar.to < bar.from }] : []
  })
  const y = top + 15
  return element(
    'g',
    {},
    textElement('title', {}, shownText(name)),
    line(name, { x: MARGIN, y, size: SIZES.cell, class: 'text', weight: 600 }, nameWidth),
    ...drawn.map(({ column: { right }, bar: { text }, isTooMuch }) => {
      const style = { x: right, y, size: SIZES.cell, anchor: 'end' as const }
      const tone = isTooMuch ? { class: 'alarm', weight: 600 } : { class: 'text' }
      return line(text, { ...style, ...tone }, INNER)
    }),
    // A bar that continues another one lies below it, and one that goes backwards lies above it.
    ...drawn
      .toSorted((one, other) => depthOf(one) - depthOf(other))
      .flatMap(({ column, bar, isTooMuch }) =>
        bar.from === bar.to ? [] : [drawBar(drawing, { ...bar, name, column, top, isTooMuch })],
      ),
  )
}

const depthOf = ({ column: { kind }, isTooMuch }: { column: Column; isTooMuch: boolean }) =>
  kind === 'full' ? 1 : 2 * Number(isTooMuch)

interface PlacedBar extends Bar {
  name: string
  column: Column
  top: number
  isTooMuch: boolean
}

function drawBar({ scope, xOf }: Drawing, bar: PlacedBar): Markup {
  const { name, column, from, to, text, top, isTooMuch } = bar
  const { y, height } = PLACES[column.kind]
  const [start, end] = [xOf(Math.min(from, to)), xOf(Math.max(from, to))]
  return element(
    'rect',
    {
      ...(isTooMuch
        ? { class: 'hatch', fill: `url(#${scope}-hatch)` }
        : { class: CLASSES[column.kind] }),
      x: Math.min(start, WIDTH - MARGIN - SHORTEST),
      y: top + y,
      width: Math.max(end - start, SHORTEST),
      height,
      rx: 1,
    },
    textElement('title', {}, `${isolated(name)}: ${column.name} ${text}`),
  )
}
