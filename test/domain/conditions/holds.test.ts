import { describe, expect, it } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import { namesPeriods } from '../../../src/domain/conditions/dates.ts'
import { predicateOf, type Subject } from '../../../src/domain/conditions/holds.ts'
import { exampleId } from '../../../src/domain/ids.ts'
import { searchKey } from '../../../src/domain/search-key.ts'

const TODAY = '2026-11-30'
const [EVERYDAY, VISA] = ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5', 'acc_01k9v3q8m5t0w2x4y6z8a1b3d5']
const [FOOD, CAR] = ['cat_01k9v3q8m5t0w2x4y6z8a1b3c5', 'cat_01k9v3q8m5t0w2x4y6z8a1b3d5']
const [SHOP, TAG] = [exampleId('pay'), exampleId('tag')]

const subject = (fields: Partial<Subject> = {}): Subject => ({
  texts: { description: '', payeeRaw: '', note: '' },
  amountMinor: -1230,
  currency: 'EUR',
  date: '2026-11-15',
  kind: 'expense',
  status: 'cleared',
  source: 'user',
  accountId: EVERYDAY,
  categoryIds: [],
  payeeIds: [],
  tagIds: [],
  uncategorised: true,
  reviewed: false,
  private: false,
  isSplit: false,
  hasAttachment: false,
  importId: null,
  recurringId: null,
  createdBy: exampleId('usr'),
  externalId: null,
  metadata: {},
  ...fields,
})

const holds = (condition: unknown, fields: Partial<Subject> = {}) =>
  predicateOf(checkCondition(condition), TODAY)(subject(fields))

const texts = (description: string, payeeRaw = '', note = ''): Partial<Subject> => ({
  texts: {
    description: searchKey(description),
    payeeRaw: searchKey(payeeRaw),
    note: searchKey(note),
  },
})

const RENT = {
  all: [
    { field: 'accountId', op: 'is', value: EVERYDAY },
    {
      any: [
        { field: 'text', op: 'contains', value: 'rent' },
        {
          all: [
            { field: 'amount', op: 'from', value: '800.00' },
            { field: 'categoryId', op: 'isEmpty' },
          ],
        },
      ],
    },
  ],
}

it.each([
  [EVERYDAY, 'Rent March', 60_000, [], true],
  [EVERYDAY, 'Insurance', 81_000, [], true],
  [EVERYDAY, 'Insurance', 81_000, [CAR], false],
  [VISA, 'Rent a car', 90_000, [], false],
  [EVERYDAY, 'Parents', 79_999, [], true],
])('a nested condition: on %s %s of %d with %j: %s', (accountId, text, minor, categoryIds, is) => {
  const uncategorised = categoryIds.length === 0
  const fields = { ...texts(text), accountId, amountMinor: -minor, categoryIds, uncategorised }
  expect(holds(RENT, fields)).toBe(is)
})

describe('texts', () => {
  it.each([
    ['text', 'contains', 'kaffee', texts('Café', 'KAFFEE-Haus'), true],
    ['text', 'contains', 'cafe kaffee', texts('Café', 'Kaffee'), false],
    ['text', 'contains', 'blue bottle', texts('', '', 'the Blue  Bottle!'), true],
    ['text', 'word', 'rent', texts('Parents'), false],
    ['text', 'word', 'rent', texts('', 'My rent, May'), true],
    ['text', 'like', 'rewe*', texts('REWE 4711'), true],
    ['text', 'like', '*4711', texts('REWE 4711'), true],
    ['text', 'like', 'rewe * 4711', texts('REWE Markt 4711'), true],
    ['text', 'like', 'r*w*e*1', texts('REWE 4711'), true],
    ['text', 'like', 'r*w*w*1', texts('REWE 4711'), false],
    ['text', 'like', 'rewe*', texts('Zu REWE'), false],
    ['text', 'like', 'ab*ba', texts('aba'), false],
    ['text', 'like', 'a*b*b', texts('ab'), false],
    ['text', 'like', 'rewe', texts('REWE'), true],
    ['text', 'like', 'rewe', texts('REWE 1'), false],
    ['description', 'is', 'Café', texts('CAFE'), true],
    ['description', 'is', 'Café', texts('Cafe 2'), false],
    ['payeeRaw', 'contains', 'amzn', texts('AMZN', 'Amazon'), false],
    ['note', 'contains', 'amzn', texts('', '', 'AMZN'), true],
  ])('%s %s %s', (field, op, value, fields, is) => {
    expect(holds({ field, op, value }, fields)).toBe(is)
  })

  it('that are empty', () => {
    expect(holds({ field: 'note', op: 'isEmpty' })).toBe(true)
    expect(holds({ field: 'note', op: 'isEmpty' }, texts('', '', 'x'))).toBe(false)
  })

  it('take linear time, also those that are made to be slow', () => {
    const fields = texts('a'.repeat(10_000))
    for (const value of ['*a*a*a*a*b', `${'*a'.repeat(9)}*b`, `*${'a'.repeat(190)}b*`]) {
      expect(holds({ field: 'description', op: 'like', value }, fields)).toBe(false)
    }
  })
})

describe('amounts', () => {
  it.each([
    ['is', '12.30', -1230, 'EUR', true],
    ['is', '12.3', 1230, 'EUR', true],
    ['is', '12.345', 1235, 'EUR', false],
    ['is', '12.345', -12_345, 'BHD', true],
    ['from', '12.345', 1234, 'EUR', false],
    ['from', '12.345', 1235, 'EUR', true],
    ['to', '12.345', 1234, 'EUR', true],
    ['to', '12.345', 1235, 'EUR', false],
    ['above', '12.345', 1234, 'EUR', false],
    ['above', '12.345', 1235, 'EUR', true],
    ['above', '12.34', 1234, 'EUR', false],
    ['below', '12.345', 1234, 'EUR', true],
    ['below', '12.345', 1235, 'EUR', false],
    ['below', '1200', 1200, 'JPY', false],
    ['from', '1200', 1200, 'JPY', true],
    ['to', '9'.repeat(24), Number.MAX_SAFE_INTEGER, 'EUR', true],
    ['from', '9'.repeat(24), Number.MAX_SAFE_INTEGER, 'EUR', false],
  ])('%s %s holds for %d %s: %s', (op, value, amountMinor, currency, is) => {
    expect(holds({ field: 'amount', op, value }, { amountMinor, currency })).toBe(is)
  })

  it('between two, both included', () => {
    const between = { field: 'amount', op: 'between', value: ['10', '20'] }
    expect([999, 1000, 2000, 2001].map((amountMinor) => holds(between, { amountMinor }))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

describe('dates', () => {
  it.each([
    ['is', 'lastMonth', '2026-10-31', true],
    ['is', 'lastMonth', '2026-11-01', false],
    ['from', 'thisMonth', '2026-11-01', true],
    ['from', 'thisMonth', '2026-10-31', false],
    ['to', 'lastMonth', '2026-10-31', true],
    ['to', 'lastMonth', '2026-11-01', false],
    ['above', '2026-10', '2026-10-31', false],
    ['above', '2026-10', '2026-11-01', true],
    ['below', '2026-10', '2026-10-01', false],
    ['below', '2026-10', '2026-09-30', true],
    ['above', '2200-12-31', '2200-12-31', false],
    ['is', '2026-11-15', '2026-11-15', true],
  ])('%s %s holds on %s: %s', (op, value, date, is) => {
    expect(holds({ field: 'date', op, value }, { date })).toBe(is)
  })

  it('between a quarter and a day', () => {
    const between = { field: 'date', op: 'between', value: ['2026-Q1', '2026-04-02'] }
    expect(
      ['2025-12-31', '2026-01-01', '2026-04-02', '2026-04-03'].map((date) =>
        holds({ all: [between] }, { date }),
      ),
    ).toEqual([false, true, true, false])
  })

  it('that depend on today are known', () => {
    const today = { field: 'date', op: 'is', value: 'today' }
    const day = { field: 'date', op: 'is', value: '2026-01-01' }
    expect(namesPeriods(checkCondition({ not: { any: [day, today] } }))).toBe(true)
    expect(namesPeriods(checkCondition({ any: [day] }))).toBe(false)
    expect(holds({ not: { any: [day, today] } }, { date: TODAY })).toBe(false)
  })
})

describe('labels', () => {
  it.each([
    [{ field: 'categoryId', op: 'is', value: FOOD }, { categoryIds: [CAR, FOOD] }, true],
    [{ field: 'categoryId', op: 'oneOf', value: [FOOD] }, { categoryIds: [CAR] }, false],
    [{ field: 'categoryId', op: 'isEmpty' }, { categoryIds: [CAR], uncategorised: true }, true],
    [{ field: 'categoryId', op: 'isEmpty' }, { categoryIds: [CAR], uncategorised: false }, false],
    [{ field: 'categoryId', op: 'isEmpty' }, { categoryIds: [], uncategorised: false }, true],
    [{ field: 'payeeId', op: 'is', value: SHOP }, { payeeIds: [SHOP] }, true],
    [{ field: 'payeeId', op: 'isEmpty' }, { payeeIds: [SHOP] }, false],
    [{ field: 'tagId', op: 'isEmpty' }, {}, true],
    [{ not: { field: 'tagId', op: 'is', value: TAG } }, { tagIds: [TAG] }, false],
    [{ not: { field: 'tagId', op: 'is', value: TAG } }, {}, true],
  ])('%j', (condition, fields, is) => {
    expect(holds(condition, fields)).toBe(is)
  })
})

describe('other fields', () => {
  const metadata = { n: 2, ok: true, trip: 'Rome', list: ['Rome'], none: null }

  it.each([
    [{ field: 'kind', op: 'oneOf', value: ['income', 'expense'] }, {}, true],
    [{ field: 'status', op: 'is', value: 'pending' }, {}, false],
    [{ field: 'source', op: 'is', value: 'import' }, { source: 'import' }, true],
    [{ field: 'currency', op: 'oneOf', value: ['USD'] }, {}, false],
    [{ field: 'uncategorised', op: 'is', value: true }, {}, true],
    [{ field: 'reviewed', op: 'is', value: false }, {}, true],
    [{ field: 'private', op: 'is', value: true }, {}, false],
    [{ field: 'isSplit', op: 'is', value: true }, { isSplit: true }, true],
    [{ field: 'hasAttachment', op: 'is', value: true }, {}, false],
    [{ field: 'importId', op: 'isEmpty' }, {}, true],
    [{ field: 'importId', op: 'isEmpty' }, { importId: exampleId('imp') }, false],
    [{ field: 'importId', op: 'is', value: exampleId('imp') }, {}, false],
    [{ field: 'recurringId', op: 'isEmpty' }, {}, true],
    [
      { field: 'recurringId', op: 'is', value: exampleId('rec') },
      { recurringId: exampleId('rec') },
      true,
    ],
    [{ field: 'createdBy', op: 'is', value: exampleId('usr') }, {}, true],
    [{ field: 'externalId', op: 'is', value: 'x1' }, { externalId: 'x1' }, true],
    [{ field: 'externalId', op: 'is', value: 'x1' }, {}, false],
    [{ field: 'metadata', op: 'exists', value: { key: 'none' } }, { metadata }, true],
    [{ field: 'metadata', op: 'exists', value: { key: 'no' } }, { metadata }, false],
    [{ field: 'metadata', op: 'is', value: { key: 'n', value: '2' } }, { metadata }, true],
    [{ field: 'metadata', op: 'is', value: { key: 'ok', value: true } }, { metadata }, true],
    [{ field: 'metadata', op: 'is', value: { key: 'trip', value: 'rome' } }, { metadata }, false],
    [{ field: 'metadata', op: 'is', value: { key: 'list', value: 'Rome' } }, { metadata }, false],
  ])('%j with %j: %s', (condition, fields, is) => {
    expect(holds(condition, fields)).toBe(is)
  })
})
