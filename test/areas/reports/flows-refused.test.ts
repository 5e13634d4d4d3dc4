import { beforeAll, expect, it } from 'vitest'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { call, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'

let me: TestUser
let foreign: string

beforeAll(async () => {
  me = await newUser({ baseCurrency: 'EUR' })
  foreign = (await newAccount(await newUser())).id
})

const YEAR = { from: '2026-01-01', to: '2026-12-31' }

it.each([
  ['from alone', { from: '2026-01-01' }, 'reports.spanInvalid', 'to'],
  ['to alone', { to: '2026-01-01' }, 'reports.spanInvalid', 'from'],
  ['days and a period', { ...YEAR, period: '2026' }, 'reports.spanInvalid', 'period'],
  ['an unknown period', { period: 'nextMonth' }, 'reports.spanInvalid', 'period'],
  ['a period that is none', { period: '2026-13' }, 'reports.spanInvalid', 'period'],
  [
    'a span that is reversed',
    { from: '2026-02-01', to: '2026-01-01' },
    'reports.spanInvalid',
    'to',
  ],
  [
    'days over 400 days',
    { from: '2025-01-01', to: '2026-02-05', interval: 'day' },
    'reports.spanTooLong',
    'interval',
  ],
  [
    'weeks over 400 days',
    { from: '2024-01-01', to: '2026-02-05', interval: 'week' },
    'reports.spanTooLong',
    'interval',
  ],
  ['more than 50 years', { from: '1970-01-15', to: '2020-01-15' }, 'reports.tooManyPoints', 'to'],
  ['a currency that is none', { currency: 'XXY' }, 'request.invalid', 'currency'],
  [
    'an account that never was',
    { accountIds: 'acc_00000000000000000000000000' },
    'reports.unknownAccount',
    'accountIds',
  ],
] as const)('refuses %s', async (_, query, code, field) => {
  for (const route of [getIncomeStatement, getSpending, getCashFlow] as const) {
    const { status, error } = await call(route, { as: me, query })
    expect([status, error.code, error.field]).toEqual([400, code, field])
  }
})

it('names the periods where one is unknown', async () => {
  const { error } = await call(getSpending, { as: me, query: { period: 'thisyear' } })
  expect(error.error).toBe(
    'The span of the report is not valid: period must be one of today, thisWeek, lastWeek, thisMonth, lastMonth, thisQuarter, lastQuarter, thisYear, lastYear, last7Days, last30Days, last90Days, last365Days, last3Months, last12Months, yearToDate, a year such as 2026, a quarter such as 2026-Q3, or a month such as 2026-03.',
  )
})

it('takes what just fits', async () => {
  const spans = [
    { from: '2025-01-01', to: '2026-02-04', interval: 'day' as const },
    { from: '1970-01-15', to: '2020-01-14', interval: 'year' as const },
  ]
  for (const query of spans) {
    expect((await call(getIncomeStatement, { as: me, query })).status).toBe(200)
  }
})

it('refuses an account of somebody else like one that never was', async () => {
  const { error } = await call(getSpending, { as: me, query: { accountIds: foreign } })
  expect([error.code, error.error]).toEqual([
    'reports.unknownAccount',
    `The account ${foreign} does not exist, or you do not see it.`,
  ])
})

it('a cash flow has no breakdown and no condition', async () => {
  for (const name of ['by', 'q', 'condition', 'limit']) {
    const query = { [name]: 'category' } as Record<string, string>
    const { status, error } = await call(getCashFlow, { as: me, query })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', name])
  }
})

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

it('refuses more amounts in other currencies, and more lines, than it takes', async () => {
  const { id: accountId } = await newAccount(me, { currency: 'USD' })
  const { id: other } = await newAccount(me, { currency: 'EUR' })
  await rows(
    `${numbers(20_001)} INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, entry_count)
      SELECT ?, 'day', '2026-01-01', 'expense', 'cat_' || i, '', -1, 1 FROM n`,
    accountId,
  )
  const ask = (query: Record<string, string>) =>
    call(getIncomeStatement, { as: me, query: { ...YEAR, ...query } })
  const { error } = await ask({ currency: 'EUR' })
  expect(error).toMatchObject({
    code: 'reports.tooManyAmounts',
    error:
      'The report would convert more than 20000 amounts of accounts in other currencies. Choose a shorter span or fewer accounts, or, except in charts, currency=none.',
  })
  expect((await ask({ currency: 'none' })).status).toBe(200)
  expect((await ask({ currency: 'USD' })).status).toBe(200)
  await rows(
    `${numbers(25_001)} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      SELECT 'txn_many' || i, ?, 'expense', '2026-02-01', 'user', ?, 0, 0 FROM n`,
    me.id,
    me.id,
  )
  await rows(
    `${numbers(25_001)} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      SELECT 'txn_many' || i, line, ?, ?, iif(line = 1, 'account', 'expense'), '2026-02-01', iif(line = 1, -1, 1), 'EUR', 'cleared'
      FROM n, (SELECT 1 AS line UNION ALL SELECT 2)`,
    me.id,
    other,
  )
  const many = await call(getSpending, {
    as: me,
    query: { ...YEAR, by: 'payee', currency: 'none' },
  })
  expect(many.error.code).toBe('reports.tooManyRows')
  const without = await call(getSpending, { as: me, query: { ...YEAR, currency: 'none' } })
  expect(without.status).toBe(200)
})

it('refuses more figures than an answer should have', async () => {
  const ada = await newUser({ baseCurrency: 'EUR' })
  const { id: accountId } = await newAccount(ada)
  await rows(
    `${numbers(250)} INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id, amount_minor, entry_count)
      SELECT ?, 'month', '2026-01', 'expense', 'cat_' || i, '', -1, 1 FROM n`,
    accountId,
  )
  const span = { from: '1980-01-01', to: '2029-12-31' }
  for (const route of [getIncomeStatement, getSpending] as const) {
    const ask = (interval: 'month' | 'year') =>
      call(route, { as: ada, query: { ...span, interval } })
    const { error } = await ask('month')
    expect([error.code, error.field]).toEqual(['reports.tooManyPoints', 'interval'])
    expect((await ask('year')).status).toBe(200)
  }
})

it('reports to a receiver whatever number of private transactions there is', async () => {
  const [ada, ben] = [await newUser(), await newUser()]
  const account = await newAccount(ada)
  await share(ada, account, ben, { permission: 'view' })
  await rows(
    `${numbers(25_001)} INSERT INTO transactions (id, owner_id, kind, date, source, private, created_by, created_at, updated_at)
      SELECT 'txn_own' || i, ?, 'expense', '2026-02-01', 'user', 1, ?, 0, 0 FROM n`,
    ada.id,
    ada.id,
  )
  await rows(
    `${numbers(25_001)} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      SELECT 'txn_own' || i, line, ?, ?, iif(line = 1, 'account', 'expense'), '2026-02-01', iif(line = 1, -1, 1), ?, 'cleared'
      FROM n, (SELECT 1 AS line UNION ALL SELECT 2)`,
    ada.id,
    account.id,
    account.currency,
  )
  for (const route of [getIncomeStatement, getSpending, getCashFlow] as const) {
    const { status } = await call(route, { as: ben, query: { ...YEAR, accountIds: account.id } })
    expect(status).toBe(200)
  }
})
