import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountBalance,
  getAccountByID,
  updateAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { getNetWorth } from '../../../src/areas/insight/reports/reports.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createValuation,
  deleteValuation,
  getValuation,
  listValuations,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { close, refusal, tripsOf } from '../transactions/booking.ts'

async function newFlat(wanted: Parameters<typeof newAccount>[1] = {}) {
  const me = await newUser()
  const bought = { openingBalance: '200000', openingDate: '2026-01-01' }
  const flat = await newAccount(me, { type: 'property', ...bought, ...wanted })
  const state = (date: string, value: string) =>
    ok(createValuation, { as: me, json: { accountId: flat.id, date, value } })
  const on = async (date: string) =>
    (await ok(getAccountBalance, { as: me, id: flat.id, query: { date } })).balance
  const now = async ({ id }: { id: string }) => {
    const { value, balance, difference } = await ok(getValuation, { as: me, id })
    return [value, balance, difference]
  }
  return { me, flat, state, on, now }
}

const adjustments = async (as: Principal) =>
  (await ok(listTransactions, { as, query: { kind: 'adjustment' } })).transactions

describe('a valuation', () => {
  it('books what the balance of its day differs by, and shows in the history of the account', async () => {
    const { me, flat, on } = await newFlat()
    const json = { accountId: flat.id, date: '2026-06-30', value: '215000', note: 'Appraised' }
    const created = await call(createValuation, { as: me, json })
    expect([created.status, tripsOf(created)]).toEqual([201, 2])
    expect(created.body).toMatchObject({
      accountId: flat.id,
      date: '2026-06-30',
      currency: 'EUR',
      value: '215000.00',
      balance: '215000.00',
      difference: '0.00',
      note: 'Appraised',
      version: 1,
    })
    const got = await call(getValuation, { as: me, id: created.body.id })
    expect(got.body).toEqual(created.body)
    expect(tripsOf(got)).toBe(1)
    const transaction = await ok(getTransaction, {
      as: me,
      id: created.body.transactionId ?? '',
    })
    expect(transaction).toMatchObject({
      kind: 'adjustment',
      signedAmount: '15000.00',
      date: '2026-06-30',
      status: 'cleared',
    })
    expect([await on('2026-06-29'), await on('2026-06-30')]).toEqual(['200000.00', '215000.00'])
    const [record] = await ok(getAccountHistory, { as: me })
    expect(record).toMatchObject({
      type: 'balanceAdjusted',
      date: '2026-06-30',
      change: '15000.00',
      balanceAfter: '215000.00',
      transactionId: transaction.id,
    })
    const worth = await ok(getNetWorth, { as: me, query: { date: '2026-06-30' } })
    expect(worth.totals.netWorth).toBe('215000.00')
  })

  it('books nothing when nothing differs', async () => {
    const { me, state } = await newFlat()
    const { transactionId, difference } = await state('2026-02-01', '200000')
    expect([transactionId, difference]).toEqual([null, '0.00'])
    expect(await adjustments(me)).toEqual([])
    expect(await ok(getAccountHistory, { as: me })).toHaveLength(1)
  })

  it('that comes before another keeps the later one true, whose adjustment takes it back', async () => {
    const { me, flat, state, on } = await newFlat()
    const later = await state('2026-12-31', '230000')
    const earlier = await state('2026-06-30', '210000')
    expect([await on('2026-06-30'), await on('2026-12-31')]).toEqual(['210000.00', '230000.00'])
    expect((await adjustments(me)).map(({ signedAmount }) => signedAmount)).toEqual([
      '20000.00',
      '10000.00',
    ])
    // The later row is as it was; the balance of today did not change either.
    expect(await ok(getValuation, { as: me, id: later.id })).toEqual(later)
    expect((await ok(getAccountByID, { as: me, id: flat.id })).balance).toBe('230000.00')
    const [second, first] = await ok(getAccountHistory, { as: me })
    expect(first).toMatchObject({
      ...{ type: 'balanceAdjusted', transactionId: earlier.transactionId, date: '2026-06-30' },
      ...{ change: '10000.00', balanceAfter: '240000.00' },
    })
    expect(second).toMatchObject({
      ...{ type: 'balanceAdjusted', transactionId: later.transactionId, date: '2026-12-31' },
      ...{ change: '-10000.00', balanceAfter: '230000.00' },
    })
    await ok(updateValuation, { as: me, id: earlier.id, json: { value: '230000' } })
    expect([await on('2026-06-30'), await on('2026-12-31')]).toEqual(['230000.00', '230000.00'])
    // Nothing is left for the later one to book.
    expect((await ok(getValuation, { as: me, id: later.id })).transactionId).toBeNull()
    const moved = { date: '2027-03-01', value: '190000' }
    await ok(updateValuation, { as: me, id: earlier.id, json: moved })
    expect([await on('2026-06-30'), await on('2026-12-31'), await on('2027-03-01')]).toEqual([
      '200000.00',
      '230000.00',
      '190000.00',
    ])
    await ok(deleteValuation, { as: me, id: later.id })
    expect([await on('2026-12-31'), await on('2027-03-01')]).toEqual(['200000.00', '190000.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('tells what was booked or changed by hand since, and is true again once it is changed', async () => {
    const { me, flat, state, on, now } = await newFlat()
    const stated = await state('2026-06-30', '210000')
    const id = stated.transactionId ?? ''
    const repair = { kind: 'expense', accountId: flat.id, amount: '5000' } as const
    await ok(createTransaction, { as: me, json: { ...repair, date: '2026-07-01' } })
    expect(await now(stated)).toEqual(['210000.00', '210000.00', '0.00'])
    await ok(createTransaction, { as: me, json: { ...repair, date: '2026-06-30' } })
    expect(await now(stated)).toEqual(['210000.00', '205000.00', '-5000.00'])
    const heal = () => ok(updateValuation, { as: me, id: stated.id, json: {} })
    expect((await heal()).difference).toBe('0.00')
    expect(await now(stated)).toEqual(['210000.00', '210000.00', '0.00'])
    await ok(updateTransaction, { as: me, id, json: { amount: '1' } })
    expect((await now(stated))[2]).toBe('-14999.00')
    expect((await heal()).transactionId).toBe(id)
    await ok(deleteTransaction, { as: me, id })
    expect((await now(stated))[2]).toBe('-15000.00')
    const renewed = await heal()
    expect(renewed.transactionId).not.toBe(id)
    // What is moved to another day by hand is the user's own booking from then on.
    const moved = { as: me, id: renewed.transactionId ?? '', json: { date: '2026-06-01' } }
    await ok(updateTransaction, moved)
    expect((await heal()).difference).toBe('0.00')
    expect([await on('2026-05-31'), await on('2026-06-01'), await on('2026-06-30')]).toEqual([
      '200000.00',
      '215000.00',
      '210000.00',
    ])
    await ok(deleteValuation, { as: me, id: stated.id })
    expect(await on('2026-06-01')).toBe('215000.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it.each([
    ['JPY', '30000000', '31000000'],
    ['KWD', '90000.125', '90000.126'],
    ['CLF', '3000.0001', '2999.9999'],
  ])('is exact in %s', async (currency, openingBalance, value) => {
    const { state, on } = await newFlat({ currency, openingBalance })
    const stated = await state('2026-06-30', value)
    expect([stated.value, stated.balance, await on('2026-06-30')]).toEqual([value, value, value])
  })

  it('of what is owed is negative', async () => {
    const { state, on } = await newFlat({ type: 'mortgage', openingBalance: '-150000' })
    await state('2026-06-30', '-140000.50')
    expect(await on('2026-06-30')).toBe('-140000.50')
  })
})

describe('valuations', () => {
  it('are listed newest first, by account and span, page by page', async () => {
    const { me, flat, state } = await newFlat()
    const other = await newAccount(me, { type: 'vehicle' })
    const days = ['2026-01-31', '2026-03-31', '2026-02-28']
    for (const date of days) {
      await state(date, '1')
    }
    const json = { accountId: other.id, date: '2026-02-28', value: '9' }
    await ok(createValuation, { as: me, json })
    const listed = async (query: Record<string, string | number>) => {
      const answer = await call(listValuations, { as: me, query })
      expect(tripsOf(answer)).toBe(1)
      return answer.body
    }
    const all = await listed({})
    expect([all.count, all.valuations.map(({ date }) => date)]).toEqual([
      4,
      ['2026-03-31', '2026-02-28', '2026-02-28', '2026-01-31'],
    ])
    const first = await listed({ limit: 2 })
    const second = await listed({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.valuations, ...second.valuations]).toEqual(all.valuations)
    expect(second.nextCursor).toBeNull()
    const some = await listed({ accountId: flat.id, from: '2026-02-01', to: '2026-02-28' })
    expect(some.valuations.map(({ date, value }) => [date, value])).toEqual([
      ['2026-02-28', '1.00'],
    ])
  })

  it('are refused on budget accounts, closed ones, foreign ones and days that have one', async () => {
    const [{ me, flat, state }, foreign] = [await newFlat(), await newFlat()]
    const everyday = await newAccount(me)
    const stated = await state('2026-06-30', '210000')
    const json = { accountId: flat.id, date: '2026-06-30', value: '1' }
    const post = async (changed: Partial<typeof json>) =>
      refusal(await call(createValuation, { as: me, json: { ...json, ...changed } }))
    expect(await post({ accountId: everyday.id })).toEqual([
      409,
      'valuations.onBudget',
      'accountId',
    ])
    expect(await post({ accountId: foreign.flat.id })).toEqual([
      400,
      'valuations.unknownAccount',
      'accountId',
    ])
    expect(await post({})).toEqual([409, 'valuations.dayTaken', 'date'])
    expect(await post({ date: '2026-02-30' })).toEqual([400, 'request.invalid', 'date'])
    expect(await post({ value: '1.234' })).toEqual([400, 'money.tooManyDigits', 'value'])
    const other = await state('2026-07-31', '1')
    const put = async (id: string, changes: object, headers = {}) =>
      refusal(await call(updateValuation, { as: me, id, json: changes, headers }))
    expect(await put(other.id, { date: '2026-06-30' })).toEqual([
      409,
      'valuations.dayTaken',
      'date',
    ])
    expect(await put(stated.id, {}, { 'If-Match': '"7-x"' })).toEqual([412, 'request.stale'])
    const theirs = await foreign.state('2026-06-30', '1')
    const ofTheirs = [
      await call(getValuation, { as: me, id: theirs.id }),
      await call(updateValuation, { as: me, id: theirs.id, json: {} }),
      await call(deleteValuation, { as: me, id: theirs.id }),
    ]
    expect(ofTheirs.map(refusal)).toEqual(ofTheirs.map(() => [404, 'valuations.notFound']))
    await ok(updateAccount, { as: me, id: flat.id, json: { onBudget: true } })
    expect(await put(stated.id, { value: '2' })).toEqual([409, 'valuations.onBudget'])
    await ok(deleteValuation, { as: me, id: other.id })
    await ok(updateAccount, { as: me, id: flat.id, json: { onBudget: false } })
    await close(flat)
    expect(await post({ date: '2026-08-31' })).toEqual([409, 'valuations.accountClosed'])
    expect(await put(stated.id, { value: '2' })).toEqual([409, 'valuations.accountClosed'])
    expect((await ok(updateValuation, { as: me, id: stated.id, json: { note: 'x' } })).note).toBe(
      'x',
    )
  })

  it('change what is reconciled by force only, and the log says so', async () => {
    const { me, state, on } = await newFlat()
    const later = await state('2026-12-31', '230000')
    const id = later.transactionId ?? ''
    await ok(updateTransaction, { as: me, id, json: { status: 'reconciled' } })
    const json = { accountId: later.accountId, date: '2026-06-30', value: '210000' }
    const reconciled = [409, 'valuations.reconciled']
    expect(refusal(await call(createValuation, { as: me, json }))).toEqual(reconciled)
    expect(refusal(await call(deleteValuation, { as: me, id: later.id }))).toEqual(reconciled)
    const earlier = await ok(createValuation, { as: me, json: { ...json, force: true } })
    const [logged] = await rows<{ changes: string }>(
      'SELECT content AS changes FROM log_entries WHERE resource_id = ?',
      earlier.id,
    )
    expect(JSON.parse(logged?.changes ?? '')).toMatchObject({ forced: true })
    await ok(deleteValuation, { as: me, id: later.id, query: { force: 'true' } })
    expect(await on('2026-12-31')).toBe('210000.00')
  })

  it('keep the currency of their account, also where nothing is booked on it any more', async () => {
    const { me, flat, state } = await newFlat({ openingBalance: '0' })
    const { id, transactionId } = await state('2026-06-30', '9')
    // As after thirty days in the trash.
    await ok(deleteTransaction, { as: me, id: transactionId ?? '' })
    await rows('DELETE FROM transactions WHERE id = ?', transactionId)
    expect((await ok(getValuation, { as: me, id })).transactionId).toBeNull()
    const json = { currency: 'JPY' }
    const change = () => call(updateAccount, { as: me, id: flat.id, json })
    expect(refusal(await change())).toEqual([409, 'accounts.currencyFixed', 'currency'])
    await ok(deleteValuation, { as: me, id })
    expect((await change()).body.currency).toBe('JPY')
  })

  it('exist for a restricted token on its accounts only', async () => {
    const { me, flat, state } = await newFlat()
    const other = await newAccount(me, { type: 'vehicle' })
    const mine = await state('2026-06-30', '1')
    const json = { accountId: other.id, date: '2026-06-30', value: '9' }
    const hidden = await ok(createValuation, { as: me, json })
    const as = await giveToken(me, ['valuations.read', 'valuations.write'], [flat.id])
    const { valuations, count } = await ok(listValuations, { as })
    expect([valuations.map(({ id }) => id), count]).toEqual([[mine.id], 1])
    expect((await call(getValuation, { as, id: hidden.id })).status).toBe(404)
    expect((await call(deleteValuation, { as, id: hidden.id })).status).toBe(404)
    expect((await call(createValuation, { as, json })).status).toBe(400)
    await ok(updateValuation, { as, id: mine.id, json: { value: '2' } })
  })
})

describe('while something else happens, a valuation', () => {
  const later = { date: '2026-12-31', value: '230000' }

  it('is refused when the account was booked on before its day', async () => {
    const { me, flat, on } = await newFlat()
    const income = { kind: 'income', accountId: flat.id, date: '2026-03-01', amount: '1' } as const
    const { call: race } = serviceWith({
      meanwhile: () => ok(createTransaction, { as: me, json: income }),
    })
    const json = { accountId: flat.id, ...later }
    expect((await race(createValuation, { as: me, json })).status).toBe(409)
    expect(await on('2026-12-31')).toBe('200001.00')
  })

  it('is refused when another one comes in after it, or the next one is moved or deleted', async () => {
    const { me, flat, state, on } = await newFlat()
    const stated = await state(later.date, later.value)
    const between = { accountId: flat.id, date: '2026-09-30', value: '220000' }
    const meanwhiles = [
      () => ok(updateValuation, { as: me, id: stated.id, json: { date: '2026-11-30' } }),
      () => ok(deleteValuation, { as: me, id: stated.id }),
      () => ok(createValuation, { as: me, json: between }),
    ]
    for (const meanwhile of meanwhiles) {
      const { call: race } = serviceWith({ meanwhile })
      const json = { accountId: flat.id, date: '2026-06-30', value: '210000' }
      const answer = await race(createValuation, { as: me, json })
      expect(answer.status, answer.text).toBe(409)
    }
    expect(await on('2026-06-30')).toBe('200000.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('is refused when the account comes onto the budget', async () => {
    const { me, flat } = await newFlat()
    const { call: race } = serviceWith({
      meanwhile: () => ok(updateAccount, { as: me, id: flat.id, json: { onBudget: true } }),
    })
    const json = { accountId: flat.id, ...later }
    const answer = await race(createValuation, { as: me, json })
    expect(refusal(answer)).toEqual([409, 'valuations.onBudget'])
  })

  it.each(['value', 'note'] as const)(
    'is refused with another %s when its account is deleted',
    async (field) => {
      const { me, flat, state } = await newFlat()
      const { id } = await state(later.date, later.value)
      const { call: race } = serviceWith({
        meanwhile: () => ok(deleteAccount, { as: me, id: flat.id }),
      })
      const answer = await race(updateValuation, { as: me, id, json: { [field]: '1' } })
      expect(refusal(answer)).toEqual([404, 'valuations.accountNotFound'])
    },
  )

  it('is refused when its account is closed', async () => {
    const { me, flat } = await newFlat()
    const { call: race } = serviceWith({ meanwhile: () => close(flat) })
    const answer = await race(createValuation, { as: me, json: { accountId: flat.id, ...later } })
    expect(refusal(answer)).toEqual([409, 'valuations.accountClosed'])
  })

  it('is booked once for a repeated request', async () => {
    const { me, flat } = await newFlat()
    const json = { accountId: flat.id, ...later }
    const asked = { as: me, json, headers: { 'Idempotency-Key': 'once' } }
    const [first, second] = [await call(createValuation, asked), await call(createValuation, asked)]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await adjustments(me)).toHaveLength(1)
  })
})
