import { expect, test } from 'vitest'
import { similarNames } from '../../../src/domain/conditions/similar.ts'
import { searchKey } from '../../../src/domain/search-key.ts'
import { randomFrom } from '../../support/random.ts'
import { SEED } from '../../support/rounds.ts'

const similar = (wanted: string, ...names: string[]) =>
  similarNames(
    names.map((name) => ({ name, key: searchKey(name) })),
    searchKey(wanted),
  )

test.each<[string, string, boolean]>([
  ['one letter left out', 'Rwe', true],
  ['two letters exchanged', 'REEW', true],
  ['a wrong letter', 'rewa', true],
  ['a letter too many', 'reewe', true],
  ['the beginning of a later word', 'mrakt', true],
  ['too many wrong letters', 'rxxe', false],
  ['another word', 'lidl', false],
  ['a single letter', 'x', false],
])('a name is similar to %s', (_, wanted, isSimilar) => {
  expect(similar(wanted, 'REWE Markt')).toEqual(isSimilar ? ['REWE Markt'] : [])
})

test('the most similar names come first, then shorter ones, then by name, and at most three', () => {
  expect(similar('bottel', 'Battle', 'Blue Bottle', 'Bottle', 'Bottle 2', 'Rent')).toEqual([
    'Bottle',
    'Bottle 2',
    'Blue Bottle',
  ])
  expect(similar('tescp', 'Tesca', 'Tesco', 'Tesco', 'Tescb')).toEqual(['Tesca', 'Tescb', 'Tesco'])
  expect(similar('tesco')).toEqual([])
  // Only the first eight words of a name are looked at.
  expect(similar('tescp', 'a b c d e f g Tesco', 'a b c d e f g h Tesco')).toEqual([
    'a b c d e f g Tesco',
  ])
})

/** The same distance in its plain form, over the whole table. */
function plainDistance(key: string, text: string): number {
  const table: number[][] = [Array.from({ length: text.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity
  for (let i = 1; i <= key.length; i += 1) {
    const row = [i]
    table.push(row)
    for (let j = 1; j <= text.length; j += 1) {
      const isExchanged = key[i - 1] === text[j - 2] && key[i - 2] === text[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + Number(key[i - 1] !== text[j - 1]),
        isExchanged ? at(i - 2, j - 2) + 1 : Infinity,
      )
    }
  }
  return Math.min(...(table[key.length] ?? []))
}

test('random names are similar exactly if few edits make the text a beginning of one of their words', () => {
  const { pick, whole } = randomFrom(SEED)
  const word = (most: number) =>
    Array.from({ length: whole(1, most) }, () => pick([...'abc'])).join('')
  const outcomes = new Set<boolean>()
  for (let round = 0; round < 3000; round += 1) {
    const name = Array.from({ length: whole(1, 3) }, () => word(8)).join(' ')
    const wanted = word(9)
    const starts = [0, ...Array.from(name.matchAll(/ /g), ({ index }) => index + 1)]
    const edits = Math.min(...starts.map((start) => plainDistance(wanted, name.slice(start))))
    const isSimilar = edits <= Math.min(3, Math.floor((wanted.length + 1) / 3))
    expect([wanted, name, similar(wanted, name).length]).toEqual([wanted, name, Number(isSimilar)])
    outcomes.add(isSimilar)
  }
  expect(outcomes.size).toBe(2)
})
