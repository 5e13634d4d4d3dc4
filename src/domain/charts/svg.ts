import { styleOf, type Theme } from './themes.ts'

/** Markup of an SVG image. Only the functions of this file make it, so what people typed cannot become markup. */
export type Markup = string & { readonly isMarkup: true }

/**
 * Characters that no XML document may hold (XML 1.0, production 2), controls, and marks that change the direction of
 * the text after them.
 */
const NOT_SHOWN =
  // oxlint-disable-next-line no-control-regex -- they are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

/** Returns a user's text without the characters that cannot be shown. */
export const shownText = (text: string): string => text.toWellFormed().replaceAll(NOT_SHOWN, '')

/** Returns a user's text for use within other text: its direction does not change that of the rest. */
export const isolated = (text: string): string => `\u2068${shownText(text)}\u2069`

export const textNode = (text: string): Markup => escaped(text) as Markup

/** Numbers are rounded to a hundredth, so that one chart is one file whatever computes it. */
export type Attributes = Record<string, string | number>

const valueOf = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : escaped(value)

/** An element with its children. */
export function element(name: string, attributes: Attributes, ...children: Markup[]): Markup {
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${valueOf(value)}"`)
  const content = children.join('')
  const opening = `<${name}${named.join('')}`
  return (content === '' ? `${opening}/>` : `${opening}>${content}</${name}>`) as Markup
}

/** An element that holds text alone. */
export const textElement = (name: string, attributes: Attributes, text: string): Markup =>
  element(name, attributes, textNode(text))

/** The texts of a chart for screen readers and sighted readers alike. */
export interface ImageTexts {
  title: string
  description: string
}

/** The class of the root, so that two charts on one page keep their colours. */
export const scopeOf = (theme: Theme): string => `coffer-${theme}`

/** A chart as a file: an image with title, description, style and background, and nothing that runs or is loaded. */
export function chartImage(
  { title, description }: ImageTexts,
  { width, height, theme }: { width: number; height: number; theme: Theme },
  ...content: Markup[]
): string {
  const scope = scopeOf(theme)
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      lang: 'en',
      class: scope,
      'aria-labelledby': `${scope}-title ${scope}-desc`,
    },
    textElement('title', { id: `${scope}-title` }, title),
    textElement('desc', { id: `${scope}-desc` }, description),
    textElement('style', {}, styleOf(theme, scope)),
    element('rect', { class: 'background', width, height }),
    ...content,
  )
}

/** Letters as wide as their font is high, and wider ones. */
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const BROAD = /[\p{Lu}mw%@&+=<>~—…]/u
const NARROW = /[ijlftr.,:;'’|!()[\]{} -]/

/** Widths in heights of the font. Fonts differ, so each is that of a broad font. */
function widthOfLetter(letter: string): number {
  if (WIDE.test(letter)) {
    return 1.3
  }
  if (NARROW.test(letter)) {
    return 0.42
  }
  return BROAD.test(letter) ? 0.9 : 0.66
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const lettersOf = (text: string): string[] =>
  Array.from(letters.segment(text), (one) => one.segment)

/** Returns the greatest width of a text in usual fonts, in heights of the font. */
export const widthOf = (text: string): number =>
  lettersOf(text).reduce((width, letter) => width + widthOfLetter(letter), 0)

/** A text as far as it fits into a width, in heights of the font. No letter is cut in two. */
export function fitted(text: string, width: number): string {
  if (widthOf(text) <= width) {
    return text
  }
  let left = width - widthOf('…')
  const kept = lettersOf(text)
  const end = kept.findIndex((letter) => {
    left -= widthOfLetter(letter)
    return left < 0
  })
  return `${kept.slice(0, end).join('').trimEnd()}…`
}
