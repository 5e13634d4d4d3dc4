import { describe, expect, test } from 'vitest'
import { newYnabPlan, takeFromApi } from '../../../src/domain/ynab/plan.ts'
import { ynab } from '../../../src/domain/ynab/ynab.ts'
import {
  checkBroken,
  checkPieces,
  readFile,
  readItems,
  triesTooManyRows,
} from '../bank-files/reading.ts'
import { hasRealFiles, realFile } from '../bank-files/real-files.ts'

const row = (id: string, account: string, amount: unknown, more: object = {}) => ({
  id,
  account_id: account,
  date: '2026-03-02',
  amount,
  cleared: 'cleared',
  deleted: false,
  ...more,
})

const PLAN = {
  last_modified_on: '2026-03-31T10:00:00+00:00',
  currency_format: { iso_code: 'EUR', decimal_digits: 2 },
  accounts: [
    { id: 'A', name: 'Checking', type: 'checking', balance: -12_300, deleted: false },
    { id: 'B', name: 'Savings', type: 'savings', balance: 5_000, deleted: false },
    { id: 'C', name: 'Old', type: 'cash', balance: 0, deleted: true },
    { id: 'D', name: 'Odd', balance: 'much' },
  ],
  payees: [
    { id: 'p1', name: 'Shop' },
    { id: 'p2', name: 'Transfer : Savings', transfer_account_id: 'B' },
  ],
  category_groups: [
    { id: 'g1', name: 'Bills' },
    { id: 'g2', name: 'Internal Master Category' },
    { id: 'g3', name: 'Hidden Categories' },
  ],
  categories: [
    { id: 'c1', category_group_id: 'g1', name: 'Rent' },
    { id: 'c2', category_group_id: 'g2', name: 'Inflow: Ready to Assign' },
    { id: 'c3', category_group_id: 'g3', original_category_group_id: 'g1', name: 'Water' },
    { id: 'c4', category_group_id: 'gone', name: 'Loose' },
  ],
  months: [{ month: '2026-03-01', categories: [{ id: 'c1' }] }],
  transactions: [] as object[],
  subtransactions: [] as object[],
}

const read = (change: Partial<typeof PLAN>, wrap = (plan: object): object => ({ budget: plan })) =>
  readFile(ynab, JSON.stringify(wrap({ ...PLAN, ...change })))

describe('a plan', () => {
  test.each([
    (plan: object) => ({ budget: plan }),
    (plan: object) => ({ plan }),
    (plan: object) => ({ data: { budget: plan, server_knowledge: 1 } }),
  ])('has accounts and balances as of its day %#', (wrap) => {
    const { accounts, statements } = read({}, wrap)
    expect(accounts).toEqual([
      { key: 'A', name: 'Checking', type: 'checking', currency: 'EUR' },
      { key: 'B', name: 'Savings', type: 'savings', currency: 'EUR' },
      { key: 'C', name: 'Old', type: 'cash', currency: 'EUR' },
      { key: 'D', name: 'Odd', currency: 'EUR' },
    ])
    expect(statements).toMatchObject([
      { account: 'A', opening: '0', closing: '-12.3', through: '2026-03-31', currency: 'EUR' },
      { account: 'B', opening: '0', closing: '5' },
    ])
  })

  test('has rows', () => {
    const { rows } = read({
      transactions: [
        row('t1', 'A', -12_345, {
          payee_id: 'p1',
          memo: 'March',
          category_id: 'c1',
          cleared: 'uncleared',
          flag_color: 'red',
        }),
        row('t2', 'B', 5_000, {
          category_id: 'c2',
          import_payee_name: 'BANK TEXT',
          date: '2026-04-01',
          flag_name: 'Mine',
        }),
        row('t3', 'A', -1, { category_id: 'c3', deleted: true }),
        row('t4', 'C', -1_000, { category_id: 'c4' }),
        row('t5', 'A', 0, { payee_id: 'gone', import_payee_name_original: 'ORIGINAL' }),
      ],
    })
    expect(rows).toMatchObject([
      {
        line: 1,
        account: 'A',
        statement: 0,
        date: '2026-03-02',
        amount: '-12.345',
        currency: 'EUR',
        payeeRaw: 'Shop',
        description: 'March',
        text: 'Shop March',
        category: ['Bills', 'Rent'],
        status: 'uncleared',
        bankId: { scheme: 'ynab', id: 't1' },
        metadata: { flag: 'red' },
        raw: { id: 't1', date: '2026-03-02', amount: '-12345', payee: 'Shop', memo: 'March' },
      },
      { amount: '5', payeeRaw: 'BANK TEXT', date: '2026-04-01', metadata: { flag: 'Mine' } },
      { amount: '-0.001', ignored: 'deleted', category: ['Bills', 'Water'] },
      { account: 'C', ignored: 'deleted', category: ['Loose'] },
      { ignored: 'zero', payeeRaw: 'ORIGINAL' },
    ])
    expect(rows[1]).not.toHaveProperty('statement')
    expect(rows[1]).not.toHaveProperty('category')
    expect(rows[0]).not.toHaveProperty('transfer')
  })

  test.each([
    [{ date: '' }, 'dateMissing'],
    [{ date: '2026-02-30' }, 'dateInvalid'],
    [{ amount: 1.5 }, 'amountMissing'],
    [{ amount: '1' }, 'amountMissing'],
  ])('has rows that are wrong %#', (more, code) => {
    expect(read({ transactions: [row('t', 'A', 1, more)] }).rows[0]?.errors).toMatchObject([
      { code },
    ])
  })
})

describe('transfers', () => {
  const transfers = (change: Partial<typeof PLAN>) =>
    read(change).rows.map(({ transfer, parts }) => [
      transfer,
      ...parts.map(({ transfer: to, pair }) => [to, pair]),
    ])

  test('are paired by their ids', () => {
    const pair = 't1/t2'
    expect(
      transfers({
        transactions: [
          row('t1', 'A', -5, {
            transfer_account_id: 'B',
            transfer_transaction_id: 't2',
            payee_id: 'p2',
          }),
          row('t2', 'B', 5, { transfer_account_id: 'A', transfer_transaction_id: 't1' }),
        ],
      }),
    ).toEqual([[{ account: 'B', pair }], [{ account: 'A', pair }]])
  })

  test('of parts are paired by the id of the part', () => {
    const found = transfers({
      transactions: [
        row('t1', 'A', -5_000),
        row('t2', 'B', 3_000, { transfer_account_id: 'A', transfer_transaction_id: 't1' }),
      ],
      subtransactions: [
        {
          id: 's1',
          transaction_id: 't1',
          amount: -3_000,
          transfer_account_id: 'B',
          transfer_transaction_id: 't2',
          memo: 'saved',
        },
        {
          id: 's2',
          transaction_id: 't1',
          amount: -2_000,
          category_id: 'c1',
          payee_id: 'p1',
          memo: 'rent',
        },
      ],
    })
    expect(found).toEqual([
      [undefined, ['B', 's1'], [undefined, undefined]],
      [{ account: 'A', pair: 's1' }],
    ])
  })

  test('without ids are paired by what they say', () => {
    const [first, second] = transfers({
      transactions: [row('t1', 'A', -3_000), row('t2', 'B', 3_000, { transfer_account_id: 'A' })],
      subtransactions: [
        { id: 's1', transaction_id: 't1', amount: -3_000, transfer_account_id: 'B' },
      ],
    })
    const [, [, pair]] = first as [unknown, [string, string]]
    expect(pair).toContain('2026-03-02')
    expect(second).toEqual([{ account: 'A', pair }])
  })

  test('may have lost their amount', () => {
    expect(
      transfers({ transactions: [row('t1', 'A', null, { transfer_account_id: 'B' })] }),
    ).toHaveLength(1)
  })
})

describe('parts', () => {
  test('within their transaction, or behind all', () => {
    const parts = [
      { id: 's1', amount: -1_000, category_id: 'c1', payee_id: 'p1', memo: 'x' },
      { id: 's2', amount: -2_000 },
      { id: 's3', amount: -4_000, deleted: true },
    ]
    const within = read({ transactions: [row('t1', 'A', -3_000, { subtransactions: parts })] })
    const behind = read({
      transactions: [row('t1', 'A', -3_000)],
      subtransactions: parts.map((part) => ({ ...part, transaction_id: 't1' })),
    })
    expect(within).toEqual(behind)
    expect(within.rows[0]).toMatchObject({
      parts: [
        { amount: '-1', description: 'Shop x', category: ['Bills', 'Rent'] },
        { amount: '-2' },
      ],
      errors: [],
    })
  })

  test('that do not sum are an error', () => {
    const subtransactions = [{ amount: -1_000 }, { amount: 'x' }]
    expect(
      read({ transactions: [row('t', 'A', -3_000, { subtransactions })] }).rows[0]?.errors,
    ).toEqual([
      {
        code: 'partsDoNotSum',
        column: 'subtransactions',
        message: 'The parts sum to -1, but the amount is -3.',
      },
    ])
    const broken = read({ transactions: [row('t', 'A', 'x', { subtransactions })] })
    expect(broken.rows[0]?.errors).toMatchObject([{ code: 'amountMissing' }])
  })
})

test('the budget file of YNAB 4 is read', () => {
  const { accounts, rows, statements } = readFile(
    ynab,
    JSON.stringify({
      fileMetaData: { entityType: 'fileMetaData' },
      masterCategories: [
        { entityId: 'm1', name: 'Bills', subCategories: [{ entityId: 'c1', name: 'Rent' }] },
      ],
      payees: [{ entityId: 'p1', name: 'Shop' }],
      accounts: [
        { entityId: 'A', accountName: 'Checking', accountType: 'Checking' },
        { entityId: 'B', accountName: 'Gone', accountType: 'Cash', isTombstone: true },
      ],
      monthlyBudgets: [{}],
      transactions: [
        {
          entityId: 't1',
          accountId: 'A',
          date: '2014-03-02',
          amount: -12.35,
          payeeId: 'p1',
          categoryId: 'c1',
          memo: 'x',
          cleared: 'Uncleared',
          flag: 'Red',
          importedPayee: 'SHOP',
        },
        {
          entityId: 't2',
          accountId: 'A',
          date: '2014-03-02',
          amount: -3,
          cleared: 'Reconciled',
          isTombstone: true,
        },
        {
          entityId: 't3',
          accountId: 'A',
          date: '2014-03-02',
          amount: -3,
          subTransactions: [
            { entityId: 's', amount: -3, targetAccountId: 'B', transferTransactionId: 't4' },
          ],
        },
        { entityId: 't4', accountId: 'B', date: '2014-03-02', amount: 'x' },
      ],
    }),
  )
  expect(accounts).toEqual([
    { key: 'A', name: 'Checking', type: 'Checking' },
    { key: 'B', name: 'Gone', type: 'Cash' },
  ])
  expect(statements).toEqual([])
  expect(rows).toMatchObject([
    {
      amount: '-12.35',
      date: '2014-03-02',
      payeeRaw: 'Shop',
      category: ['Bills', 'Rent'],
      status: 'uncleared',
      metadata: { flag: 'Red' },
    },
    { ignored: 'deleted' },
    { parts: [{ amount: '-3', transfer: 'B', pair: 's' }] },
    { ignored: 'deleted', errors: [{ code: 'amountMissing' }] },
  ])
})

const TEXT = JSON.stringify({
  budget: {
    ...PLAN,
    transactions: [
      row('t1', 'A', -1, { memo: 'ä"{', transfer_account_id: 'B' }),
      row('t2', 'B', 1, { transfer_account_id: 'A' }),
    ],
  },
})

describe('a file that is refused', () => {
  test.each([
    ['broke off', TEXT.slice(0, -1), 'imports.truncated'],
    ['is no JSON', TEXT.replace('[', '('), 'imports.malformed'],
    ['has no account', '{"budget":{}}', 'imports.malformed'],
  ])('%s', (_, text, code) => {
    expect(() => readItems(ynab, [text])).toThrow(expect.objectContaining({ code }))
  })

  test.runIf(triesTooManyRows('ynab'))('has many rows', () => {
    const many = `{"budget":{"transactions":[${'{},'.repeat(200_000)}{}]}}`
    expect(() => readItems(ynab, [many])).toThrow(
      expect.objectContaining({ code: 'imports.tooManyRows' }),
    )
  })
})

test('says the same in pieces of any length', () =>
  expect(() => checkPieces(ynab, TEXT)).not.toThrow())

test('a broken file is refused, or read, and nothing else', () =>
  expect(() => checkBroken(ynab, TEXT)).not.toThrow())

test('is recognised', () => {
  const heads = [
    TEXT,
    '{"data": {"plan": {',
    '{\n"masterCategories": [',
    '{"a": 1}',
    '[{"entityId":1}]',
  ]
  expect(heads.map((head) => ynab.recognises(head))).toEqual([1, 1, 0.9, 0, 0])
})

test.runIf(hasRealFiles)('a real plan is read', () => {
  const { rows, statements } = readFile(ynab, realFile('ynab/ynab5-plan-export.json'))
  expect(rows).toHaveLength(9)
  expect(rows.flatMap(({ parts }) => parts)).toHaveLength(2)
  expect(rows.flatMap(({ errors }) => errors)).toEqual([])
  expect(statements.map(({ closing }) => closing)).toEqual(['700', '200'])
  const sums = [0, 1].map((at) =>
    rows
      .filter(({ statement }) => statement === at)
      .reduce((sum, { amount }) => sum + Number(amount), 0),
  )
  expect(sums).toEqual([700, 200])
  const pairs = rows
    .flatMap(({ transfer, parts }) => [transfer?.pair, ...parts.map(({ pair }) => pair)])
    .filter(Boolean)
  expect(pairs).toHaveLength(4)
  expect(new Set(pairs).size).toBe(2)
})

test('words of a plan that are no text are left empty', () => {
  const plan = newYnabPlan()
  takeFromApi(plan, 'last_modified_on', 5)
  takeFromApi(plan, 'currency_format.iso_code', null)
  expect([plan.day, plan.currency]).toEqual(['', ''])
})

test('a transaction has at most ten thousand parts', () => {
  const plan = (count: number) =>
    JSON.stringify({
      plan: {
        accounts: [{ id: 'a', name: 'A', type: 'checking', balance: 0 }],
        transactions: [{ id: 't', account_id: 'a', date: '2026-03-01', amount: -count }],
        subtransactions: Array.from({ length: count }, (_, at) => ({
          ...{ id: `${at}`, transaction_id: 't', amount: -1 },
        })),
      },
    })
  expect(readFile(ynab, plan(10_000)).rows[0]?.parts).toHaveLength(10_000)
  expect(() => readFile(ynab, plan(10_001))).toThrow('more than 10000 parts')
})
