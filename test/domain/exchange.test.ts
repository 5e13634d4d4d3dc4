import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '../../src/domain/currency.ts'
import {
  chooseRate,
  convert,
  convertForDisplay,
  convertParts,
  formatRate,
  isRate,
  isStale,
  parseRate,
  RATE_PATTERN,
  toRate,
  type StoredRate,
  withFixedRates,
} from '../../src/domain/exchange.ts'
import { MAX_MINOR } from '../../src/domain/money.ts'

const invalid = (code: string, field?: string) =>
  expect.objectContaining({ kind: 'invalid', code, field })
const rateOf = (text: string) => toRate(parseRate(text))

const anyCurrency = fc.constantFrom(...CURRENCIES.map((currency) => currency.code))
const anyScaled = fc.bigInt(1n, 10n ** 24n - 1n)

describe('rates as text', () => {
  test.each([
    ['1', 10n ** 12n, '1'],
    ['1.0842', 1_084_200_000_000n, '1.0842'],
    ['0.000000000001', 1n, '0.000000000001'],
    ['999999999999.999999999999', 10n ** 24n - 1n, '999999999999.999999999999'],
    ['10', 10n ** 13n, '10'],
    ['1.50', 1_500_000_000_000n, '1.5'],
    ['100.000000000000', 10n ** 14n, '100'],
  ])('%s is read exactly and written in its shortest form', (text, scaled, shortest) => {
    expect(parseRate(text)).toBe(scaled)
    expect(formatRate(scaled)).toBe(shortest)
  })

  test.each([
    ...'0 0.0 -0 -1 +1 1e2 .5 5. 00.5 01 1,5 1.2.3 NaN Infinity 0x1 １ ½'.split(' '),
    ...'1000000000000 0.0000000000001'.split(' '),
    '',
    ' 1',
    '1 ',
    '1\n',
  ])('%j is no rate', (text) => {
    expect(() => parseRate(text)).toThrow(invalid('exchange.malformedRate'))
  })

  test('a text of 100,000 digits is no rate', () => {
    const digits = '1'.repeat(100_000)
    expect(() => parseRate(digits)).toThrow(invalid('exchange.malformedRate'))
    expect(() => parseRate(`0.${digits}`)).toThrow(invalid('exchange.malformedRate'))
  })

  test('the error names the field, be it the form or the value that is wrong', () => {
    expect(() => parseRate('x', 'rate')).toThrow(invalid('exchange.malformedRate', 'rate'))
    expect(() => parseRate('0.00', 'rate')).toThrow(invalid('exchange.malformedRate', 'rate'))
  })

  test('every rate goes to text and back', () => {
    fc.assert(
      fc.property(anyScaled, (scaled) => {
        expect(parseRate(formatRate(scaled))).toBe(scaled)
        expect(formatRate(scaled)).toMatch(RATE_PATTERN)
      }),
    )
  })
})

describe('convert', () => {
  test.each([
    [1000, 'USD', 'EUR', '0.92', 920],
    [1000, 'EUR', 'JPY', '160.5', 1605],
    [1605, 'JPY', 'EUR', '0.00623', 1000],
    [1000, 'JPY', 'EUR', '0.0062', 620],
    [1, 'BHD', 'CLF', '1', 10],
    [12345, 'CLF', 'BHD', '1', 1234],
    [12355, 'CLF', 'BHD', '1', 1236],
    [-1000, 'USD', 'EUR', '0.92', -920],
    [0, 'USD', 'EUR', '0.92', 0],
    [MAX_MINOR, 'USD', 'EUR', '1', MAX_MINOR],
  ])('%d minor units of %s in %s at %s are %d', (minor, from, to, rate, result) => {
    expect(convert(minor, from, to, rateOf(rate))).toBe(result)
  })

  test.each([
    [1, 0],
    [3, 2],
    [5, 2],
    [7, 4],
    [-1, 0],
    [-3, -2],
    [-5, -2],
    [-7, -4],
  ])('half of %d minor units is rounded to the even %d', (minor, half) => {
    expect(convert(minor, 'USD', 'EUR', rateOf('0.5'))).toBe(half)
  })

  test('is the exact product rounded once, a tie to the even', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 100_000 }),
        anyCurrency,
        anyCurrency,
        fc.record({
          numerator: fc.bigInt(1n, 10n ** 6n),
          denominator: fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 6n)),
        }),
        (minor, from, to, rate) => {
          const result = BigInt(convert(minor, from, to, rate))
          // result ~ minor * rate * 10^to / 10^from, compared without dividing.
          const exact = BigInt(minor) * rate.numerator * 10n ** BigInt(minorDigits(to))
          const unit = rate.denominator * 10n ** BigInt(minorDigits(from))
          const error = 2n * (exact - result * unit)
          expect(error <= unit && error >= -unit).toBe(true)
          if (error === unit || error === -unit) {
            expect(result % 2n).toBe(0n)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('the opposite amount converts to the opposite', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.bigInt(1n, 10n ** 15n), (minor, scaled) => {
        const rate = toRate(scaled)
        const result = convert(minor, 'USD', 'JPY', rate)
        expect(convert(-minor, 'USD', 'JPY', rate)).toBe(0 - result)
      }),
    )
  })

  test('there and back at the exact inverse is the same where no digits are lost', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.bigInt(10n ** 12n, 10n ** 16n), (minor, scaled) => {
        const rate = toRate(scaled)
        const inverse = { numerator: rate.denominator, denominator: rate.numerator }
        const there = convert(minor, 'USD', 'EUR', rate)
        expect(convert(there, 'EUR', 'USD', inverse)).toBe(minor)
      }),
    )
  })

  test('a result out of range is refused', () => {
    expect(() => convert(MAX_MINOR, 'USD', 'EUR', rateOf('1.0001'))).toThrow(
      invalid('money.outOfRange'),
    )
    expect(() => convert(-MAX_MINOR, 'JPY', 'EUR', rateOf('1'))).toThrow(
      invalid('money.outOfRange'),
    )
  })

  test('an unknown currency is refused', () => {
    expect(() => convert(1, 'USD', 'XXX', rateOf('1'))).toThrow(invalid('currency.unknown'))
    expect(() => convert(1, 'XXX', 'USD', rateOf('1'))).toThrow(invalid('currency.unknown'))
  })
})

const stored = (from: string, to: string, rate: string, date = '2024-05-01'): StoredRate => ({
  from,
  to,
  rate,
  date,
})

describe('chooseRate', () => {
  test('a currency and itself are one to one without a stored rate', () => {
    expect(chooseRate([], 'USD', 'USD', 'EUR')).toEqual({
      rate: { numerator: 1n, denominator: 1n },
      rateText: '1',
      date: undefined,
      path: 'same',
    })
  })

  test('a direct rate comes first, even if the inverse one is newer', () => {
    const rates = [stored('EUR', 'USD', '1.1', '2024-05-02'), stored('USD', 'EUR', '0.92')]
    expect(chooseRate(rates, 'USD', 'EUR', 'EUR')).toEqual({
      rate: toRate(920_000_000_000n),
      rateText: '0.92',
      date: '2024-05-01',
      path: 'direct',
    })
  })

  test('an inverse rate is exact, and rounded only for display', () => {
    const choice = chooseRate([stored('EUR', 'USD', '3')], 'USD', 'EUR', 'EUR')
    expect(choice).toMatchObject({ rateText: '0.333333333333', path: 'inverse' })
    const rate = choice?.rate ?? toRate(0n)
    expect(convert(300_000_000_000_000, 'USD', 'EUR', rate)).toBe(100_000_000_000_000)
  })

  test('the rate for display is rounded half-even to 12 places', () => {
    // 1 / 64,000,000,000 = 15.625 * 10^-12, and 1 / 400,000,000,000 = 2.5 * 10^-12, a tie.
    const shown = (rate: string) =>
      chooseRate([stored('EUR', 'USD', rate)], 'USD', 'EUR', 'EUR')?.rateText
    expect(shown('64000000000')).toBe('0.000000000016')
    expect(shown('400000000000')).toBe('0.000000000002')
    expect(shown('0.000000000001')).toBe('1000000000000')
  })

  test.each([
    ['direct and direct', stored('USD', 'EUR', '0.5'), stored('EUR', 'JPY', '160'), '80'],
    ['direct and inverse', stored('USD', 'EUR', '0.5'), stored('JPY', 'EUR', '0.01'), '50'],
    ['inverse and direct', stored('EUR', 'USD', '4'), stored('EUR', 'JPY', '160'), '40'],
    ['inverse and inverse', stored('EUR', 'USD', '3'), stored('JPY', 'EUR', '7'), '0.047619047619'],
  ])('two rates over the base currency are combined: %s', (_, one, other, rateText) => {
    const choice = chooseRate([other, one], 'USD', 'JPY', 'EUR')
    expect(choice).toMatchObject({ rateText, path: 'viaBase' })
  })

  test('two rates over the base are as old as the older one', () => {
    const old = '2024-01-31'
    const fromUsd = (date: string) => stored('USD', 'EUR', '0.5', date)
    const toJpy = (date: string) => stored('EUR', 'JPY', '160', date)
    const dateOf = (rates: StoredRate[]) => chooseRate(rates, 'USD', 'JPY', 'EUR')?.date
    expect(dateOf([fromUsd(old), toJpy('2024-05-01')])).toBe(old)
    expect(dateOf([fromUsd('2024-05-01'), toJpy(old)])).toBe(old)
  })

  test('a rate between the two comes before the base currency', () => {
    const rates = [stored('USD', 'EUR', '1'), stored('EUR', 'JPY', '1'), stored('JPY', 'USD', '2')]
    expect(chooseRate(rates, 'USD', 'JPY', 'EUR')).toMatchObject({
      rateText: '0.5',
      path: 'inverse',
    })
  })

  test('a chain of rates is rounded once, at the end', () => {
    // Rounded in between, one cent at 0.5 and then 3 would be 0 or 3, never 2.
    const rates = [stored('USD', 'EUR', '0.5'), stored('EUR', 'GBP', '3')]
    const rate = chooseRate(rates, 'USD', 'GBP', 'EUR')?.rate ?? toRate(0n)
    expect(convert(1, 'USD', 'GBP', rate)).toBe(2)
  })

  test('the rate back is the exact inverse of the rate there', () => {
    fc.assert(
      fc.property(anyScaled, anyScaled, fc.boolean(), (one, other, flip) => {
        const rates = [
          flip ? stored('USD', 'EUR', formatRate(one)) : stored('EUR', 'USD', formatRate(one)),
          stored('EUR', 'JPY', formatRate(other)),
        ]
        const there = chooseRate(rates, 'USD', 'JPY', 'EUR')?.rate ?? toRate(0n)
        const back = chooseRate(rates, 'JPY', 'USD', 'EUR')?.rate ?? toRate(0n)
        expect(there.numerator * back.numerator).toBe(there.denominator * back.denominator)
      }),
    )
  })

  test('two rates over the reference currency come last, rounded once at the end', () => {
    const rates = [stored('EUR', 'USD', '3'), stored('EUR', 'JPY', '160', '2024-04-30')]
    const choice = chooseRate(rates, 'USD', 'JPY', 'CHF')
    expect(choice).toMatchObject({
      path: 'viaReference',
      rateText: '53.333333333333',
      date: '2024-04-30',
    })
    expect(convert(300, 'USD', 'JPY', choice?.rate ?? toRate(0n))).toBe(160)
    const overBase = [stored('USD', 'CHF', '2'), stored('CHF', 'JPY', '5', '2020-01-01')]
    expect(chooseRate([...rates, ...overBase], 'USD', 'JPY', 'CHF')).toMatchObject({
      path: 'viaBase',
      rateText: '10',
    })
  })

  test('no way has more than one hop', () => {
    const rates = [
      stored('USD', 'CHF', '2'),
      stored('CHF', 'EUR', '1'),
      stored('EUR', 'JPY', '160'),
    ]
    expect(chooseRate(rates, 'USD', 'JPY', 'CHF')).toBeUndefined()
  })

  test('the way back takes the same path, whatever is stored', () => {
    const codes = ['USD', 'EUR', 'JPY', 'CHF']
    const pairs = codes.flatMap((from) => codes.filter((to) => to !== from).map((to) => [from, to]))
    const turned = { direct: 'inverse', inverse: 'direct' } as Record<string, string>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...pairs), { selector: (pair) => pair.toSorted().join() }),
        fc.constantFrom(...codes),
        (known, base) => {
          const rates = known.map(([from = '', to = ''], at) => stored(from, to, `${at + 2}`))
          for (const [from = '', to = ''] of pairs) {
            const there = chooseRate(rates, from, to, base)
            const back = chooseRate(rates, to, from, base)
            expect(back?.path).toBe(there && (turned[there.path] ?? there.path))
            expect(back?.date).toBe(there?.date)
          }
        },
      ),
    )
  })

  test.each([
    ['there are none', []],
    ['only the first half of the way is known', [stored('USD', 'EUR', '1')]],
    ['only the second half is known', [stored('EUR', 'JPY', '1')]],
    ['the way leads over another currency', [stored('USD', 'GBP', '1'), stored('GBP', 'JPY', '1')]],
  ])('a rate is missing, not guessed, when %s', (_, rates) => {
    expect(chooseRate(rates, 'USD', 'JPY', 'EUR')).toBeUndefined()
  })

  test('the base currency itself is no hop', () => {
    expect(chooseRate([stored('USD', 'JPY', '150')], 'USD', 'EUR', 'USD')).toBeUndefined()
    expect(chooseRate([stored('USD', 'JPY', '150')], 'EUR', 'USD', 'USD')).toBeUndefined()
  })
})

test.each([
  ['1.0842', true],
  ['0.000', false],
  ['-1', false],
  ['1e3', false],
  ['1.0000000000001', false],
])('%s is a rate: %s', (text, isOne) => {
  expect(isRate(text)).toBe(isOne)
})

describe('fixed rates', () => {
  const on = (rates: StoredRate[], day: string, codes = ['HRK', 'EUR', 'USD']) =>
    withFixedRates(rates, codes, day)
  const fixed = { from: 'EUR', to: 'HRK', date: '2023-01-01', rate: '7.5345', isFixed: true }

  test('hold from their day on, before all older ones', () => {
    const older = [
      stored('EUR', 'HRK', '7', '2022-12-30'),
      stored('HRK', 'EUR', '0.1', '2022-12-30'),
    ]
    const other = stored('EUR', 'USD', '1.1', '2022-12-30')
    expect(on([...older, other], '2022-12-31')).toEqual([...older, other])
    expect(on([...older, other], '2023-01-01')).toEqual([other, fixed])
    expect(on([other], '2023-01-01', ['USD'])).toEqual([other])
    const newer = stored('HRK', 'EUR', '0.1', '2023-01-02')
    expect(on([...older, newer], '2023-01-02')).toEqual([newer])
  })

  test('have no age, beside a rate that has one', () => {
    const rates = on([stored('EUR', 'USD', '1.1', '2026-01-01')], '2026-02-01', ['HRK', 'DEM'])
    const chosen = (from: string, to: string) => chooseRate(rates, from, to, 'EUR')
    expect(chosen('HRK', 'EUR')).toMatchObject({ date: '2023-01-01', isFixed: true })
    expect(chosen('HRK', 'DEM')).toMatchObject({ date: '1999-01-01', isFixed: true })
    const mixed = chosen('HRK', 'USD')
    expect([mixed?.date, mixed?.isFixed, mixed?.datedBy]).toEqual(['2026-01-01', undefined, 'USD'])
    expect(chosen('USD', 'HRK')?.datedBy).toBeUndefined()
    const staleOn = (one: ReturnType<typeof chosen>, day: string) => one && isStale(one, day)
    expect(staleOn(mixed, '2026-01-06')).toBe(false)
    expect(staleOn(mixed, '2026-01-07')).toBe(true)
    expect(staleOn(chosen('HRK', 'EUR'), '2026-01-07')).toBe(false)
    expect(staleOn(chosen('USD', 'USD'), '2026-01-07')).toBe(false)
  })
})

test('parts are converted by their running sums, so that they add up', () => {
  expect(convertParts([], 'USD', 'EUR', rateOf('0.8'))).toEqual([])
  expect(convertParts([-1, -1, 1, -2], 'USD', 'EUR', rateOf('0.8'))).toEqual([-1n, -1n, 1n, -1n])
  const anyMinor = fc.integer({ min: -1_000_000, max: 1_000_000 })
  fc.assert(
    fc.property(
      fc.array(anyMinor),
      anyCurrency,
      anyCurrency,
      anyScaled,
      (parts, from, to, rate) => {
        const sum = parts.reduce((total, part) => total + part, 0)
        const converted = convertParts(parts, from, to, toRate(rate))
        expect(converted.reduce((total, part) => total + part, 0n)).toBe(
          convertForDisplay(sum, from, to, toRate(rate)),
        )
      },
    ),
  )
})
