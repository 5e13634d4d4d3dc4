/** `auto` follows the setting of whoever looks at the chart. */
export type Theme = 'light' | 'dark' | 'auto'

/** Colours by what they are for. Texts have a contrast of 4.5 with the background, marks of 3. */
export interface Palette {
  background: string
  text: string
  /** Text of less weight. */
  muted: string
  /** Lines that only divide. */
  rule: string
  /** Marks to compare the others with. */
  quiet: string
  main: string
  /** Striped marks beside those in the main color. */
  second: string
  /** The fill of marks that have an outline in the main colour. */
  soft: string
  /** Marks and text for warnings. */
  alarm: string
}

export const PALETTES: Record<Exclude<Theme, 'auto'>, Palette> = {
  light: {
    background: '#ffffff',
    text: '#1b2430',
    muted: '#5b6675',
    rule: '#e3e7ec',
    quiet: '#7a8594',
    main: '#2463a6',
    second: '#a8560c',
    soft: '#dfeaf6',
    alarm: '#b3261e',
  },
  dark: {
    background: '#14181e',
    text: '#e8ebef',
    muted: '#a3afbd',
    rule: '#2b323b',
    quiet: '#8793a1',
    main: '#6fabe6',
    second: '#e5a35c',
    soft: '#213447',
    alarm: '#ff8a80',
  },
}

/** The rules of a palette, for the classes of marks and texts. */
const rulesOf = (
  scope: string,
  { background, text, muted, rule, quiet, main, second, soft, alarm }: Palette,
) =>
  Object.entries({
    background: `fill:${background}`,
    text: `fill:${text}`,
    muted: `fill:${muted}`,
    rule: `stroke:${rule}`,
    axis: `stroke:${quiet}`,
    quiet: `fill:${quiet}`,
    main: `fill:${main}`,
    soft: `fill:${soft};stroke:${main}`,
    alarm: `fill:${alarm}`,
    hatch: `stroke:${alarm}`,
    stripe: `stroke:${second}`,
    striped: `stroke:${second}`,
    line: `fill:none;stroke:${text};stroke-width:2;stroke-linejoin:round`,
    halo: `fill:none;stroke:${background};stroke-width:4;stroke-linejoin:round`,
    point: `fill:${text};stroke:${background}`,
  })
    .map(([name, style]) => `.${scope} .${name}{${style}}`)
    .join('')

/** The fonts of the reader's device; none is loaded. */
const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,DejaVu Sans,sans-serif'

/** The style sheet of a chart whose root has the class `scope`. Nothing in it moves. */
export function styleOf(theme: Theme, scope: string): string {
  const { light, dark } = PALETTES
  const colors =
    theme === 'auto'
      ? `${rulesOf(scope, light)}@media (prefers-color-scheme:dark){${rulesOf(scope, dark)}}`
      : rulesOf(scope, PALETTES[theme])
  return `.${scope} text{${FONT};font-variant-numeric:tabular-nums;unicode-bidi:plaintext}${colors}`
}
