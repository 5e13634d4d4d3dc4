/** Markup of an SVG image. Only the functions of this file make it, so what people typed cannot become markup. */
export type Markup = string & { readonly isMarkup: true }

/** What no XML document may hold (XML 1.0, production 2), controls, and marks that change the direction of what follows. */
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

/** What people typed, without what cannot be shown. */
export const shown = (text: string): string => text.toWellFormed().replaceAll(NOT_SHOWN, '')

/** What people typed, amid other text: its direction does not change that of the rest. */
export const isolated = (text: string): string => `\u2068${shown(text)}\u2069`

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
