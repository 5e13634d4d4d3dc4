import { expect, it } from 'vitest'
import { searchKey } from '../../../src/domain/search-key.ts'
import { boundIn } from '../../../src/domain/conditions/bounds.ts'
import { searchWords } from '../../../src/ledger/search/search.rules.ts'
import { formatMoney } from '../../../src/domain/money.ts'

it('a bound lets through the amounts within it, and no others, whatever its decimals', () => {
  const scale = 6
  const inMillionths = (text: string) => {
    const [whole = '', decimals = ''] = text.split('.')
    return BigInt(whole + decimals.padEnd(scale, '0'))
  }
  const currencies = { 0: 'JPY', 2: 'EUR', 3: 'BHD', 4: 'CLF' }
  let seed = 7
  const upTo = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  for (let round = 0; round < 3000; round++) {
    const decimals = upTo(7)
    const text = `${upTo(12)}${decimals === 0 ? '' : `.${String(upTo(10 ** decimals)).padStart(decimals, '0')}`}`
    const bound = inMillionths(text)
    for (const [digits, currency] of Object.entries(currencies)) {
      const least = boundIn(Number(digits), text, 'least')
      const most = boundIn(Number(digits), text, 'most')
      const shown = (minor: bigint) => inMillionths(formatMoney(minor, currency))
      const context = `${text} in ${currency}`
      expect(shown(least) >= bound, context).toBe(true)
      expect(least === 0n || shown(least - 1n) < bound, context).toBe(true)
      expect(shown(most) <= bound, context).toBe(true)
      expect(shown(most + 1n) > bound, context).toBe(true)
    }
  }
})

it('a bound beyond all amounts is just beyond them', () => {
  expect(boundIn(2, '9'.repeat(24), 'most')).toBe(9007199254740992n)
  expect(boundIn(0, '9007199254740991', 'most')).toBe(9007199254740991n)
})

it('words that look alike count once, and signs alone are no words', () => {
  expect(searchWords('  Straße STRASSE\tＡ a é e').map(searchKey)).toEqual(['strasse', 'a', 'e'])
  expect(searchWords(' \n - %')).toEqual([])
})
