import { describe, expect, test } from 'vitest'
import { coffer } from '../../../src/domain/coffer/coffer.ts'
import { checkBroken, checkPieces, readFile, readItems } from '../bank-files/reading.ts'

const LISTS = {
  accounts: [
    {
      id: 'acc_1',
      name: 'Everyday',
      type: 'checking',
      currency: 'EUR',
      openingBalance: '10.00',
      openingDate: '2026-01-01',
      iban: 'DE1',
      number: '1234',
      institution: 'Bank',
    },
    {
      id: 'acc_2',
      name: 'Savings',
      type: 'savings',
      currency: 'EUR',
      openingBalance: '0.00',
      openingDate: '2026-01-01',
      iban: null,
    },
  ],
  categories: [
    { id: 'cat_1', name: 'Food', parentId: null },
    { id: 'cat_2', name: 'Out', parentId: 'cat_1' },
    { id: 'cat_3', name: 'Circle', parentId: 'cat_3' },
  ],
  payees: [{ id: 'pay_1', name: 'Shop' }],
  tags: [{ id: 'tag_1', name: 'Trip' }],
}

const transaction = (id: string, signedAmount: string, more: object = {}) => ({
  id,
  kind: 'expense',
  accountId: 'acc_1',
  date: '2026-03-02',
  time: null,
  amount: signedAmount.replace('-', ''),
  signedAmount,
  currency: 'EUR',
  description: '',
  tagIds: [],
  status: 'cleared',
  splits: [],
  ...more,
})

const documentOf = (...transactions: object[]) =>
  JSON.stringify({ format: 'coffer', version: 1, ...LISTS, transactions, budgets: [{ id: 'b' }] })

const linesOf = (...transactions: object[]) =>
  [
    { type: 'header', format: 'coffer', version: 1 },
    ...Object.entries({ ...LISTS, transactions }).flatMap(([type, list]) =>
      list.map((item) => ({ type, ...item })),
    ),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

const read = (...transactions: object[]) => readFile(coffer, documentOf(...transactions))

describe('an export', () => {
  test('as a document and as lines says the same, but for the numbers of lines', () => {
    const rows = [transaction('txn_1', '-1.50'), transaction('txn_2', '2.00')]
    const document = readFile(coffer, documentOf(...rows))
    const lines = readFile(coffer, `${linesOf(...rows)}\n  \n`)
    expect(lines.rows.map(({ line }) => line)).toEqual([9, 10])
    expect(lines.rows.map((row, at) => ({ ...row, line: at + 1 }))).toEqual(document.rows)
    expect(document.accounts).toEqual([
      {
        key: 'acc_1',
        name: 'Everyday',
        iban: 'DE1',
        number: '1234',
        bank: 'Bank',
        currency: 'EUR',
        type: 'checking',
      },
      { key: 'acc_2', name: 'Savings', currency: 'EUR', type: 'savings' },
    ])
    expect(lines.accounts).toEqual(document.accounts)
    expect(document.statements).toMatchObject([
      { account: 'acc_1', opening: '10.00', openingDate: '2026-01-01' },
      { account: 'acc_2', opening: '0.00' },
    ])
  })

  test('keeps all of a row', () => {
    const { rows } = read(
      transaction('txn_1', '-12.30', {
        time: '08:15',
        payeeId: 'pay_1',
        description: 'Lunch',
        note: 'with B',
        categoryId: 'cat_2',
        tagIds: ['tag_1', 'tag_gone'],
        externalId: 'bank-1',
        originalAmount: '13.00',
        originalCurrency: 'USD',
        rate: '0.946',
        status: 'uncleared',
      }),
    )
    expect(rows).toMatchObject([
      {
        line: 1,
        account: 'acc_1',
        statement: 0,
        date: '2026-03-02',
        time: '08:15:00',
        amount: '-12.3',
        currency: 'EUR',
        payeeRaw: 'Shop',
        description: 'Lunch',
        text: 'Shop Lunch',
        note: 'with B',
        category: ['Food', 'Out'],
        tags: ['Trip'],
        original: { amount: '13', currency: 'USD', rate: '0.946' },
        status: 'uncleared',
        bankId: { scheme: 'coffer', id: 'coffer:txn_1' },
        externalId: 'bank-1',
        raw: { id: 'txn_1', kind: 'expense', signedAmount: '-12.30' },
      },
    ])
  })

  test.each([
    [{ status: 'pending' }, { pending: true }],
    [{ status: 'void' }, { ignored: 'notCompleted' }],
    [{ kind: 'opening' }, { ignored: 'opening' }],
    [{ payeeRaw: 'SHOP 1', payeeId: 'pay_1' }, { payeeRaw: 'SHOP 1' }],
    [
      { originalAmount: '1', originalCurrency: 'USD' },
      { original: { amount: '1', currency: 'USD' } },
    ],
    [{ categoryId: 'cat_3' }, { category: Array.from({ length: 10 }, () => 'Circle') }],
    [
      { transferId: 'trf_1', counterAccountId: 'acc_2' },
      { transfer: { account: 'acc_2', pair: 'trf_1' } },
    ],
    [
      { transferId: 'trf_1', splitId: 'spl_1', counterAccountId: 'acc_2' },
      { transfer: { account: 'acc_2', pair: 'spl_1' } },
    ],
    [{ accountId: 'acc_9' }, { account: 'acc_9' }],
  ])('has a row with %j', (more, expected) => {
    expect(read(transaction('t', '-1', more)).rows).toMatchObject([expected])
  })

  test.each([
    [{ transferId: 'trf_1', counterAccountId: null }, 'transfer'],
    [{ originalAmount: '1', originalCurrency: null }, 'original'],
    [{ id: null }, 'bankId'],
    [{ categoryId: 'cat_gone' }, 'category'],
    [{ accountId: 'acc_9' }, 'statement'],
    [{ tagIds: 'x', time: 'noon' }, 'time'],
  ])('has a row with %j, and so no %s', (more, field) => {
    expect(read(transaction('t', '-1', more)).rows[0]).not.toHaveProperty(field)
  })

  test.each([
    [{ date: null }, 'dateMissing'],
    [{ date: '2026-02-30' }, 'dateInvalid'],
    [{ signedAmount: null }, 'amountMissing'],
    [{ signedAmount: 'x' }, 'money.malformed'],
  ])('has a row that is wrong: %j', (more, code) => {
    expect(read(transaction('t', '-1', more)).rows[0]?.errors).toMatchObject([{ code }])
  })

  test('keeps parts, with the signs of the account', () => {
    const splits = [
      {
        id: 'spl_1',
        amount: '10.00',
        categoryId: 'cat_1',
        note: 'big',
        tagIds: ['tag_1'],
        transfer: null,
      },
      {
        id: 'spl_2',
        amount: '-2.00',
        categoryId: null,
        tagIds: [],
        transfer: { accountId: 'acc_2' },
      },
    ]
    expect(read(transaction('t', '-8.00', { splits })).rows[0]?.parts).toEqual([
      { amount: '-10', description: 'big', category: ['Food'], tags: ['Trip'] },
      { amount: '2', transfer: 'acc_2', pair: 'spl_2' },
    ])
    const { rows } = read(
      transaction('t', '8.00', { splits }),
      transaction('u', '9', { splits: [{}] }),
      transaction('u', 'x', { splits }),
    )
    expect(
      rows.map(({ parts, errors }) => [
        parts.map(({ amount }) => amount),
        errors.map(({ code }) => code),
      ]),
    ).toEqual([
      [['10', '-2'], []],
      [['0'], ['partsDoNotSum']],
      [[], ['money.malformed']],
    ])
  })

  test('may name the type of an account apart from that of its line', () => {
    const text = `${JSON.stringify({ type: 'header', format: 'coffer', version: 1 })}\n${JSON.stringify({ type: 'accounts', id: 'a', accountType: 'cash', openingBalance: '1' })}\n${JSON.stringify({ type: 'account', id: 'b', openingBalance: '1' })}`
    expect(readFile(coffer, text).accounts).toEqual([{ key: 'a', type: 'cash' }, { key: 'b' }])
  })
})

describe('a file that is refused', () => {
  const lines = linesOf(transaction('t', '1'))

  test.each([
    ['is empty', '', 'imports.malformed'],
    ['is something else', 'x'.repeat(5_000), 'imports.malformed'],
    ['is of a newer version', '{"format":"coffer","version":2}', 'imports.malformed'],
    [
      'has lines of a newer version',
      '{"type":"header","format":"coffer","version":2}\n',
      'imports.malformed',
    ],
    ['broke off', documentOf().slice(0, -2), 'imports.truncated'],
    ['broke off in a line', lines.slice(0, -3), 'imports.truncated'],
    ['has a bad line', lines.replace('"categories"', 'categories'), 'imports.malformed'],
    ['is no JSON', documentOf().replace('[', '('), 'imports.malformed'],
  ])('%s', (_, text, code) => {
    expect(() => readItems(coffer, [text])).toThrow(expect.objectContaining({ code }))
  })
})

const ROWS = [
  transaction('t', '-1.00', { description: 'ä\u2028' }),
  transaction('u', '2', { tagIds: ['tag_1'] }),
]

test.each([documentOf(...ROWS), linesOf(...ROWS)])(
  'says the same in pieces of any length %#',
  (text) => {
    expect(() => checkPieces(coffer, text)).not.toThrow()
    expect(() => checkBroken(coffer, text)).not.toThrow()
  },
)

test('is recognised', () => {
  const heads = [documentOf(), linesOf(), '{"format": "other"}', '{"type":"accounts"}']
  expect(heads.map((head) => coffer.recognises(head))).toEqual([1, 1, 0, 0])
})
