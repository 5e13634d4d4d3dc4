import { describe, expect, it } from 'vitest'
import {
  arrayOf,
  type Check,
  currencyText,
  dateText,
  eachOnce,
  eitherOf,
  exactly,
  hashText,
  mapOf,
  minorUnits,
  numberWithin,
  objectWith,
  orNull,
  shallowJson,
  textUpTo,
  wholeNumber,
} from '../../src/domain/stored-values.ts'

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

const CASES: [string, Check, right: unknown[], wrong: unknown[]][] = [
  ['a whole number', wholeNumber(1, 5), [1, 5], [0, 6, 1.5, '1', null, Number.NaN, 2 ** 60]],
  ['minor units', minorUnits, [2 ** 53 - 1, -(2 ** 53 - 1), 0], [2 ** 53, 0.5, '0']],
  ['a text', textUpTo(3, 1), ['a', 'abc'], ['', 'abcd', '\uD800', 'a\u0000', 1, null]],
  ['a number', numberWithin(90), [-90, 0.5, 90], [90.1, -91, '1', null, Number.NaN]],
  ['a hash', hashText, ['a'.repeat(64)], ['A'.repeat(64), 'a'.repeat(63), 1]],
  ['a date', dateText, ['1900-01-01', '2200-12-31'], ['1899-12-31', '2026-02-30', '9999-12-31', 5]],
  ['a currency', currencyText, ['EUR'], ['eur', 'ZZZ', null]],
  ['a choice', exactly('a', null), ['a', null], ['b', undefined]],
  ['nothing or a text', orNull(textUpTo(1)), [null, 'a'], ['ab', undefined]],
  ['one of two', eitherOf(exactly(1), exactly('a')), [1, 'a'], [2]],
  ['a list', arrayOf(exactly(1), 2), [[], [1, 1]], [[1, 1, 1], [2], { 0: 1 }, null]],
  ['a map', mapOf(textUpTo(1), exactly(1), 1), [{}, { a: 1 }], [{ a: 2 }, { ab: 1 }, [1], null]],
  [
    'an object',
    objectWith({ a: exactly(1) }, { b: exactly(2) }),
    [{ a: 1 }, { a: 1, b: 2 }],
    [{}, { b: 2 }, { a: 1, b: 1 }, { a: 1, c: 1 }, [1], null, JSON.parse('{"a":1,"__proto__":1}')],
  ],
  [
    'a list without repeats',
    eachOnce(textUpTo(1), 2),
    [[], ['a', 'b']],
    [['a', 'a'], ['a', 'b', 'c'], ['ab'], 'ab', null],
  ],
  [
    'a list of objects that a field tells apart',
    eachOnce(objectWith({ a: exactly(1, 2), b: exactly(3) }), 2, 'a'),
    [
      [],
      [{ a: 1, b: 3 }],
      [
        { a: 1, b: 3 },
        { a: 2, b: 3 },
      ],
    ],
    [
      [
        { a: 1, b: 3 },
        { a: 1, b: 3 },
      ],
      [{ a: 1 }],
      [null],
      { a: 1, b: 3 },
    ],
  ],
  ['an object without more', objectWith({ a: exactly(1) }), [{ a: 1 }], [{ a: 1, b: 2 }]],
  ['JSON that is not deep', shallowJson(99), [deep(10)], [deep(11)]],
  [
    'shallow JSON',
    shallowJson(20, 3),
    [{ a: [1] }, deep(3), { a: null, b: 'c' }],
    [deep(4), ['x'.repeat(20)], '\uD800', { '\uD800': 1 }, ['\uD800']],
  ],
]

describe('a check of what is stored', () => {
  it.each(CASES)('takes %s, and nothing else', (_, check, right, wrong) => {
    expect(right.filter((value) => !check(value, {}))).toEqual([])
    expect(wrong.filter((value) => check(value, {}))).toEqual([])
  })
})
