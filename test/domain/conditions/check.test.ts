import { describe, expect, it } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import {
  comparisonsOf,
  type Condition,
  CONDITION_FIELDS,
} from '../../../src/domain/conditions/conditions.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { exampleId } from '../../../src/domain/ids.ts'

const CATEGORY = exampleId('cat')

const refusal = (value: unknown, isRule = false) => {
  try {
    return checkCondition(value, { isRule })
  } catch (error) {
    return error instanceof AppError ? [error.code, error.field] : error
  }
}

const text = (value: unknown, op = 'contains') => ({ field: 'text', op, value })

const nested = (levels: number): unknown => (levels === 1 ? text('a') : { not: nested(levels - 1) })

describe('a condition is taken as it is', () => {
  it.each([
    [text('rewe')],
    [{ all: [text('rewe'), { any: [text('a*', 'like'), { not: text('b', 'word') }] }] }],
    [{ field: 'description', op: 'isEmpty' }],
    [{ field: 'amount', op: 'between', value: ['1', '2.345'] }],
    [{ field: 'date', op: 'is', value: 'lastMonth' }],
    [{ field: 'date', op: 'between', value: ['2026-Q1', '2026-04-03'] }],
    [{ field: 'status', op: 'oneOf', value: ['pending', 'cleared'] }],
    [{ field: 'currency', op: 'is', value: 'EUR' }],
    [{ field: 'categoryId', op: 'within', value: CATEGORY }],
    [{ field: 'categoryId', op: 'within', value: [CATEGORY] }],
    [{ field: 'reviewed', op: 'is', value: false }],
    [{ field: 'metadata', op: 'exists', value: { key: 'trip' } }],
    [{ field: 'metadata', op: 'is', value: { key: 'trip', value: 'Rome' } }],
    [nested(5)],
    [{ any: Array.from({ length: 20 }, () => text('a')) }],
  ])('%j', (value) => {
    expect(checkCondition(value)).toEqual(value)
  })

  it('and a number or boolean of metadata as its text', () => {
    expect(checkCondition({ field: 'metadata', op: 'is', value: { key: 'n', value: 2 } })).toEqual({
      field: 'metadata',
      op: 'is',
      value: { key: 'n', value: '2' },
    })
  })
})

describe('a condition is refused with its place', () => {
  it.each<[unknown, string]>([
    [null, ''],
    [[], ''],
    ['text', ''],
    [{}, ''],
    [{ all: [text('a')], any: [text('a')] }, ''],
    [{ none: [] }, ''],
    [{ all: [] }, '.all'],
    [{ any: text('a') }, '.any'],
    [{ all: [text('a'), { not: 3 }] }, '.all.1.not'],
    [nested(6), '.not.not.not.not.not'],
    [{ any: Array.from({ length: 21 }, () => text('a')) }, '.any.20'],
    [{ field: 'colour', op: 'is', value: 'red' }, '.field'],
    [{ field: 'toString', op: 'is', value: 'red' }, '.field'],
    [{ field: 7, op: 'is', value: 'red' }, '.field'],
    [{ field: 'text', op: 'is', value: 'red' }, '.op'],
    [{ field: 'text', value: 'red' }, '.op'],
    [{ ...text('a'), extra: 1 }, '.extra'],
    [{ all: [text('a'), text(4)] }, '.all.1.value'],
    [text('x'.repeat(201)), '.value'],
    [text(' - '), '.value'],
    [text('**', 'like'), '.value'],
    [text('*a'.repeat(11), 'like'), '.value'],
    [{ field: 'note', op: 'isEmpty', value: true }, '.value'],
    [{ field: 'amount', op: 'from', value: 12 }, '.value'],
    [{ field: 'amount', op: 'from', value: '-1' }, '.value'],
    [{ field: 'amount', op: 'from', value: '9'.repeat(40) }, '.value'],
    [{ field: 'amount', op: 'between', value: ['1'] }, '.value'],
    [{ field: 'amount', op: 'between', value: ['1', 'x'] }, '.value.1'],
    [{ field: 'date', op: 'is', value: '2026-02-30' }, '.value'],
    [{ field: 'kind', op: 'is', value: 'gift' }, '.value'],
    [{ field: 'kind', op: 'oneOf', value: 'expense' }, '.value'],
    [{ field: 'kind', op: 'oneOf', value: [] }, '.value'],
    [{ field: 'kind', op: 'oneOf', value: ['expense', 'gift'] }, '.value.1'],
    [{ field: 'currency', op: 'is', value: 'XXQ' }, '.value'],
    [{ field: 'accountId', op: 'is', value: CATEGORY }, '.value'],
    [{ field: 'reviewed', op: 'is', value: 'true' }, '.value'],
    [{ field: 'metadata', op: 'is', value: { key: 'n' } }, '.value'],
    [{ field: 'metadata', op: 'is', value: { key: '', value: '1' } }, '.value'],
    [{ field: 'metadata', op: 'is', value: { key: 'n', value: Infinity } }, '.value'],
    [{ field: 'metadata', op: 'is', value: { key: 'n', value: '1', more: 1 } }, '.value'],
    [{ field: 'metadata', op: 'is', value: { key: 'n', value: 'x'.repeat(1001) } }, '.value'],
    [{ field: 'metadata', op: 'exists', value: { key: 'n', value: '1' } }, '.value'],
    [{ field: 'metadata', op: 'exists', value: 'n' }, '.value'],
  ])('%j at condition%s', (value, place) => {
    expect(refusal(value)).toEqual(['conditions.invalid', `condition${place}`])
  })

  it('with the field of the request that holds it', () => {
    expect(() => checkCondition({}, { field: 'filter.condition' })).toThrow(
      expect.objectContaining({ field: 'filter.condition' }),
    )
  })
})

it.each([
  { field: 'hasAttachment', op: 'is', value: true },
  { field: 'importId', op: 'isEmpty' },
  { field: 'recurringId', op: 'isEmpty' },
  { field: 'createdBy', op: 'is', value: exampleId('usr') },
  { field: 'externalId', op: 'is', value: 'x1' },
  { field: 'categoryId', op: 'within', value: CATEGORY },
])('rules do not ask for %j', (comparison) => {
  expect(refusal({ all: [comparison] }, true)).toEqual(['conditions.notInRules', 'condition.all.0'])
  expect(refusal({ all: [comparison] })).toEqual({ all: [comparison] })
})

it('rules ask for all other fields', () => {
  const asked: Condition = { field: 'categoryId', op: 'is', value: CATEGORY }
  expect(refusal({ any: [asked, { not: asked }] }, true)).toEqual({ any: [asked, { not: asked }] })
  expect(comparisonsOf({ any: [asked, { not: { all: [asked] } }] })).toEqual([asked, asked])
  expect(Object.keys(CONDITION_FIELDS)).toHaveLength(24)
})
