import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emailKey, foldKey, isWellFormedText, lastFour } from '../../src/domain/text.ts'

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))

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
  ])('takes %j and %j for the same name', (one, other) => {
    expect(foldKey(one)).toBe(foldKey(other))
  })

  test.each([
    ['resume', 'résumé'],
    ['a b', 'ab'],
    ['o', 'ø'],
    ['а', 'a'],
    ['', '.'],
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
  })

  test('gives a key that is its own key, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldKey(foldKey(text))).toBe(foldKey(text))
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

describe('emailKey', () => {
  test.each([
    ['  Ann@Example.COM ', 'ann@example.com'],
    ['ａｎｎ＠example.com', 'ann@example.com'],
    ['a+b.c@x.io', 'a+b.c@x.io'],
    ['Ann@Straße.de', 'ann@straße.de'],
    ['H\u0331@x.io', 'ẖ@x.io'],
  ])('makes %j into %j', (text, key) => {
    expect(emailKey(text)).toBe(key)
  })

  test('gives a key that is its own key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(emailKey(emailKey(text))).toBe(emailKey(text))
      }),
    )
  })
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
