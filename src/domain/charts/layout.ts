import { element, fitted, type Markup, scopeOf, shownText, textElement } from './svg.ts'
import type { Theme } from './themes.ts'

// Measures and parts that all charts share.

export const CHART_WIDTH = 720
export const CHART_MARGIN = 24
export const INNER_WIDTH = CHART_WIDTH - 2 * CHART_MARGIN
export const FONT_SIZES = { heading: 19, subtitle: 13, head: 12, cell: 13 }
/** The baseline of the names of columns or series. */
export const HEADS_Y = 92
/** A mark of something is never too short to be seen. */
export const SHORTEST_MARK = 1.5

export interface TextStyle {
  x: number
  y: number
  size: number
  class: string
  weight?: number
  anchor?: 'middle' | 'end'
}

/** A line of text, cut to a width. */
export function textLine(
  text: string,
  { x, y, size, class: name, weight, anchor }: TextStyle,
  width: number,
): Markup {
  const attributes = {
    ...{ x, y, class: name, 'font-size': size },
    ...(weight === undefined ? {} : { 'font-weight': weight }),
    ...(anchor === undefined ? {} : { 'text-anchor': anchor }),
  }
  return textElement('text', attributes, fitted(shownText(text), width / size))
}

/** The heading of a chart, and one line below it. */
export const headingLines = ({
  heading,
  subtitle,
}: {
  heading: string
  subtitle: string
}): Markup[] => [
  textLine(
    heading,
    { x: CHART_MARGIN, y: 38, size: FONT_SIZES.heading, class: 'text', weight: 600 },
    INNER_WIDTH,
  ),
  textLine(
    subtitle,
    { x: CHART_MARGIN, y: 61, size: FONT_SIZES.subtitle, class: 'muted' },
    INNER_WIDTH,
  ),
]

/** The text that stands in place of what a chart would show. */
export const nothingLine = (text: string, y: number): Markup =>
  textLine(text, { x: CHART_MARGIN, y, size: 14, class: 'muted' }, INNER_WIDTH)

/** The stripes that tell marks from others without their color. `stripe` is the class of the stripes. */
export const stripedPattern = (theme: Theme, stripe: string): Markup =>
  element(
    'defs',
    {},
    element(
      'pattern',
      {
        id: `${scopeOf(theme)}-hatch`,
        ...{ width: 5, height: 5 },
        patternUnits: 'userSpaceOnUse',
        patternTransform: 'rotate(45)',
      },
      element('rect', { class: 'background', width: 5, height: 5 }),
      element('path', { class: stripe, d: 'M1.5 0v5', 'stroke-width': 3 }),
    ),
  )

/** The fill of marks with the stripes of `stripedPattern`. */
export const stripedFill = (theme: Theme): string => `url(#${scopeOf(theme)}-hatch)`

/** Positions within paths, which are texts, are rounded like those in attributes. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100
