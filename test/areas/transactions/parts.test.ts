import { describe, expect, it } from 'vitest'
import { getRegister } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listSplits } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, book, expenseOn, newCategory, tripsOf } from './booking.ts'
import { linesOf, newCashBack } from './parts.fixtures.ts'

describe('a part that is a transfer', () => {
  it('is cash back at the till', async () => {
    const { me, everyday, wallet, groceries, whole } = await newCashBack()
    const names = { [everyday.id]: 'Everyday', [wallet.id]: 'Wallet', [groceries.id]: 'Groceries' }
    expect(await linesOf(whole.id, names)).toEqual([
      [1, 'Everyday', 'account', '-37.00', 'EUR', null, null, null],
      [2, 'Everyday', 'expense', '7.00', 'EUR', null, null, 'Groceries'],
      [3, 'Everyday', 'exchange', '30.00', 'EUR', null, '-30.00', 'Wallet'],
      [4, 'Wallet', 'account', '30.00', 'EUR', 3, null, null],
      [5, 'Wallet', 'exchange', '-30.00', 'EUR', 3, '30.00', 'Everyday'],
    ])
    expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual([
      '-37.00',
      '30.00',
    ])
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('is what a payslip pays into a pension', async () => {
    const me = await newUser()
    const [everyday, pension] = [await newAccount(me), await newAccount(me)]
    const [salary, tax] = [await newCategory(me, 'income'), await newCategory(me)]
    const whole = await book(me, everyday, {
      kind: 'income',
      amount: '2400',
      splits: [
        { amount: '3500', categoryId: salary.id },
        { amount: '-800', categoryId: tax.id },
        { amount: '-300', transferAccountId: pension.id, transferStatus: 'cleared' },
      ],
    })
    const names = { [everyday.id]: 'Everyday', [pension.id]: 'Pension' }
    const categories = { [salary.id]: 'Salary', [tax.id]: 'Income tax' }
    expect(await linesOf(whole.id, { ...names, ...categories })).toEqual([
      [1, 'Everyday', 'account', '2400.00', 'EUR', null, null, null],
      [2, 'Everyday', 'income', '-3500.00', 'EUR', null, null, 'Salary'],
      [3, 'Everyday', 'expense', '800.00', 'EUR', null, null, 'Income tax'],
      [4, 'Everyday', 'exchange', '300.00', 'EUR', null, '-300.00', 'Pension'],
      [5, 'Pension', 'account', '300.00', 'EUR', 4, null, null],
      [6, 'Pension', 'exchange', '-300.00', 'EUR', 4, '300.00', 'Everyday'],
    ])
    expect(whole.kind).toBe('income')
    expect(whole.splits[2]?.transfer).toMatchObject({ status: 'cleared', rate: null })
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('is cash in another currency, by what arrives or by a rate', async () => {
    const me = await newUser()
    const [visa, tokyo] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const [food, fees] = [await newCategory(me), await newCategory(me)]
    const names = {
      [visa.id]: 'Visa',
      [tokyo.id]: 'Tokyo',
      [food.id]: 'Food',
      [fees.id]: 'Bank fees',
    }
    for (const arrives of [{ transferAmount: '16200' }, { transferRate: '162' }]) {
      const whole = await book(me, visa, {
        amount: '120',
        splits: [
          { amount: '19.50', categoryId: food.id },
          { amount: '0.50', categoryId: fees.id },
          { amount: '100', transferAccountId: tokyo.id, ...arrives },
        ],
      })
      expect(await linesOf(whole.id, names)).toEqual([
        [1, 'Visa', 'account', '-120.00', 'EUR', null, null, null],
        [2, 'Visa', 'expense', '19.50', 'EUR', null, null, 'Food'],
        [3, 'Visa', 'expense', '0.50', 'EUR', null, null, 'Bank fees'],
        [4, 'Visa', 'exchange', '100.00', 'EUR', null, '-100.00', 'Tokyo'],
        [5, 'Tokyo', 'account', '16200', 'JPY', 4, null, null],
        [6, 'Tokyo', 'exchange', '-16200', 'JPY', 4, '16200', 'Visa'],
      ])
      expect(whole.splits[2]?.transfer).toMatchObject({
        ...{ accountId: tokyo.id, amount: '16200', currency: 'JPY', rate: '162', hidden: false },
      })
    }
    expect(await balanceOf(me, tokyo)).toBe('32400')
    expect(await differencesOf(me)).toEqual([])
  })

  it('is the principal of a loan payment', async () => {
    const me = await newUser()
    const [everyday, mortgage] = [await newAccount(me), await newAccount(me, { type: 'mortgage' })]
    const interest = await newCategory(me)
    const whole = await book(me, everyday, {
      amount: '1500',
      splits: [
        { amount: '992.50', categoryId: interest.id },
        { amount: '507.50', transferAccountId: mortgage.id },
      ],
    })
    const names = {
      [everyday.id]: 'Everyday',
      [mortgage.id]: 'Mortgage',
      [interest.id]: 'Interest',
    }
    expect(await linesOf(whole.id, names)).toEqual([
      [1, 'Everyday', 'account', '-1500.00', 'EUR', null, null, null],
      [2, 'Everyday', 'expense', '992.50', 'EUR', null, null, 'Interest'],
      [3, 'Everyday', 'exchange', '507.50', 'EUR', null, '-507.50', 'Mortgage'],
      [4, 'Mortgage', 'account', '507.50', 'EUR', 3, null, null],
      [5, 'Mortgage', 'exchange', '-507.50', 'EUR', 3, '507.50', 'Everyday'],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('may be every part of it, also to one account twice', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const whole = await book(me, one, {
      amount: '12',
      splits: [
        { amount: '5', transferAccountId: two.id },
        { amount: '7', transferAccountId: two.id },
      ],
    })
    expect(whole).toMatchObject({ kind: 'expense', categoryId: null, counterAccountId: null })
    const core = whole.id.slice(4)
    expect(whole.splits.map(({ transfer }) => transfer?.transactionId)).toEqual([
      `txn_${core}-4`,
      `txn_${core}-6`,
    ])
    expect(await balanceOf(me, two)).toBe('12.00')
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })
})

describe('the other side of a part', () => {
  it('is a transfer of its account, with the words of the whole and the note of the part', async () => {
    const { me, everyday, wallet, whole, part, leg } = await newCashBack()
    const found = await ok(getTransaction, { as: me, id: leg.id })
    expect(leg.id).toBe(`${whole.id}-4`)
    expect(found).toMatchObject({
      ...{
        id: leg.id,
        kind: 'transfer',
        accountId: wallet.id,
        amount: '30.00',
        signedAmount: '30.00',
      },
      ...{ transferId: null, parentTransactionId: whole.id, splitId: part.id },
      ...{ counterAccountId: everyday.id, description: 'Corner shop', note: 'Cash' },
      ...{ splits: [], payeeId: null, status: 'uncleared', version: 1 },
    })
    expect(part.transfer).toEqual({
      ...{ accountId: wallet.id, transactionId: leg.id, amount: '30.00', currency: 'EUR' },
      ...{ rate: null, status: 'uncleared', externalId: null, hidden: false },
    })
    expect(await ok(getTransaction, { as: me, id: whole.id })).toEqual(whole)
    expect((await ok(listSplits, { as: me, id: leg.id })).splits).toEqual([])
  })

  it('is a row of its own in every list, and no transfer', async () => {
    const { me, wallet, whole, leg } = await newCashBack()
    const idsOf = async (query: Record<string, string>) =>
      (await ok(listTransactions, { as: me, query })).transactions.map(({ id }) => id)
    expect((await idsOf({})).toSorted()).toEqual([whole.id, leg.id])
    expect(await idsOf({ kind: 'transfer' })).toEqual([leg.id])
    expect(await idsOf({ kind: 'expense' })).toEqual([whole.id])
    expect(await idsOf({ accountId: wallet.id })).toEqual([leg.id])
    expect((await idsOf({ text: 'corner' })).toSorted()).toEqual([whole.id, leg.id])
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
    const { totals } = await ok(listTransactions, { as: me, query: { totals: 'true' } })
    expect(totals).toMatchObject([{ inflow: '30.00', outflow: '37.00', net: '-7.00', count: 2 }])
    const { transactions } = await ok(getRegister, { as: me, id: wallet.id })
    expect(transactions).toMatchObject([{ id: leg.id, runningBalance: '30.00' }])
  })

  it('is recorded in two trips', async () => {
    const { me, everyday, wallet } = await newCashBack()
    const json = expenseOn(everyday, {
      amount: '8',
      splits: [{ amount: '5' }, { amount: '3', transferAccountId: wallet.id }],
    })
    expect(tripsOf(await call(createTransaction, { as: me, json }))).toBeLessThanOrEqual(2)
  })
})
