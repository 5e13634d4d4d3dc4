import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keysOfName, searchKey } from '../../src/domain/search-key.ts'

it.each([
  ['Café Müller', 'cafe muller'],
  ['STRASSE straße', 'strasse strasse'],
  ['Łódź Øresund', 'lodz oresund'],
  ['REWE-Markt 4711/12', 'rewe markt 4711 12'],
  ['東京駅コンビニ', '東京駅コンビニ'],
  ['地铁 2号线', '地铁 2号线'],
  ['naïve Ａmazon', 'naive amazon'],
  ['o’neill', 'o neill'],
  ['한국은행', '한국은행'],
  ['İstanbul ısı', 'istanbul isi'],
  ['soft\u00adhy\u200bphen', 'softhyphen'],
  ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
  ['Ærø þing ðæl Œuvre đa', 'aero thing dael oeuvre da'],
  [' -- ', ''],
])('the key of %s is %s', (text, key) => {
  expect(searchKey(text)).toBe(key)
})

it('a key is its own key, of each character alone and within words', () => {
  const others: string[] = []
  for (let code = 0; code < 0x11_0000; code++) {
    const letter = String.fromCodePoint(code)
    if (!letter.isWellFormed()) {
      continue
    }
    const key = searchKey(`${letter} a${letter}b`)
    if (searchKey(key) !== key) {
      others.push(letter)
    }
  }
  expect(others).toEqual([])
})

it('a key is its own key, of any text, whatever its form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const key = searchKey(text)
      expect(searchKey(key)).toBe(key)
      expect(searchKey(text.normalize('NFD'))).toBe(key)
    }),
  )
})

it('is kept of a name only where it is another than the key by which names are unique', () => {
  expect(keysOfName(' Bakery ')).toEqual({ nameKey: 'bakery', searchKey: null })
  expect(keysOfName('Müller')).toEqual({ nameKey: 'müller', searchKey: 'muller' })
})
