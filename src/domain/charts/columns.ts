import type { CalendarDate } from '../calendar.ts'
import type { ReportInterval } from '../reports/intervals.ts'
import { dateLabels, valueTicks } from './axes.ts'
import {
  CHART_MARGIN,
  CHART_WIDTH,
  FONT_SIZES,
  headingLines,
  HEADS_Y,
  hundredths,
  nothingLine,
  SHORTEST_MARK,
  stripedFill,
  stripedPattern,
  textLine,
} from './layout.ts'
import { chartImage, element, type ImageTexts, type Markup, textElement, widthOf } from './svg.ts'
import type { Theme } from './themes.ts'

export const MOST_CHART_INTERVALS = 120

/** The way a series is drawn: as columns that are filled or striped, or as a line over them. */
export type SeriesKind = 'solid' | 'striped' | 'line'

/** A value, the name of its interval, and the text that is shown of it, which is empty where amounts are hidden. */
export interface ChartValue {
  value: number
  when: string
  text: string
}

export interface Series {
  name: string
  kind: SeriesKind
  /** One for each interval. */
  values: readonly ChartValue[]
}

/** Columns and lines over intervals. */
export interface ColumnChart extends ImageTexts {
  heading: string
  /** One line below the heading. */
  subtitle: string
  interval: ReportInterval
  /** A day of each interval. */
  dates: readonly CalendarDate[]
  series: readonly Series[]
  /** Returns the label of a value at the axis; it is empty where amounts are hidden. */
  labelOf: (value: number) => string
  /** The text that is shown if all values are zero. */
  nothing: string
}

const HEIGHT = 388
const [TOP, BOTTOM] = [116, 340]
const LABEL_GAP = 14
const COLUMNS_PART = 0.74
const WIDEST_COLUMN = 48
/** Narrower columns and intervals have finer outlines. */
const [FINE_COLUMN, FINE_INTERVAL] = [6, 12]
const SWATCH = { width: 14, gap: 6, after: 22 }

const CLASSES: Record<SeriesKind, string> = { solid: 'main', striped: 'striped', line: 'line' }

interface Drawing {
  theme: Theme
  left: number
  /** The width of an interval. */
  slot: number
  xOf: (at: number) => number
  yOf: (value: number) => number
}

/** Draws columns and lines as an SVG image. The description ends with the extremes of each series. */
export function drawColumns(chart: ColumnChart, theme: Theme): string {
  const { series, dates } = chart
  const values = series.flatMap((one) => one.values.map(({ value }) => value))
  const ticks = valueTicks(values)
  const labels = labelsOf(ticks, chart)
  const widest = Math.max(...labels.map(({ text }) => widthOf(text) * FONT_SIZES.head))
  const left = CHART_MARGIN + widest + (widest > 0 ? 8 : 0)
  const slot = (CHART_WIDTH - CHART_MARGIN - left) / dates.length
  const [least, most] = [Math.min(...ticks), Math.max(...ticks)]
  const drawing: Drawing = {
    ...{ theme, left, slot },
    xOf: (at) => left + (at + 0.5) * slot,
    yOf: (value) => BOTTOM - ((value - least) / (most - least || 1)) * (BOTTOM - TOP),
  }
  const description = [chart.description, ...series.map(extremesOf)].join(' ')
  const columns = series.filter(({ kind }) => kind !== 'line')
  const places = areApart(columns, dates) ? 1 : columns.length
  return chartImage(
    { title: chart.title, description },
    { width: CHART_WIDTH, height: HEIGHT, theme },
    stripedPattern(theme, 'stripe'),
    ...headingLines(chart),
    ...(values.some((value) => value !== 0)
      ? legend(series, theme)
      : [nothingLine(chart.nothing, HEADS_Y)]),
    ...valueAxis(drawing, labels),
    ...columns.flatMap((one, at) => drawSeries(drawing, one, [at % places, places])),
    element('path', {
      class: 'axis',
      d: `M${hundredths(left)} ${hundredths(drawing.yOf(0))}H${CHART_WIDTH - CHART_MARGIN}`,
    }),
    ...series.filter(({ kind }) => kind === 'line').flatMap((one) => drawLine(drawing, one)),
    ...dateAxis(drawing, chart),
  )
}

interface TickLabel {
  tick: number
  text: string
}

/** True if the columns of each interval go to different sides of zero, so that none covers another. */
const areApart = (columns: readonly Series[], dates: ColumnChart['dates']): boolean =>
  dates.every((_, at) => {
    const values = columns.flatMap((one) => one.values.slice(at, at + 1))
    const signs = values.map(({ value }) => Math.sign(value)).filter((sign) => sign !== 0)
    return new Set(signs).size === signs.length
  })

/** The ticks with their texts; decimals that are zero in all of them are left out. */
function labelsOf(ticks: readonly number[], { labelOf }: ColumnChart): TickLabel[] {
  const labels = ticks.map((tick) => ({ tick, text: labelOf(tick) }))
  const areWhole = labels.every(({ text }) => /\.0+$/.test(text))
  return areWhole
    ? labels.map(({ tick, text }) => ({ tick, text: text.replace(/\.0+$/, '') }))
    : labels
}

/** Says which interval has the largest and the smallest value, and what the last one is. */
function extremesOf({ name, values }: Series): string {
  const sorted = values.toSorted((one, other) => other.value - one.value)
  const [largest, smallest, last] = [sorted[0], sorted.at(-1), values.at(-1)].map((one) =>
    `${one?.text} (${one?.when})`.trimStart(),
  )
  return `${name}: largest ${largest}, smallest ${smallest}, last ${last}.`
}

/** Names the series, each beside a sample of its marks. */
function legend(series: readonly Series[], theme: Theme): Markup[] {
  let x = CHART_MARGIN
  return series.flatMap(({ name, kind }) => {
    const start = x
    const textStart = start + SWATCH.width + SWATCH.gap
    x = textStart + widthOf(name) * FONT_SIZES.head + SWATCH.after
    const style = { x: textStart, y: HEADS_Y, size: FONT_SIZES.head, class: 'muted' }
    return [swatch(kind, start, theme), textLine(name, style, CHART_WIDTH)]
  })
}

function swatch(kind: SeriesKind, x: number, theme: Theme): Markup {
  const y = HEADS_Y - 4
  return kind === 'line'
    ? element('path', { class: 'line', d: `M${hundredths(x)} ${y}h${SWATCH.width}` })
    : element('rect', {
        ...fillOf(kind, theme),
        ...{ x, y: y - 5, width: SWATCH.width, height: 10 },
      })
}

const fillOf = (kind: SeriesKind, theme: Theme): { class: string; fill?: string } => ({
  class: CLASSES[kind],
  ...(kind === 'striped' ? { fill: stripedFill(theme) } : {}),
})

const valueAxis = ({ left, yOf }: Drawing, labels: readonly TickLabel[]): Markup[] =>
  labels.flatMap(({ tick, text }) => {
    const y = yOf(tick)
    const style = { x: left - 8, y: y + 4, size: FONT_SIZES.head, class: 'muted' }
    return [
      element('path', {
        class: 'rule',
        d: `M${hundredths(left)} ${hundredths(y)}H${CHART_WIDTH - CHART_MARGIN}`,
      }),
      ...(text === '' ? [] : [textLine(text, { ...style, anchor: 'end' }, CHART_WIDTH)]),
    ]
  })

function dateAxis({ slot, xOf }: Drawing, { interval, dates }: ColumnChart): Markup[] {
  const widthOfLabel = (text: string) => widthOf(text) * FONT_SIZES.head
  const fits = (text: string, every: number) => widthOfLabel(text) + LABEL_GAP <= every * slot
  return dateLabels(dates, interval, fits).flatMap(({ at, text }) => {
    const x = xOf(at)
    const tick = element('path', { class: 'axis', d: `M${hundredths(x)} ${BOTTOM}v5` })
    // The last label is left out where it would leave the image.
    const end = x + widthOfLabel(text) / 2
    const style = { x, y: BOTTOM + 20, size: FONT_SIZES.head, class: 'muted' }
    return end > CHART_WIDTH
      ? [tick]
      : [tick, textLine(text, { ...style, anchor: 'middle' }, CHART_WIDTH)]
  })
}

/** Draws the columns of a series in one of the places side by side. */
function drawSeries(
  { theme, slot, xOf, yOf }: Drawing,
  series: Series,
  [place, count]: [number, number],
): Markup[] {
  const width = Math.min((slot * COLUMNS_PART) / count, WIDEST_COLUMN)
  const isFine = width < FINE_COLUMN
  const gap = isFine ? 0 : 2
  const zero = yOf(0)
  return series.values.flatMap((one, at) => {
    if (one.value === 0) {
      return []
    }
    const height = Math.max(Math.abs(yOf(one.value) - zero), SHORTEST_MARK)
    const start = xOf(at) + (place - count / 2) * width
    return [
      element(
        'rect',
        {
          ...fillOf(series.kind, theme),
          ...{ x: start + gap / 2, y: one.value > 0 ? zero - height : zero },
          ...{ width: width - gap, height },
          ...(isFine ? { 'stroke-width': 0.5 } : {}),
        },
        titleOf(series, one),
      ),
    ]
  })
}

/** Draws a line with a point for each value, above a wider line that sets it off from the columns. */
function drawLine({ slot, xOf, yOf }: Drawing, series: Series): Markup[] {
  const points = series.values.map((one, at) => ({ one, x: xOf(at), y: yOf(one.value) }))
  const d = `M${points.map(({ x, y }) => `${hundredths(x)} ${hundredths(y)}`).join('L')}`
  const size = {
    r: Math.min(3.5, Math.max(1.6, slot / 5)),
    'stroke-width': slot < FINE_INTERVAL ? 0 : 1,
  }
  return [
    ...['halo', 'line'].map((name) => element('path', { class: name, d })),
    ...points.map(({ one, x, y }) =>
      element('circle', { class: 'point', cx: x, cy: y, ...size }, titleOf(series, one)),
    ),
  ]
}

const titleOf = ({ name }: Series, { when, text }: ChartValue): Markup =>
  textElement('title', {}, `${when}: ${name} ${text}`.trimEnd())
