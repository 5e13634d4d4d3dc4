import { describe, expect, test } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import type { Condition } from '../../../src/domain/conditions/conditions.ts'
import {
  conditionOf,
  type LineOptions,
  namesNeeded,
  readLine,
  termsIn,
  type VisibleNames,
} from '../../../src/domain/conditions/line.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { searchKey } from '../../../src/domain/search-key.ts'

const idOf = (prefix: string, at: number) => `${prefix}_${at.toString(8).padStart(26, '0')}`

const named = (prefix: string, ...names: string[]) =>
  names.map((name, at) => ({ id: idOf(prefix, at), name, key: searchKey(name) }))

const names: VisibleNames = {
  account: named('acc', 'Cash', 'Current', 'Current EUR'),
  payee: named('pay', 'Blue Bottle', 'REWE', 'REWE City', 'blue  bottle', 'Café Müller', '★'),
  category: [
    { id: idOf('cat', 0), name: 'Food', key: 'food', parentId: null },
    { id: idOf('cat', 1), name: 'Groceries', key: 'groceries', parentId: idOf('cat', 0) },
    { id: idOf('cat', 2), name: 'Bread', key: 'bread', parentId: idOf('cat', 1) },
    { id: idOf('cat', 3), name: 'Rent', key: 'rent', parentId: null },
  ],
  tag: named('tag', 'x', 'none', 'Ireland 2026'),
}

const USER = idOf('usr', 1)

const parse = (line: string, more: Partial<LineOptions> = {}): Condition => {
  const options = { userId: USER, ...more }
  const condition = conditionOf(readLine(line, options), names, options)
  // What a line means is accepted wherever a condition is.
  expect(checkCondition(condition, { isRule: options.isRule ?? false })).toEqual(condition)
  return condition
}

function refusal(line: string, more: Partial<LineOptions> = {}) {
  try {
    parse(line, more)
  } catch (error) {
    if (error instanceof AppError) {
      const { kind, code, field, message, issues } = error
      return { kind, code, field, message, issues: issues.length }
    }
    throw error
  }
  throw new Error(`${line} is accepted`)
}

const ids = (prefix: string, ...at: number[]) => at.map((one) => idOf(prefix, one))
const text = (value: string): Condition => ({ field: 'text', op: 'contains', value })
const is = (field: string, value: unknown) => ({ field, op: 'is', value })
const isEmpty = (field: string) => ({ field, op: 'isEmpty' })

describe('a term', () => {
  test.each<[string, unknown]>([
    ['rewe', text('rewe')],
    ['"blue bottle"', text('blue bottle')],
    ['-term', { not: text('term') }],
    ['-"two words"', { not: text('two words') }],
    ['--x', { not: text('-x') }],
    ['3,50', text('3,50')],
    ['"a","b"', { any: [text('a'), text('b')] }],
    ['"a OR b"', text('a OR b')],
    ['"payee:x"', text('payee:x')],
    ['a OR b', { all: [text('a'), text('OR'), text('b')] }],
    ['(a)', text('(a)')],
    ['  rewe\u00a0\tcity ', { all: [text('rewe'), text('city')] }],
    ['amount:20', is('amount', '20')],
    ['amount>20', { field: 'amount', op: 'above', value: '20' }],
    ['amount>=20.5', { field: 'amount', op: 'from', value: '20.5' }],
    ['amount<20', { field: 'amount', op: 'below', value: '20' }],
    ['amount<=20', { field: 'amount', op: 'to', value: '20' }],
    ['amount:10..50', { field: 'amount', op: 'between', value: ['10', '50'] }],
    [
      'amount:10,20..30',
      { any: [is('amount', '10'), { field: 'amount', op: 'between', value: ['20', '30'] }] },
    ],
    ['amount:12.345', is('amount', '12.345')],
    ['AMOUNT>20', { field: 'amount', op: 'above', value: '20' }],
    ['date:2026-10-03', is('date', '2026-10-03')],
    ['date:2026-10', { field: 'date', op: 'between', value: ['2026-10-01', '2026-10-31'] }],
    ['date:2024-02', { field: 'date', op: 'between', value: ['2024-02-01', '2024-02-29'] }],
    ['date:2026', { field: 'date', op: 'between', value: ['2026-01-01', '2026-12-31'] }],
    ['date:2026-q3', { field: 'date', op: 'between', value: ['2026-07-01', '2026-09-30'] }],
    ['date:lastmonth', is('date', 'lastMonth')],
    ['date:last30Days', is('date', 'last30Days')],
    ['date>=2026-10', { field: 'date', op: 'from', value: '2026-10' }],
    ['date<thisYear', { field: 'date', op: 'below', value: 'thisYear' }],
    [
      'date:2026-01..2026-03-15',
      { field: 'date', op: 'between', value: ['2026-01', '2026-03-15'] },
    ],
    ['kind:Expense', is('kind', 'expense')],
    ['status:pending,uncleared', { field: 'status', op: 'oneOf', value: ['pending', 'uncleared'] }],
    ['source:import', is('source', 'import')],
    ['currency:eur,BHD', { field: 'currency', op: 'oneOf', value: ['EUR', 'BHD'] }],
    ['description:rent', { field: 'description', op: 'contains', value: 'rent' }],
    ['raw:"AB 12"', { field: 'payeeRaw', op: 'contains', value: 'AB 12' }],
    [
      'note:a,"b,c"',
      {
        any: [
          { field: 'note', op: 'contains', value: 'a' },
          { field: 'note', op: 'contains', value: 'b,c' },
        ],
      },
    ],
    ['is:reviewed', is('reviewed', true)],
    ['is:private', is('private', true)],
    ['is:split', is('isSplit', true)],
    ['-is:uncategorised', { not: is('uncategorised', true) }],
    ['has:attachment', is('hasAttachment', true)],
    ['has:note', { not: isEmpty('note') }],
    ['-has:payee', isEmpty('payeeId')],
    ['has:tag,category', { any: [{ not: isEmpty('tagId') }, { not: isEmpty('categoryId') }] }],
    ['by:me', is('createdBy', USER)],
    [`by:${idOf('usr', 2)}`, is('createdBy', idOf('usr', 2))],
    ['meta.Trip:Dublin', { field: 'metadata', op: 'is', value: { key: 'Trip', value: 'Dublin' } }],
    ['META.trip:*', { field: 'metadata', op: 'exists', value: { key: 'trip' } }],
    ['meta.a.b:"*"', { field: 'metadata', op: 'is', value: { key: 'a.b', value: '*' } }],
    ['meta.trip:""', { field: 'metadata', op: 'is', value: { key: 'trip', value: '' } }],
  ])('%s', (line, condition) => {
    expect(parse(line)).toEqual(condition)
  })

  test.each<[string, unknown]>([
    [
      'payee:"Blue Bottle" amount>20 date:2026-10 -tag:x',
      {
        all: [
          { field: 'payeeId', op: 'oneOf', value: ids('pay', 0, 3) },
          { field: 'amount', op: 'above', value: '20' },
          { field: 'date', op: 'between', value: ['2026-10-01', '2026-10-31'] },
          { not: { field: 'tagId', op: 'oneOf', value: ids('tag', 0) } },
        ],
      },
    ],
    [
      'kind:expense status:pending,uncleared',
      {
        all: [
          is('kind', 'expense'),
          { field: 'status', op: 'oneOf', value: ['pending', 'uncleared'] },
        ],
      },
    ],
    ['tag:none -kind:transfer', { all: [isEmpty('tagId'), { not: is('kind', 'transfer') }] }],
  ])('of several: %s', (line, condition) => {
    expect(parse(line)).toEqual(condition)
  })
})

describe('a name', () => {
  test.each<[string, unknown]>([
    ['payee:rewe', { field: 'payeeId', op: 'oneOf', value: ids('pay', 1) }],
    ['payee:rew', { field: 'payeeId', op: 'oneOf', value: ids('pay', 1, 2) }],
    ['payee:cafe', { field: 'payeeId', op: 'oneOf', value: ids('pay', 4) }],
    ['payee:rew,REWE,"rewe city"', { field: 'payeeId', op: 'oneOf', value: ids('pay', 1, 2) }],
    [`payee:${idOf('pay', 7)}`, { field: 'payeeId', op: 'oneOf', value: ids('pay', 7) }],
    ['account:current', { field: 'accountId', op: 'oneOf', value: ids('acc', 1) }],
    ['tag:"none"', { field: 'tagId', op: 'oneOf', value: ids('tag', 1) }],
    [
      'tag:NONE,x',
      { any: [isEmpty('tagId'), { field: 'tagId', op: 'oneOf', value: ids('tag', 0) }] },
    ],
    ['-tag:none', { not: isEmpty('tagId') }],
    ['category:food', { field: 'categoryId', op: 'within', value: ids('cat', 0) }],
    ['category:none', isEmpty('categoryId')],
  ])('%s', (line, condition) => {
    expect(parse(line)).toEqual(condition)
  })

  test('of a category lists its subcategories for a rule', () => {
    const oneOf = (...at: number[]) => ({
      field: 'categoryId',
      op: 'oneOf',
      value: ids('cat', ...at),
    })
    expect(parse('category:food', { isRule: true })).toEqual(oneOf(0, 1, 2))
    expect(parse(`category:${idOf('cat', 1)}`, { isRule: true })).toEqual(oneOf(1, 2))
    expect(parse('category:none', { isRule: true })).toEqual(isEmpty('categoryId'))
  })

  test('is needed of the kinds that a line names', () => {
    const needed = (line: string, isRule = false) => {
      const options = { userId: USER, isRule }
      return namesNeeded(readLine(line, options), options)
    }
    expect(needed('rewe amount>5 tag:none')).toEqual([])
    expect(needed('payee:a -payee:b account:none')).toEqual(['payee', 'account'])
    expect(needed(`payee:${idOf('pay', 1)} category:${idOf('cat', 1)}`)).toEqual([])
    expect(needed(`payee:${idOf('pay', 1)} category:${idOf('cat', 1)}`, true)).toEqual(['category'])
  })

  test('that nothing has is refused with similar ones', () => {
    expect(refusal('payee:Rwe')).toEqual({
      kind: 'invalid',
      code: 'search.unknownName',
      field: 'q',
      message:
        '“payee:Rwe”: no payee that you see is named “Rwe” or has a name that begins with it. Similar names: “REWE”, “REWE City”.',
      issues: 1,
    })
    expect(refusal('payee:bottle').message).toContain(
      'Similar names: “Blue Bottle”, “blue  bottle”.',
    )
    expect(refusal('account:"quite different"').message).toMatch(/begins with it\.$/)
    expect(refusal('account:none').code).toBe('search.unknownName')
    expect(() => conditionOf(readLine('tag:x', { userId: USER }), {}, { userId: USER })).toThrow(
      'no tag that you see',
    )
  })

  test('that fits more than a list can hold is refused', () => {
    const options = { userId: USER }
    const many = named('pay', ...Array.from({ length: 101 }, (_, at) => `Shop ${at}`))
    const find = (payee: typeof many) =>
      conditionOf(readLine('payee:shop', options), { payee }, options)
    expect(() => find(many)).toThrow('“payee:shop” fits more than 100 names.')
    expect(find(many.slice(1))).toMatchObject({ op: 'oneOf' })
  })
})

describe('a line is refused', () => {
  test.each([
    ['foo:bar', 'search.unknownField', 'The fields are account, payee,'],
    ['http://x', 'search.unknownField', '“http://x”'],
    ['12:30', 'search.unknownField', 'Put text in quotes'],
    [':x', 'search.unknownField', '“:x”'],
    ['meta.:x', 'search.unknownField', 'meta.key'],
    ['toString:x', 'search.unknownField', ''],
    ['', 'search.malformed', 'Enter at least one word or field.'],
    [' \t ', 'search.malformed', 'Enter at least one word or field.'],
    ['-', 'search.malformed', '“-” cannot be read. The value must contain a letter or a number.'],
    ['"..."', 'search.malformed', 'The value must contain a letter or a number.'],
    ['""', 'search.malformed', 'The value must contain a letter or a number.'],
    ['payee:"Blue Bottle', 'search.malformed', 'A quotation mark is missing.'],
    ['"open', 'search.malformed', '“"open” cannot be read. A quotation mark is missing.'],
    ['a"b"', 'search.malformed', 'quotation marks around a whole text'],
    ['payee:"a"b', 'search.malformed', 'quotation marks around a whole text'],
    ['payee:', 'search.malformed', 'Write field:value'],
    ['payee:a,,b', 'search.malformed', 'Write field:value'],
    ['payee:★', 'search.malformed', 'must contain a letter or a number'],
    ['date:2026-02-30', 'search.malformed', 'The value must be a date'],
    ['date:2026-02..', 'search.malformed', 'The value must be a date'],
    ['amount>x', 'search.malformed', 'The value must be an amount'],
    ['amount:-5', 'search.malformed', 'without a sign'],
    ['amount:1..2..3', 'search.malformed', 'The value must be an amount'],
    ['amount>1,2', 'search.malformed', 'with one value'],
    ['payee>x', 'search.malformed', 'Only amount and date take >'],
    ['kind:cash', 'search.malformed', 'The value must be one of expense,'],
    ['currency:XXQ', 'search.malformed', 'The value must be the code of a currency'],
    ['is:constructor', 'search.malformed', 'one of reviewed, private, split, uncategorised.'],
    ['is:paid', 'search.malformed', 'one of reviewed, private, split, uncategorised.'],
    ['has:toString', 'search.malformed', 'one of attachment,'],
    ['by:them', 'search.malformed', 'usr_'],
    ['by:"me"', 'search.malformed', 'usr_'],
    ['note:!', 'search.malformed', 'must contain a letter or a number'],
    ['amount:1,2,3,4,5,6,7,8,9,10,11 note:a,b,c,d,e,f,g,h,i,j', 'search.malformed', 'more than 20'],
  ])('%s', (line, code, message) => {
    const refused = refusal(line)
    expect(refused).toMatchObject({ kind: 'invalid', code, field: 'q' })
    expect(refused.message).toContain(message)
  })

  test('with all of its problems, in the field of the request', () => {
    expect(refusal('foo:1 rewe amount>x', { field: 'filter.q' })).toMatchObject({
      code: 'search.unknownField',
      field: 'filter.q',
      issues: 2,
    })
    expect(refusal('payee:qqq tag:qqq', { field: 'filter.q' })).toMatchObject({
      field: 'filter.q',
      issues: 2,
    })
  })

  test('for a rule where rules do not know the comparison', () => {
    expect(refusal('has:attachment', { isRule: true })).toMatchObject({
      code: 'search.malformed',
      field: 'q',
    })
    expect(refusal('by:me', { isRule: true }).message).toContain('Rules cannot ask for createdBy.')
  })
})

test('its terms are counted, whether they can be read or not', () => {
  expect(termsIn('a  "b c" payee:"d e",f -"g h" "open end')).toEqual([
    'a',
    '"b c"',
    'payee:"d e",f',
    '-"g h"',
    '"open',
    'end',
  ])
})
