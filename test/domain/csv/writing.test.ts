import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  csvLine,
  guardCell,
  joinPath,
  joinTags,
  quoteCell,
  splitLevels,
  splitTags,
  unguardCell,
} from '../../../src/domain/csv/writing.ts'
import { rounds, SEED } from '../../support/rounds.ts'

const options = { seed: SEED, numRuns: rounds(300, 20_000) }

/** Text of what the rules look at, and of anything else. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...`='+-@\t\r\n \\|/"1.0a`) }),
  fc.string({ unit: 'grapheme' }),
)

describe('guardCell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ["'quoted", "''quoted"],
    ['-12.30', '-12.30'],
    ['-2+3', "'-2+3"],
    ['@home', "'@home"],
    [' =1', "' =1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['\n+1', "'\n+1"],
    ['+1', "'+1"],
    ["'-12.30", "''-12.30"],
    ['Tesco', 'Tesco'],
    ['a=b', 'a=b'],
    ['', ''],
  ])('writes %j as %j, and reads it back', (stored, cell) => {
    expect(guardCell(stored)).toBe(cell)
    expect(unguardCell(cell)).toBe(stored)
  })

  test('is undone by unguardCell for every text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(unguardCell(guardCell(text))).toBe(text)
      }),
      options,
    )
  })

  test('leaves no cell that begins like a formula, but numbers', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cell = guardCell(text)
        expect(/^\s*[=+@\t\r]/.test(cell)).toBe(false)
        expect(/^\s*-/.test(cell) && !/^-\d/.test(cell)).toBe(false)
      }),
      options,
    )
  })

  test('leaves what others put an apostrophe in front of', () => {
    expect(unguardCell("'-75.63")).toBe("'-75.63")
    expect(unguardCell("'tis")).toBe("'tis")
  })
})

describe('csvLine', () => {
  test('quotes only what needs it', () => {
    expect(csvLine(['a', 'b c', 'd,e', 'f"g', 'h\ni', 'j\rk', ''])).toBe(
      'a,b c,"d,e","f""g","h\ni","j\rk",\r\n',
    )
    expect(csvLine(['a,b', 'c;d'], ';')).toBe('a,b;"c;d"\r\n')
    expect(quoteCell('plain')).toBe('plain')
  })
})

describe('joinPath', () => {
  test.each([
    [['Food', 'Groceries'], 'Food / Groceries'],
    [['AC/DC', 'Either / or'], 'AC/DC / Either \\/ or'],
    [['/', 'a /', '/ b'], '\\/ / a \\/ / \\/ b'],
    [['back\\slash'], 'back\\\\slash'],
  ])('writes %j as %j, and reads it back', (names, text) => {
    expect(joinPath(names)).toBe(text)
    expect(splitLevels(text)).toEqual(names)
  })

  test('is undone by splitPath for all names', () => {
    const name = anyText.map((text) => text.trim()).filter((text) => text !== '')
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        expect(splitLevels(joinPath(names))).toEqual(names)
      }),
      options,
    )
  })
})

describe('joinTags', () => {
  test.each([
    [[], ''],
    [['a', 'b'], 'a|b'],
    [['a|b', 'c\\'], 'a\\|b|c\\\\'],
  ])('writes %j as %j, and reads it back', (names, text) => {
    expect(joinTags(names)).toBe(text)
    expect(splitTags(text)).toEqual(names)
  })

  test('is undone by splitTags for all names', () => {
    const name = anyText.filter((text) => text !== '')
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (names) => {
        expect(splitTags(joinTags(names))).toEqual(names)
      }),
      options,
    )
  })
})
