import { describe, expect, it } from 'vitest'
import {
  getAccountDetails,
  getRegister,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { changeBaseCurrency } from '../../../src/areas/money/currencies/currencies.routes.ts'
import {
  createExchangeRate,
  updateExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { listExpenses } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { costOf } from '../../support/sample-parts.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book } from './booking.ts'

const addRate = (as: TestUser, from: string, to: string, date: string, rate: string) =>
  ok(createExchangeRate, { as, json: { from, to, date, rate } })

/** Day, amount, currency, and the amount in euro. */
const BOOKED = [
  ['2026-06-03', '-20.05', 'USD', '-16.04'],
  ['2026-06-03', '5.00', 'USD', '4.00'],
  ['2026-06-05', '-0.01', 'USD', '-0.01'],
  ['2026-06-05', '-0.01', 'USD', '-0.01'],
  ['2026-06-05', '-0.01', 'USD', '-0.01'],
  ['2026-06-12', '-3332', 'JPY', '-20.82'],
  ['2026-06-15', '-12.00', 'EUR', '-12.00'],
  ['2026-06-18', '-2.500', 'BHD', null],
] as const

/** Accounts in four currencies with the bookings, and rates of all but one. */
async function bookAll() {
  const me = await newUser({ baseCurrency: 'EUR' })
  const usd = await addRate(me, 'USD', 'EUR', '2026-06-01', '0.80')
  await addRate(me, 'EUR', 'JPY', '2026-06-01', '160')
  const accounts: Record<string, { id: string }> = {}
  for (const [date, amount, currency] of BOOKED) {
    const account = (accounts[currency] ??= await newAccount(me, { currency }))
    const kind = amount.startsWith('-') ? 'expense' : 'income'
    await book(me, account, { kind, date, amount: amount.replace('-', '') })
  }
  return { me, usd, accounts }
}

const listAll = (as: TestUser, convert: string, more: Record<string, string> = {}) =>
  ok(listTransactions, { as, query: { sort: 'date', totals: 'true', convert, ...more } })

const netOn = async (as: TestUser, day: string) =>
  (await listAll(as, 'base', { from: day, to: day })).convertedTotals?.converted.net

describe('amounts in one currency', () => {
  it('are those of the worked tables', async () => {
    const { me } = await bookAll()
    const { transactions, totals, convertedTotals } = await listAll(me, 'base')
    expect(
      transactions.map((row) => [
        ...[row.date, row.signedAmount, row.currency],
        row.converted === null ? null : row.converted?.amount,
      ]),
    ).toEqual(BOOKED.map((row) => [...row]))
    expect(transactions[0]?.converted).toEqual({
      ...{ amount: '-16.04', currency: 'EUR', rate: '0.8', rateDate: '2026-06-01', stale: false },
    })
    expect(transactions[5]?.converted).toMatchObject({ rate: '0.00625', stale: true })
    expect(transactions[6]?.converted).toMatchObject({ rate: '1', rateDate: null, stale: false })
    expect(convertedTotals).toEqual({
      converted: { currency: 'EUR', inflow: '4.00', outflow: '48.88', net: '-44.88', count: 7 },
      unconverted: [
        {
          ...{ currency: 'BHD', count: 1, inflow: '0.000', outflow: '2.500' },
          ...{ from: '2026-06-18', to: '2026-06-18' },
        },
      ],
    })
    for (const [day, net] of [
      ['2026-06-03', '-12.04'],
      ['2026-06-05', '-0.02'],
      ['2026-06-12', '-20.82'],
      ['2026-06-15', '-12.00'],
      ['2026-06-18', '0.00'],
    ] as const) {
      expect(await netOn(me, day)).toBe(net)
    }
    const plain = await ok(listTransactions, { as: me, query: { totals: 'true' } })
    expect(plain.totals).toEqual(totals)
    expect(JSON.stringify(plain)).not.toContain('converted')
  })

  it('are the same where lines are looked at in place of kept sums, and on each page', async () => {
    const { me } = await bookAll()
    const whole = await listAll(me, 'EUR')
    const { convertedTotals } = await listAll(me, 'EUR', { amountFrom: '0.01' })
    expect(convertedTotals).toEqual(whole.convertedTotals)
    const first = await listAll(me, 'EUR', { amountFrom: '0.01', limit: '5' })
    const cursor = first.nextCursor ?? ''
    const second = await listAll(me, 'EUR', { amountFrom: '0.01', limit: '5', cursor })
    expect([...first.transactions, ...second.transactions]).toEqual(whole.transactions)
    expect(second.convertedTotals).toEqual(whole.convertedTotals)
    const query = { sort: 'date', totals: 'true', convert: 'EUR' }
    const spent = await ok(listExpenses, { as: me, query })
    expect(spent.expenses.map(({ converted }) => converted?.amount)).not.toContain('4.00')
    // The incomes of a day are not among its expenses: -20.05 USD alone.
    expect(spent.convertedTotals?.converted).toMatchObject({ net: '-48.88', count: 6 })
  })

  it('stand in the register, the details, a single transaction and transfers, in one trip', async () => {
    const { me, accounts } = await bookAll()
    const [id = '', to = ''] = [accounts['USD']?.id, accounts['EUR']?.id]
    const query = { convert: 'JPY' }
    // 20.05 USD are 16.04 EUR and 2566.4 JPY.
    const amounts = ['-1', '-1', '-1', '640', '-2566']
    const answers = [
      await call(getRegister, { as: me, id, query }),
      await call(getAccountDetails, { as: me, id, query }),
    ]
    for (const { headers, body } of answers) {
      expect(costOf(headers).trips).toBe(1)
      const shown = body.transactions.map((row) => row.converted)
      expect(shown.map((one) => one?.amount).toSorted()).toEqual(amounts.toSorted())
      expect(shown[0]).toMatchObject({ currency: 'JPY', rate: '128', rateDate: '2026-06-01' })
    }
    const [row] = (await ok(getRegister, { as: me, id })).transactions
    expect(row).not.toHaveProperty('converted')
    const one = await call(getTransaction, { as: me, id: row?.id ?? '', query })
    expect([one.body.converted?.amount, costOf(one.headers).trips]).toEqual(['-1', 1])
    expect(await ok(getTransaction, { as: me, id: row?.id ?? '' })).not.toHaveProperty('converted')
    const json = { fromAccountId: id, toAccountId: to, date: '2026-06-20', amount: '10' }
    await ok(createTransfer, { as: me, json: { ...json, toAmount: '9' } })
    const moved = await call(listTransfers, { as: me, query: { convert: 'base' } })
    const [transfer] = moved.body.transfers
    expect(costOf(moved.headers).trips).toBe(1)
    expect(transfer?.from.converted?.amount).toBe('-8.00')
    expect(transfer?.to.converted?.amount).toBe('9.00')
    expect(transfer?.rate).toBeNull()
    for (const filter of [{}, { amountFrom: '1' }]) {
      const list = { ...filter, totals: 'true', convert: 'base' }
      const { headers } = await call(listTransactions, { as: me, query: list })
      expect(costOf(headers).trips).toBe(1)
    }
  })

  it('of parts add up to that of the whole', async () => {
    const { me, accounts } = await bookAll()
    const parts = ['0.01', '0.01', '-0.01', '0.02', '10.00']
    const { id } = await book(me, accounts['USD'] ?? { id: '' }, {
      ...{ date: '2026-06-09', amount: '10.03', splits: parts.map((amount) => ({ amount })) },
    })
    const read = (convert: string) => ok(getTransaction, { as: me, id, query: { convert } })
    const { converted, splits } = await read('base')
    expect(converted?.amount).toBe('-8.02')
    // Running sums: -0.008, -0.016, -0.008, -0.024 and -8.024.
    expect(splits.map((part) => part.converted)).toEqual([
      ...['-0.01', '-0.01', '0.01', '-0.01', '-8.00'],
    ])
    const missing = await read('BHD')
    expect([missing.converted, ...missing.splits.map((part) => part.converted)]).toEqual(
      Array(6).fill(null),
    )
    expect((await ok(getTransaction, { as: me, id })).splits[0]).not.toHaveProperty('converted')
  })

  it('of the past stay, whatever comes later; a corrected rate or another base needs nothing', async () => {
    const { me, usd } = await bookAll()
    const before = await listAll(me, 'base')
    await addRate(me, 'USD', 'EUR', '2026-06-19', '2')
    await addRate(me, 'BHD', 'EUR', '2026-06-19', '2')
    expect(await listAll(me, 'base')).toEqual(before)
    await addRate(me, 'USD', 'EUR', '2026-06-04', '0.5')
    expect(await netOn(me, '2026-06-03')).toBe('-12.04')
    expect(await netOn(me, '2026-06-05')).toBe('-0.02')
    const headers = { 'If-Match': '*' }
    await ok(updateExchangeRate, { as: me, id: usd.id, json: { rate: '1' }, headers })
    expect(await netOn(me, '2026-06-03')).toBe('-15.05')
    await ok(changeBaseCurrency, { as: me, json: { currency: 'USD' } })
    expect(await netOn(me, '2026-06-15')).toBe('-24.00')
  })

  it('leave out hidden lines of shared accounts, and use the rates of the caller', async () => {
    const { me, accounts } = await bookAll()
    const friend = await newUser({ baseCurrency: 'EUR' })
    const account = accounts['USD'] ?? { id: '' }
    await share(me, account, friend)
    await book(me, account, { date: '2026-06-03', amount: '3', private: true })
    await book(me, account, { date: '2026-06-04', amount: '4', private: true })
    await addRate(friend, 'USD', 'EUR', '2026-06-01', '2')
    const { convertedTotals, count } = await listAll(friend, 'base')
    expect(convertedTotals?.converted).toMatchObject({ net: '-30.16', count: 5 })
    expect(count).toBe(5)
    expect((await listAll(me, 'base')).convertedTotals?.converted.count).toBe(9)
  })

  it('are refused for unknown currencies and too many days', async () => {
    const { me, accounts } = await bookAll()
    for (const convert of ['XXQ', 'Base', 'DEM', '']) {
      const { status, body } = await call(listTransactions, { as: me, query: { convert } })
      expect([status, body]).toMatchObject([400, { issues: [{ field: 'convert' }] }])
    }
    const query = { totals: 'true', convert: 'base', to: '2020-12-31' }
    const add = (days: number, first: string) =>
      rows(
        `INSERT INTO account_periods (account_id, grain, period, entry_count)
          WITH RECURSIVE days(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < ?)
          SELECT ?, 'day', date(?, n || ' days'), 1 FROM days`,
        ...[days - 1, accounts['USD']?.id ?? '', first],
      )
    await add(20_000, '1960-01-01')
    expect((await ok(listTransactions, { as: me, query })).convertedTotals).toMatchObject({
      ...{ converted: { count: 0 }, unconverted: [{ currency: 'USD', count: 20_000 }] },
    })
    await add(1, '1959-01-01')
    expect(await call(listTransactions, { as: me, query })).toMatchObject({
      ...{ status: 400, body: { code: 'transactions.tooManyAmounts', field: 'totals' } },
    })
    const { totals: _, ...untotalled } = query
    expect((await call(listTransactions, { as: me, query: untotalled })).status).toBe(200)
  })
})

/** Rounds a fraction half to even. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n
  const doubled = 2n * sign * numerator
  const up = (doubled + denominator) / (2n * denominator)
  const isTie = (doubled + denominator) % (2n * denominator) === 0n
  return sign * (isTie && up % 2n === 1n ? up - 1n : up)
}

it('agrees with a calculation apart, and rows differ from totals by half a unit for each rounded amount at most', async () => {
  const days = ['2026-05-30', '2026-06-01', '2026-06-02', '2026-06-20', '2026-07-01']
  for (let seed = 1; seed <= 6; seed++) {
    const { pick, whole } = randomFrom(seed)
    const me = await newUser({ baseCurrency: 'EUR' })
    const account = await newAccount(me, { currency: 'USD' })
    const rates = ['2026-06-01', '2026-06-02', '2026-06-10'].map((date) => ({
      ...{ date, cents: BigInt(whole(1, 300)) },
    }))
    for (const { date, cents } of rates) {
      await addRate(me, 'USD', 'EUR', date, (Number(cents) / 100).toFixed(2))
    }
    const booked: { date: string; minor: bigint }[] = []
    for (let count = 0; count < 12; count++) {
      const [date, kind, minor] = [pick(days), pick(['expense', 'income'] as const), whole(1, 99)]
      await book(me, account, { date, kind, amount: (minor / 100).toFixed(2) })
      booked.push({ date, minor: BigInt(kind === 'expense' ? -minor : minor) })
    }
    const into = (date: string, minor: bigint) =>
      rounded(minor * (rates.findLast((rate) => rate.date <= date)?.cents ?? 0n), 100n)
    const known = booked.filter(({ date }) => date >= '2026-06-01')
    const byDay = [...Map.groupBy(known, ({ date }) => date)]
    const sum = (amounts: bigint[]) => amounts.reduce((total, one) => total + one, 0n)
    const net = sum(byDay.map(([date, some]) => into(date, sum(some.map(({ minor }) => minor)))))
    const byRow = sum(known.map(({ date, minor }) => into(date, minor)))
    const { transactions, convertedTotals } = await listAll(me, 'base')
    const shown = transactions.flatMap(({ converted }) => (converted ? [converted.amount] : []))
    const minorOf = (amount = '') => BigInt(amount.replace('.', ''))
    expect(minorOf(convertedTotals?.converted.net), `seed ${seed}`).toBe(net)
    expect(sum(shown.map(minorOf)), `seed ${seed}`).toBe(byRow)
    expect(shown).toHaveLength(known.length)
    const difference = Number(byRow > net ? byRow - net : net - byRow)
    expect(difference).toBeLessThanOrEqual((known.length + byDay.length) / 2)
  }
})
