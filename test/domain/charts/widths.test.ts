import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitted, widthOf } from '../../../src/domain/charts/svg.ts'

test('letters have widths of their own', () => {
  const [narrow = 0, usual = 0, broad = 0, wide = 0] = ['i', 'a', 'W', '食'].map(widthOf)
  expect(narrow).toBeLessThan(usual)
  expect(usual).toBeLessThan(broad)
  expect(broad).toBeLessThan(wide)
  expect(widthOf('')).toBe(0)
  // A family is one letter, and so is one with accents.
  expect(widthOf('👨‍👩‍👧‍👦')).toBe(widthOf('🎉'))
  expect(widthOf('e\u0301\u0302')).toBe(usual)
})

test('a text that fits is left alone, and one that does not is cut between letters', () => {
  expect(fitted('Groceries', widthOf('Groceries'))).toBe('Groceries')
  expect(fitted('Groceries', widthOf('Groc…'))).toBe('Groc…')
  expect(fitted('Our house', widthOf('Our …'))).toBe('Our…')
  const family = '👨‍👩‍👧‍👦'
  expect(fitted(family.repeat(5), widthOf(`${family}…`) + 0.1)).toBe(`${family}…`)
  expect(fitted('Groceries', 0)).toBe('…')
})

test('a cut text is never wider than its place', () => {
  const anyText = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, width) => {
      expect(widthOf(fitted(text, width))).toBeLessThanOrEqual(width + 1e-9)
    }),
  )
})
