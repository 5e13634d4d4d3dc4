import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '../../src/domain/currency.ts'
import {
  add,
  allocate,
  divideHalfEven,
  formatMoney,
  MAX_MINOR,
  MAX_MONEY_LENGTH,
  MONEY_PATTERN,
  negate,
  parseMoney,
  sum,
  toMinor,
} from '../../src/domain/money.ts'

const invalid = (code: string, field?: string) =>
  expect.objectContaining({ kind: 'invalid', code, field })
const anyMinor = fc.maxSafeInteger()
const anyCurrency = fc.constantFrom(...CURRENCIES.map((currency) => currency.code))

/** The amount as text, by a way of its own: integer division instead of cutting text. */
function referenceText(minor: number, digits: number): string {
  const scale = 10n ** BigInt(digits)
  const magnitude = minor < 0 ? -BigInt(minor) : BigInt(minor)
  const decimals = String((magnitude % scale) + scale).slice(1)
  return `${minor < 0 ? '-' : ''}${magnitude / scale}${digits === 0 ? '' : `.${decimals}`}`
}

describe('parseMoney', () => {
  test.each([
    ['0.01', 'USD', 1],
    ['1', 'USD', 100],
    ['1.00', 'USD', 100],
    ['1.0', 'USD', 100],
    ['12.3', 'USD', 1230],
    ['1234567.89', 'USD', 123_456_789],
    ['90071992547409.91', 'USD', MAX_MINOR],
    ['-90071992547409.91', 'USD', -MAX_MINOR],
    ['-0.01', 'USD', -1],
    ['-12', 'USD', -1200],
    ['1', 'JPY', 1],
    ['9007199254740991', 'JPY', MAX_MINOR],
    ['0.001', 'BHD', 1],
    ['0.0001', 'CLF', 1],
    ['900719925474.0991', 'CLF', MAX_MINOR],
  ])('reads %s %s', (text, currency, minor) => {
    expect(parseMoney(text, currency, { signed: true })).toBe(minor)
  })

  test.each(['0', '-0', '0.0', '-0.0', '0.00', '-0.00'])(
    'reads %s as zero without a sign, signed or not',
    (text) => {
      expect(parseMoney(text, 'USD')).toBe(0)
      expect(parseMoney(text, 'USD', { signed: true })).toBe(0)
    },
  )

  test.each([
    ...'1e2 1E-2 0e5 1e309 -1e309 NaN Infinity -Infinity 0x10 0b1 1_000 1,000.00'.split(' '),
    ...'1.000,00 1.2.3 - +1 --1 1- .5 5. . -.5 00.1 01 -01 ١٢٣ １２ $1 1/2 ½ ∞ −1'.split(' '),
    ...'true null [] {} [1] 1\u200b \ufeff1 1\u0000'.split(' '),
    '',
    ' 1',
    '1 ',
    '1\n',
    '\n1',
    '1 USD',
  ])('refuses %j as malformed', (text) => {
    expect(() => parseMoney(text, 'USD', { signed: true })).toThrow(invalid('money.malformed'))
  })

  test.each([
    ['309 digits', '9'.repeat(309)],
    ['100,000 digits', '9'.repeat(100_000)],
    ['400 decimal places', `0.${'1'.repeat(400)}`],
    ['a number repeated', '0.1'.repeat(400)],
    ['one character too many', '1'.repeat(MAX_MONEY_LENGTH + 1)],
  ])('refuses %s by their length', (_, text) => {
    expect(() => parseMoney(text, 'USD')).toThrow(invalid('money.malformed'))
  })

  test.each([
    ['0.001', 'USD'],
    ['1.005', 'USD'],
    ['1.999', 'USD'],
    ['1.000', 'USD'],
    ['1.0000000000000000001', 'USD'],
    ['100.5', 'JPY'],
    ['100.00', 'JPY'],
    ['0.0001', 'BHD'],
    ['0.00001', 'CLF'],
  ])('refuses %s %s for its decimals, zeros or not', (text, currency) => {
    expect(() => parseMoney(text, currency)).toThrow(invalid('money.tooManyDigits'))
  })

  test.each([
    ['9007199254740992', 'JPY'],
    ['9007199254740993', 'JPY'],
    ['-9007199254740992', 'JPY'],
    ['90071992547409.92', 'USD'],
    ['9223372036854775807', 'USD'],
    ['9223372036854775808', 'USD'],
    [`1${'0'.repeat(30)}`, 'USD'],
  ])('refuses %s %s as out of range', (text, currency) => {
    expect(() => parseMoney(text, currency, { signed: true })).toThrow(invalid('money.outOfRange'))
  })

  test('refuses a negative amount unless it may have a sign', () => {
    expect(() => parseMoney('-0.01', 'USD')).toThrow(invalid('money.negative'))
  })

  test('refuses zero where it makes no sense', () => {
    const options = { allowZero: false, signed: true }
    expect(() => parseMoney('-0.00', 'USD', options)).toThrow(invalid('money.zero'))
    expect(parseMoney('0.01', 'USD', options)).toBe(1)
  })

  test('names the field in its errors', () => {
    const options = { field: 'splits.0.amount', allowZero: false }
    for (const [text, code] of [
      ['x', 'money.malformed'],
      ['0.001', 'money.tooManyDigits'],
      ['9007199254740992', 'money.outOfRange'],
      ['-1', 'money.negative'],
      ['0', 'money.zero'],
    ] as const) {
      expect(() => parseMoney(text, 'USD', options)).toThrow(invalid(code, 'splits.0.amount'))
    }
  })

  test('refuses an unknown currency', () => {
    expect(() => parseMoney('1', 'XXX')).toThrow(invalid('currency.unknown'))
  })

  test('takes every amount in any allowed number of decimals', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, fc.nat(4), (minor, currency, dropped) => {
        const full = referenceText(minor, minorDigits(currency))
        const text = dropZeros(full, dropped)
        expect(parseMoney(text, currency, { signed: true })).toBe(minor)
      }),
      { numRuns: 2000 },
    )
  })

  test('takes nothing that does not mean exactly what it says', () => {
    const anyText = fc.oneof(
      fc.stringMatching(/^[-0-9.+e ,]{0,20}$/),
      fc.stringMatching(MONEY_PATTERN, { maxLength: 40 }),
    )
    fc.assert(
      fc.property(anyText, anyCurrency, (text, currency) => {
        const minor = minorOrUndefined(text, currency)
        if (minor === undefined) {
          return
        }
        const digits = minorDigits(currency)
        const [whole = '', decimals = ''] = text.split('.')
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect(decimals.length).toBeLessThanOrEqual(digits)
        expect(BigInt(minor)).toBe(BigInt(whole + decimals.padEnd(digits, '0')))
      }),
      { numRuns: 3000 },
    )
  })
})

/** Drops up to `most` zeros, and the point if nothing follows it, from a text with decimals. */
function dropZeros(text: string, most: number): string {
  if (!text.includes('.')) {
    return text
  }
  let short = text
  for (let left = most; left > 0 && short.endsWith('0'); left--) {
    short = short.slice(0, -1)
  }
  return short.endsWith('.') ? short.slice(0, -1) : short
}

function minorOrUndefined(text: string, currency: string): number | undefined {
  try {
    return parseMoney(text, currency, { signed: true })
  } catch {
    return undefined
  }
}

describe('formatMoney', () => {
  test('shows a total beyond the range of amounts, which comes as a bigint', () => {
    expect(formatMoney(2n ** 64n, 'EUR')).toBe('184467440737095516.16')
    expect(formatMoney(-(2n ** 64n), 'JPY')).toBe('-18446744073709551616')
    expect(formatMoney(0n, 'BHD')).toBe('0.000')
  })

  test.each([
    [1230, 'USD', '12.30'],
    [5, 'USD', '0.05'],
    [-5, 'USD', '-0.05'],
    [1200, 'JPY', '1200'],
    [-1200, 'JPY', '-1200'],
    [125, 'BHD', '0.125'],
    [-1, 'CLF', '-0.0001'],
    [0, 'USD', '0.00'],
    [-0, 'USD', '0.00'],
    [-0, 'JPY', '0'],
    [MAX_MINOR, 'USD', '90071992547409.91'],
    [-MAX_MINOR, 'CLF', '-900719925474.0991'],
  ])('writes %d minor units of %s as %s', (minor, currency, text) => {
    expect(formatMoney(minor, currency)).toBe(text)
  })

  test('agrees with integer division, and parseMoney reads it back', () => {
    fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const text = formatMoney(minor, currency)
        expect(text).toBe(referenceText(minor, minorDigits(currency)))
        expect(parseMoney(text, currency, { signed: true })).toBe(minor)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([MAX_MINOR + 1, 0.5, Number.NaN, Infinity])('refuses %d minor units', (minor) => {
    expect(() => formatMoney(minor, 'USD')).toThrow(invalid('money.outOfRange'))
  })
})

describe('arithmetic', () => {
  test('add agrees with BigInt or refuses', () => {
    fc.assert(
      fc.property(anyMinor, anyMinor, (a, b) => {
        const exact = BigInt(a) + BigInt(b)
        const fits = exact <= BigInt(MAX_MINOR) && exact >= -BigInt(MAX_MINOR)
        if (fits) {
          expect(BigInt(add(a, b))).toBe(exact)
        } else {
          expect(() => add(a, b)).toThrow(invalid('money.outOfRange'))
        }
      }),
    )
  })

  test('one unit over the range is refused in either direction', () => {
    expect(add(MAX_MINOR, 0)).toBe(MAX_MINOR)
    expect(() => add(MAX_MINOR, 1)).toThrow(invalid('money.outOfRange'))
    expect(() => add(-MAX_MINOR, -1)).toThrow(invalid('money.outOfRange'))
    expect(() => sum([MAX_MINOR, 1])).toThrow(invalid('money.outOfRange'))
    expect(() => sum([-MAX_MINOR, -1])).toThrow(invalid('money.outOfRange'))
  })

  test('sum agrees with BigInt whatever the order, even if it leaves the range on the way', () => {
    expect(sum([MAX_MINOR, MAX_MINOR, -MAX_MINOR])).toBe(MAX_MINOR)
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (list) => {
        const balanced = [...list, ...list.map(negate), 7]
        expect(sum(balanced)).toBe(7)
        expect(sum(balanced.toReversed())).toBe(7)
      }),
    )
  })

  test('sum of nothing is zero', () => {
    expect(sum([])).toBe(0)
  })

  test('negate never gives minus zero', () => {
    expect(negate(0)).toBe(0)
    expect(negate(-0)).toBe(0)
    expect(negate(5)).toBe(-5)
    expect(negate(-MAX_MINOR)).toBe(MAX_MINOR)
  })

  test('toMinor keeps what fits and refuses the rest', () => {
    expect(toMinor(BigInt(MAX_MINOR))).toBe(MAX_MINOR)
    expect(() => toMinor(BigInt(MAX_MINOR) + 1n)).toThrow(invalid('money.outOfRange'))
    expect(() => toMinor(-BigInt(MAX_MINOR) - 1n)).toThrow(invalid('money.outOfRange'))
  })
})

describe('allocate', () => {
  test.each([
    [1000, [1, 1, 1], [333, 333, 334]],
    [-1000, [1, 1, 1], [-333, -333, -334]],
    [100, [1, 1, 1, 0], [33, 33, 34, 0]],
    [100, [0, 5, 0], [0, 100, 0]],
    [5, [50, 30, 20], [2, 1, 2]],
    [1, [1, 1], [0, 1]],
    [0, [1, 2], [0, 0]],
    [MAX_MINOR, [MAX_MINOR, MAX_MINOR], [4503599627370495, 4503599627370496]],
  ])('splits %d by %j into %j', (total, weights, parts) => {
    expect(allocate(total, weights)).toEqual(parts)
  })

  const anyWeights = fc
    .array(fc.oneof(fc.nat(100), fc.maxSafeNat()), { minLength: 1, maxLength: 20 })
    .filter((weights) => weights.some((weight) => weight > 0))

  test('the parts add up to the total exactly', () => {
    fc.assert(
      fc.property(anyMinor, anyWeights, (total, weights) => {
        expect(sum(allocate(total, weights))).toBe(total)
      }),
    )
  })

  test('each part is its exact share without the fraction, but for the last one that counts', () => {
    fc.assert(
      fc.property(anyMinor, anyWeights, (total, weights) => {
        const whole = weights.reduce((all, weight) => all + BigInt(weight), 0n)
        const last = weights.findLastIndex((weight) => weight > 0)
        allocate(total, weights).forEach((part, index) => {
          const weight = weights[index] ?? 0
          if (weight === 0) {
            expect(part).toBe(0)
          } else if (index !== last) {
            expect(BigInt(part)).toBe((BigInt(total) * BigInt(weight)) / whole)
          }
        })
      }),
    )
  })

  test('the opposite total gives the opposite parts', () => {
    fc.assert(
      fc.property(anyMinor, anyWeights, (total, weights) => {
        expect(allocate(negate(total), weights)).toEqual(allocate(total, weights).map(negate))
      }),
    )
  })

  test.each([[[]], [[0]], [[0, 0]], [[1, -1]], [[-1]], [[0.5]], [[1, Number.NaN]], [[2 ** 53]]])(
    'refuses the weights %j',
    (weights) => {
      expect(() => allocate(100, weights)).toThrow(invalid('money.invalidWeights'))
    },
  )

  test('refuses a total out of range', () => {
    expect(() => allocate(MAX_MINOR + 1, [1])).toThrow(invalid('money.outOfRange'))
  })
})

describe('divideHalfEven', () => {
  test.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [-5n, 10n, 0n],
    [-15n, 10n, -2n],
    [-25n, 10n, -2n],
    [24n, 10n, 2n],
    [26n, 10n, 3n],
    [-26n, 10n, -3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [6n, 3n, 2n],
    [0n, 3n, 0n],
  ])('divides %d by %d to %d', (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient)
  })

  test('gives a nearest integer, and the even one when two are equally near', () => {
    const anyDenominator = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 10n ** 30n))
    fc.assert(
      fc.property(fc.bigInt(), anyDenominator, (numerator, denominator) => {
        const quotient = divideHalfEven(numerator, denominator)
        const error = 2n * (numerator - quotient * denominator)
        expect(error <= denominator && error >= -denominator).toBe(true)
        if (error === denominator || error === -denominator) {
          expect(quotient % 2n).toBe(0n)
        }
      }),
    )
  })
})
