import { expect, test } from 'vitest'
import {
  CURRENCIES,
  findCurrency,
  isEndedCurrency,
  isActiveCurrency,
  minorDigits,
} from '../../src/domain/currency.ts'

const codesWithDigits = (digits: number) =>
  CURRENCIES.filter((currency) => currency.active && currency.minorDigits === digits)
    .map((currency) => currency.code)
    .join(' ')

test('the active currencies without decimals are those of ISO 4217', () => {
  expect(codesWithDigits(0)).toBe(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  )
})

test('the active currencies with three and with four decimals are those of ISO 4217', () => {
  expect(codesWithDigits(3)).toBe('BHD IQD JOD KWD LYD OMR TND')
  expect(codesWithDigits(4)).toBe('CLF UYW')
})

test('all others have two decimals', () => {
  expect(codesWithDigits(2).split(' ')).toHaveLength(139)
  expect(minorDigits('EUR')).toBe(2)
  expect(minorDigits('HUF')).toBe(2)
})

test('every code is three capital letters, unique, and in order', () => {
  const codes = CURRENCIES.map((currency) => currency.code)
  expect(codes.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  expect(codes).toEqual([...new Set(codes)].toSorted())
})

test('every currency has a name and a symbol that fit on a line', () => {
  for (const { name, symbol } of CURRENCIES) {
    expect(name).toMatch(/^\S(?:.{1,40})\S$/)
    expect(symbol).toMatch(/^\S(?:.{0,4}\S)?$/)
  }
})

test('a currency is found by its code', () => {
  expect(findCurrency('EUR')).toEqual({
    code: 'EUR',
    name: 'Euro',
    symbol: '€',
    minorDigits: 2,
    active: true,
  })
})

test.each(['SLE', 'VED', 'VES', 'XAD', 'XCG', 'ZWG'])('the recent code %s is active', (code) => {
  expect(isActiveCurrency(code)).toBe(true)
})

test.each(['ANG', 'BGN', 'BYR', 'CUC', 'HRK', 'LTL', 'LVL', 'MRO', 'SLL', 'STD', 'VEF', 'ZWL'])(
  'the withdrawn code %s can be read but not chosen',
  (code) => {
    expect(isActiveCurrency(code)).toBe(false)
    expect(findCurrency(code)?.active).toBe(false)
    expect(minorDigits(code)).toBe(code === 'BYR' ? 0 : 2)
  },
)

test.each(['DEM', 'ITL', 'TRL', 'LTL', 'HRK'])('%s has ended', (code) => {
  expect(isEndedCurrency(code)).toBe(true)
})

test.each(['EUR', 'TRY', 'RUR', 'XYZ', ''])('%j has not ended', (code) => {
  expect(isEndedCurrency(code)).toBe(false)
})

test('no currency that is in use has ended', () => {
  expect(CURRENCIES.filter(({ code, active }) => active && isEndedCurrency(code))).toEqual([])
})

test.each(['XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA', 'XTS'])(
  'the code %s has no minor unit and is left out',
  (code) => expect(findCurrency(code)).toBeUndefined(),
)

test.each(['', 'eur', 'EURO', ' EUR', 'EU', 'XXX', 'ABC', '__proto__', 'constructor'])(
  '%j is no currency',
  (code) => {
    expect(findCurrency(code)).toBeUndefined()
    expect(isActiveCurrency(code)).toBe(false)
    expect(() => minorDigits(code)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'currency.unknown' }),
    )
  },
)

test('the table has every currency that the platform knows and that has a minor unit', () => {
  const withoutMinorUnit = ['XDR', 'XSU']
  const missing = Intl.supportedValuesOf('currency').filter(
    (code) => findCurrency(code) === undefined,
  )
  expect(missing).toEqual(withoutMinorUnit)
})
