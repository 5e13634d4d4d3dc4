import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  foldKey,
  listOfIds,
  isWellFormedText,
  jsonLine,
  lastFour,
  cutText,
} from '../../src/domain/text.ts'

const unseen = fc.constantFrom(
  ...['\u200b', '\u034f', '\u00ad', '\ufeff', '\u3164', '\ufe0f', '\u0085', '\u2800', ' '],
)

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.oneof(unseen, fc.constantFrom(...'aΣσςßİıÉ\u0301\u0323\u0331ﬁ'), fc.string()),
  }),
)

describe('foldKey', () => {
  test.each([
    ['Groceries', 'groceries'],
    ['  Eating \t\n out ', 'eating out'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'straße'],
    ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς'],
    ['οδος', 'οδοσ'],
    ['Café', 'Cafe\u0301'],
    ['ﬁle', 'FILE'],
    ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full width'],
    ['non\u00a0breaking', 'non breaking'],
    ['\ufeffmark', 'mark'],
    ['Åse', 'A\u030ase'],
    ['Ǆ', 'ǆ'],
    ['ſ', 's'],
    ['K', 'k'],
    ['H\u0331', 'ẖ'],
    ['Ad\u200bmin', 'Admin'],
    ['\u2060Ad\u200c\u200dmin\ufeff', 'Admin'],
    ['Ad\u00admin', 'Admin'],
    ['A\u034fdm\u061cin\u180e', 'Admin'],
    ['\u202eAdmin\u202c', 'Admin'],
    ['\u2066Admin\u2069', 'Admin'],
    ['Admin\u{e0041}\u{e0001}', 'Admin'],
    ['Admin\ufe0f\u{e0100}', 'Admin'],
    ['Ad\u3164min\uffa0', 'Admin'],
    ['Ad\u0007min\u0000', 'Admin'],
    ['Ad\ufff9min', 'Admin'],
    ['Eating\u200b \u200bout', 'Eating out'],
    ['Eating\u2800out\u0085', 'Eating out'],
    ['e\u200b\u0301', 'é'],
  ])('takes %j and %j for the same name', (one, other) => {
    expect(foldKey(one)).toBe(foldKey(other))
  })

  test.each([
    ['resume', 'résumé'],
    ['a b', 'ab'],
    ['o', 'ø'],
    ['а', 'a'],
    ['', '.'],
    ['\u0601', ''],
    ['Ad min', 'Admin'],
  ])('keeps %j and %j apart', (one, other) => {
    expect(foldKey(one)).not.toBe(foldKey(other))
  })

  test('takes Turkish dotless ı for i, and dotted İ for a letter of its own', () => {
    expect(foldKey('ısı')).toBe(foldKey('ISI'))
    expect(foldKey('İ')).toBe('i\u0307')
    expect(foldKey('İ')).not.toBe(foldKey('i'))
  })

  test('makes an empty key of white space alone', () => {
    expect(foldKey(' \t\u3000\u2003 ')).toBe('')
    expect(foldKey('\u200b\u3164\u2800')).toBe('')
  })

  test('gives a key that is its own key, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldKey(foldKey(text))).toBe(foldKey(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('folds texts one by one as it folds them in a row', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const each = [foldKey(one), foldKey(other)].filter((key) => key !== '')
        expect(foldKey(`${one} ${other}`)).toBe(each.join(' '))
      }),
      { numRuns: 2000 },
    )
  })

  test('does not see whether a text is composed or decomposed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldKey(text.normalize('NFD'))).toBe(foldKey(text))
        expect(foldKey(text.normalize('NFKC'))).toBe(foldKey(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('does not see the case of any letter of Unicode', () => {
    const cased = /\p{Changes_When_Casemapped}/u
    const differ: string[] = []
    for (let point = 0; point <= 0x1ffff; point++) {
      const letter = String.fromCodePoint(point)
      if (!cased.test(letter)) {
        continue
      }
      const keys = [letter, letter.toUpperCase(), letter.toLowerCase()].map(foldKey)
      if (new Set(keys).size !== 1) {
        differ.push(letter)
      }
    }
    expect(differ).toEqual([])
  })
})

test('foldKey does not see what cannot be seen, wherever it stands', () => {
  const invisible = /^\p{Default_Ignorable_Code_Point}$/u
  const seen: string[] = []
  for (let point = 0; point <= 0xe0fff; point++) {
    const letter = String.fromCodePoint(point)
    if (invisible.test(letter) && foldKey(`Ad${letter}min`) !== 'admin') {
      seen.push(point.toString(16))
    }
  }
  expect(seen).toEqual([])
})

describe('isWellFormedText', () => {
  test.each(['', 'plain', '💶', 'e\u0301', '\u200f', '\ufffd'])('takes %j', (text) => {
    expect(isWellFormedText(text)).toBe(true)
  })

  test.each(['\ud800', 'a\udc00b', '\udc00\ud800', 'nul\u0000', '\u0000'])('refuses %j', (text) => {
    expect(isWellFormedText(text)).toBe(false)
  })
})

describe('lastFour', () => {
  test.each([
    ['DE89370400440532013000', '3000'],
    [' 1234 5678 ', '5678'],
    ['123', '123'],
    ['', ''],
    ['12345💶', '345💶'],
  ])('shows of %j only %j', (text, shown) => {
    expect(lastFour(text)).toBe(shown)
  })
})

describe('texts for others', () => {
  test('name ten ids at most', () => {
    const ids = Array.from({ length: 11 }, (_, at) => `cat_${at}`)
    expect(listOfIds(ids.slice(0, 10))).toBe(ids.slice(0, 10).join(', '))
    expect(listOfIds(ids)).toBe(`${ids.slice(0, 10).join(', ')}, …`)
  })

  test('are one line of NDJSON, whatever ends a line elsewhere', () => {
    const value = { text: 'a\u0085b\u2028c\u2029d\n' }
    const line = jsonLine(value)
    expect(line.trimEnd()).not.toMatch(/[\n\u0085\u2028\u2029]/)
    expect(JSON.parse(line)).toEqual(value)
  })
})

describe('cutText', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 4, 'long'],
    // The second half of a character is not left behind.
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
  ])('cuts %s to %i', (text, most, expected) => {
    expect(cutText(text, most)).toBe(expected)
  })
})
