import { expect, test } from 'vitest'
import { PALETTES, styleOf } from '../../../src/domain/charts/themes.ts'

/** Relative luminance of a colour (WCAG 2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [least = 0, most = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (most + 0.05) / (least + 0.05)
}

test('contrast is worked out as WCAG says', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test.each(Object.entries(PALETTES))(
  '%s: texts and marks can be told from the background',
  (_, palette) => {
    for (const text of ['text', 'muted', 'alarm'] as const) {
      expect(contrast(palette[text], palette.background), text).toBeGreaterThanOrEqual(4.5)
    }
    for (const mark of ['quiet', 'main', 'second', 'alarm'] as const) {
      expect(contrast(palette[mark], palette.background), mark).toBeGreaterThanOrEqual(3)
    }
    // The outline of a soft mark tells it from its fill and from the background.
    expect(contrast(palette.main, palette.soft)).toBeGreaterThanOrEqual(3)
  },
)

test('a theme has its colours alone, and without one the viewer chooses', () => {
  const { light, dark } = PALETTES
  const both = [light.background, dark.background]
  const has = (theme: 'light' | 'dark' | 'auto') =>
    both.map((color) => styleOf(theme, 'x').includes(color))
  expect([has('light'), has('dark'), has('auto')]).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ])
  expect(styleOf('auto', 'x')).toContain('@media (prefers-color-scheme:dark){.x .background{')
  expect(styleOf('auto', 'x')).not.toMatch(/animation|transition|@import|url/)
})
