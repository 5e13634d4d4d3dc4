import {
  CHART_MARGIN,
  CHART_WIDTH,
  FONT_SIZES,
  headingLines,
  HEADS_Y,
  hundredths,
  INNER_WIDTH,
  nothingLine,
  SHORTEST_MARK,
  stripedFill,
  stripedPattern,
  textLine,
} from './layout.ts'
import {
  element,
  isolated,
  type Markup,
  shownText,
  textElement,
  chartImage,
  type ImageTexts,
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

/** The top of the first row. */
const FIRST_ROW = 108
const ROW = 49
const GAP = 20

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
  theme: Theme
  columns: Column[]
  /** The width that is left for names. */
  nameWidth: number
  /** Returns the horizontal position of a value. */
  xOf: (value: number) => number
}

/** Draws a table of bars as an SVG image. */
export function drawBars(table: BarTable, theme: Theme): string {
  const { rows } = table
  const drawing = { theme, ...columnsOf(table), xOf: scaleOf(rows) }
  const height = FIRST_ROW + Math.max(1, rows.length) * ROW + CHART_MARGIN / 2
  return chartImage(
    table,
    { width: CHART_WIDTH, height, theme },
    // What goes back differs from the rest by its pattern, too.
    stripedPattern(theme, 'hatch'),
    ...headingLines(table),
    ...(rows.length === 0
      ? [nothingLine(table.nothing, HEADS_Y + 34)]
      : [...heads(drawing), axis(drawing, rows.length)]),
    ...rows.map((row, at) => drawRow(drawing, row, FIRST_ROW + at * ROW)),
  )
}

/** Columns end at the right edge, each as wide as its longest figure. Names have what is left. */
function columnsOf({ columns, rows }: BarTable): Pick<Drawing, 'columns' | 'nameWidth'> {
  let right = CHART_WIDTH - CHART_MARGIN
  const placed = columns
    .map((column, at): Column => {
      const texts = rows.map(({ bars }) => widthOf(bars[at]?.text ?? '') * FONT_SIZES.cell)
      return { ...column, right: Math.max(widthOfHead(column), ...texts) }
    })
    .toReversed()
    .map((column) => {
      const end = right
      right -= column.right + GAP
      return { ...column, right: end }
    })
    .toReversed()
  return { columns: placed, nameWidth: right - CHART_MARGIN }
}

const SWATCH = 18

const widthOfHead = ({ name }: { name: string }) => widthOf(name) * FONT_SIZES.head + SWATCH

/** The values of all bars, and zero, from one edge to the other. */
function scaleOf(rows: readonly BarRow[]): (value: number) => number {
  const values = rows.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to]))
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [0, 0],
  )
  const span = most - least || 1
  return (value) => CHART_MARGIN + ((value - least) / span) * INNER_WIDTH
}

const heads = ({ columns }: Drawing): Markup[] => [
  element('path', {
    class: 'rule',
    d: `M${CHART_MARGIN} ${HEADS_Y + 9.5}h${INNER_WIDTH}`,
  }),
  ...columns.flatMap(({ name, kind, right }) => [
    textLine(
      name,
      { x: right, y: HEADS_Y, size: FONT_SIZES.head, class: 'muted', anchor: 'end' },
      widthOf(name) * FONT_SIZES.head,
    ),
    swatch(kind, right - widthOfHead({ name })),
  ]),
]

/** Draws the sample of a column's bars in its heading. */
function swatch(kind: BarKind, x: number): Markup {
  const { height } = PLACES[kind]
  return element('rect', {
    class: CLASSES[kind],
    ...{ x, y: HEADS_Y - 4 - height / 2, width: 12, height },
    rx: kind === 'thin' ? 1.5 : 2,
  })
}

const CLASSES: Record<BarKind, string> = { thin: 'quiet', full: 'main', rest: 'soft' }

/** Draws the line at zero beside the bars of each row. */
const axis = ({ xOf }: Drawing, rows: number): Markup => {
  const x = hundredths(xOf(0))
  const ofRows = Array.from({ length: rows }, (_, at) => `M${x} ${FIRST_ROW + at * ROW + 20}v19`)
  return element('path', { class: 'axis', d: ofRows.join('') })
}

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
    textLine(
      name,
      { x: CHART_MARGIN, y, size: FONT_SIZES.cell, class: 'text', weight: 600 },
      nameWidth,
    ),
    ...drawn.map(({ column: { right }, bar: { text }, isTooMuch }) => {
      const style = { x: right, y, size: FONT_SIZES.cell, anchor: 'end' as const }
      const tone = isTooMuch ? { class: 'alarm', weight: 600 } : { class: 'text' }
      return textLine(text, { ...style, ...tone }, INNER_WIDTH)
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

function drawBar({ theme, xOf }: Drawing, bar: PlacedBar): Markup {
  const { name, column, from, to, text, top, isTooMuch } = bar
  const { y, height } = PLACES[column.kind]
  const [start, end] = [xOf(Math.min(from, to)), xOf(Math.max(from, to))]
  return element(
    'rect',
    {
      ...(isTooMuch
        ? { class: 'hatch', fill: stripedFill(theme) }
        : { class: CLASSES[column.kind] }),
      x: Math.min(start, CHART_WIDTH - CHART_MARGIN - SHORTEST_MARK),
      y: top + y,
      width: Math.max(end - start, SHORTEST_MARK),
      height,
      rx: 1,
    },
    textElement('title', {}, `${isolated(name)}: ${column.name} ${text}`.trimEnd()),
  )
}
