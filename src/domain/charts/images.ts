import { element, type Markup, textElement } from './svg.ts'
import { styleOf, type Theme } from './themes.ts'

/** What everybody gets of a chart, whether they see it or not. */
export interface ImageTexts {
  title: string
  description: string
}

/** The class of the root, so that two charts on one page keep their colours. */
export const scopeOf = (theme: Theme): string => `coffer-${theme}`

/** A chart as a file: an image with title, description, style and background, and nothing that runs or is loaded. */
export function imageOf(
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
