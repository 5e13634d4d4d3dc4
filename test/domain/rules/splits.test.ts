import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCIES, minorDigits } from '../../../src/domain/currency.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { formatMoney, MAX_MINOR, parseMoney, sum } from '../../../src/domain/money.ts'
import { checkChanges } from '../../../src/domain/rules/check.ts'
import type { RulePart } from '../../../src/domain/rules/rules.ts'
import { hundredthsOf, PERCENT_PATTERN, splitAmount } from '../../../src/domain/rules/splits.ts'

const rest: RulePart = { rest: 1 }

/** Amounts of the parts that are not zero. */
const amountsOf = (amount: string, currency: string, parts: RulePart[]) =>
  splitAmount(parseMoney(amount, currency), currency, parts).map(({ amountMinor }) =>
    formatMoney(amountMinor, currency),
  )

describe('splitAmount', () => {
  test.each<[string, string, RulePart[], string[]]>([
    ['100.00', 'EUR', [{ fixed: '85.00' }, rest], ['85.00', '15.00']],
    [
      '100.00',
      'EUR',
      [{ percent: '33.33' }, { percent: '33.33' }, rest],
      ['33.33', '33.33', '33.34'],
    ],
    ['0.05', 'EUR', [{ percent: '50' }, { percent: '50' }], ['0.02', '0.03']],
    ['10.01', 'EUR', [{ percent: '12.5' }, rest], ['1.25', '8.76']],
    ['10.00', 'EUR', [{ fixed: '3.00' }, { percent: '50' }, rest], ['3.00', '5.00', '2.00']],
    [
      '10.00',
      'EUR',
      [{ fixed: '3.00' }, { percent: '50', percentOf: 'rest' }, rest],
      ['3.00', '3.50', '3.50'],
    ],
    ['1000', 'JPY', [rest, rest, rest], ['333', '333', '334']],
    ['85.00', 'EUR', [{ fixed: '85.00' }, rest], ['85.00']],
    ['0.125', 'BHD', [{ percent: '1' }, rest], ['0.001', '0.124']],
    ['0.05', 'EUR', [{ percent: '50' }, { percent: '50' }, rest], ['0.02', '0.03']],
    ['10.00', 'EUR', [{ fixed: '5.00' }, { percent: '50' }], ['5.00', '5.00']],
    ['10.00', 'EUR', [{ rest: 3 }, { rest: 1 }], ['7.50', '2.50']],
  ])('splits %s %s', (amount, currency, parts, expected) => {
    expect(amountsOf(amount, currency, parts)).toEqual(expected)
  })

  test.each<[string, string, RulePart[], string]>([
    ['50.00', 'EUR', [{ fixed: '60.00' }, rest], 'rules.splitTooMuch'],
    ['100.00', 'EUR', [{ fixed: '60.00' }, { fixed: '30.00' }], 'rules.splitIncomplete'],
    ['10.00', 'EUR', [{ fixed: '6.00' }, { percent: '50' }, rest], 'rules.splitTooMuch'],
    ['10.00', 'EUR', [{ percent: '50' }, { percent: '49.9' }], 'rules.splitIncomplete'],
    ['1000', 'JPY', [{ fixed: '0.5' }, rest], 'money.tooManyDigits'],
  ])('leaves %s %s as it is', (amount, currency, parts, code) => {
    expect(() => amountsOf(amount, currency, parts)).toThrow(expect.objectContaining({ code }))
  })

  test('gives parts that are not zero and sum to the amount, for any amount, currency and parts', () => {
    const hundredths = fc.integer({ min: 1, max: 10_000 })
    const anyPart = (base: 'total' | 'rest', currency: string) =>
      fc.oneof(
        fc.nat({ max: 10_000 }).map((minor): RulePart => ({ fixed: formatMoney(minor, currency) })),
        hundredths.map((part): RulePart => ({
          percent: `${Math.floor(part / 100)}.${String(part % 100).padStart(2, '0')}`,
          percentOf: base,
        })),
        fc.integer({ min: 1, max: 100 }).map((weight): RulePart => ({ rest: weight })),
      )
    const anySplit = fc
      .tuple(
        fc.constantFrom(...CURRENCIES.map(({ code }) => code)),
        fc.constantFrom('total' as const, 'rest' as const),
        fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: MAX_MINOR })),
      )
      .chain(([currency, base, amountMinor]) =>
        fc
          .array(anyPart(base, currency), { minLength: 2, maxLength: 20 })
          .map((parts) => ({ currency, amountMinor, parts })),
      )
    let split = 0
    fc.assert(
      fc.property(anySplit, ({ currency, amountMinor, parts }) => {
        try {
          checkChanges({ splits: parts })
          const sized = splitAmount(amountMinor, currency, parts)
          split += 1
          expect(sum(sized.map((one) => one.amountMinor))).toBe(amountMinor)
          expect(sized.every((one) => one.amountMinor > 0)).toBe(true)
        } catch (error) {
          if (!(error instanceof AppError)) {
            throw error
          }
          expect(['rules.invalidSplit', 'rules.splitTooMuch', 'rules.splitIncomplete']).toContain(
            error.code,
          )
        }
      }),
    )
    expect(split).toBeGreaterThan(0)
  })

  test('shares an amount whole by percents that are 100 together', () => {
    const anyWeights = fc
      .array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 19 })
      .map((parts) => [...parts, 10_000 - sum(parts)])
    fc.assert(
      fc.property(anyWeights, fc.integer({ min: 1, max: MAX_MINOR }), (weights, amountMinor) => {
        const parts = weights.map((one) => ({ percent: (one / 100).toFixed(2) }))
        const sized = splitAmount(amountMinor, 'EUR', parts)
        expect(sum(sized.map((one) => one.amountMinor))).toBe(amountMinor)
      }),
    )
  })
})

test.each([
  ['12.5', 1250],
  ['100', 10_000],
  ['0.01', 1],
])('reads %s percent', (text, hundredths) => {
  expect(PERCENT_PATTERN.test(text)).toBe(true)
  expect(hundredthsOf(text)).toBe(hundredths)
})

describe('checkChanges', () => {
  const refusal = (code: string, field: string) => expect.objectContaining({ code, field })

  test('takes parts of each size and texts with placeholders', () => {
    const splits = [{ fixed: '1.00' }, { percent: '60', percentOf: 'rest' as const }, rest]
    expect(() => checkChanges({ splits, note: '{note} {payee}', description: null })).not.toThrow()
    expect(() => checkChanges({ splits: [{ percent: '50' }, { percent: '50' }] })).not.toThrow()
  })

  test.each<[string, RulePart[], string]>([
    ['no size', [{}, rest], 'changes.splits.0'],
    ['two sizes', [rest, { fixed: '1.00', percent: '1' }], 'changes.splits.1'],
    [
      'a base without a percent',
      [{ rest: 1, percentOf: 'rest' }, rest],
      'changes.splits.0.percentOf',
    ],
    ['more than 100 percent', [{ percent: '60' }, { percent: '40.01' }], 'changes.splits'],
    ['a negative size', [rest, { fixed: '-1.00' }], 'changes.splits.1.fixed'],
    [
      'too many tags',
      Array.from({ length: 5 }, () => ({ rest: 1, tagIds: Array(41).fill('tag_1') })),
      'changes.splits',
    ],
    ['two bases', [{ percent: '1' }, { percent: '1', percentOf: 'rest' }], 'changes.splits'],
  ])('refuses parts with %s', (_, splits, field) => {
    expect(() => checkChanges({ splits })).toThrow(refusal('rules.invalidSplit', field))
  })

  test('refuses unknown placeholders, and names those that exist', () => {
    expect(() => checkChanges({ note: 'a {word}' }, 'rule.changes')).toThrow(
      expect.objectContaining({
        ...{ code: 'rules.unknownPlaceholder', field: 'rule.changes.note' },
        message:
          'The placeholder {word} is unknown. The placeholders are {description}, {payeeRaw}, {note}, {payee}.',
      }),
    )
  })
})

test('amounts of one minor unit stay whole in every currency', () => {
  for (const { code } of CURRENCIES) {
    const smallest = formatMoney(1, code)
    expect(minorDigits(code)).toBeGreaterThanOrEqual(0)
    expect(amountsOf(smallest, code, [{ percent: '50' }, { percent: '50' }])).toEqual([smallest])
  }
})
