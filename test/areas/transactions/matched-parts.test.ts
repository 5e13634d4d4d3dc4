import { describe, expect, it } from 'vitest'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { updateSplit } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { stored } from '../transfers/matched.ts'
import { balanceOf, book, expenseOn, newCategory } from './booking.ts'
import { match, matched, newReceipt, unmatch } from './matched-parts.fixtures.ts'
import { linesOf } from './parts.fixtures.ts'

describe('an ordinary part that is matched', () => {
  it('becomes a transfer with the row in its place', async () => {
    const { me, everyday, wallet, groceries, whole, part, tag, row } = await newReceipt()
    const answer = await match(me, whole, part, { transactionId: row.id })
    expect(answer.status).toBe(200)
    const names = { [everyday.id]: 'Everyday', [wallet.id]: 'Wallet', [groceries.id]: 'Groceries' }
    expect(await linesOf(whole.id, names)).toEqual([
      [1, 'Everyday', 'account', '-37.00', 'EUR', null, null, null],
      [2, 'Everyday', 'expense', '7.00', 'EUR', null, null, 'Groceries'],
      [3, 'Everyday', 'exchange', '30.00', 'EUR', null, '-30.00', 'Wallet'],
      [4, 'Wallet', 'account', '30.00', 'EUR', 3, null, null],
      [5, 'Wallet', 'exchange', '-30.00', 'EUR', 3, '30.00', 'Everyday'],
    ])
    const changed = await ok(getTransaction, { as: me, id: whole.id })
    expect(answer.body).toEqual(changed)
    const legId = `${whole.id}-4`
    expect(changed.splits[1]).toMatchObject({
      ...{ id: part?.id, categoryId: groceries.id, payeeId: null, tagIds: [tag.id], note: 'Cash' },
      transfer: {
        ...{ accountId: wallet.id, transactionId: legId, amount: '30.00', status: 'cleared' },
        ...{ externalId: 'in-1', rate: null, hidden: false },
      },
    })
    expect(await ok(getTransaction, { as: me, id: legId })).toMatchObject({
      ...{ payeeRaw: 'ATM 4711', externalId: 'in-1', status: 'cleared', date: '2026-11-20' },
      ...{ parentTransactionId: whole.id, splitId: part?.id, note: 'Cash' },
    })
    expect((await call(getTransaction, { as: me, id: row.id })).status).toBe(404)
    expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual([
      '-37.00',
      '30.00',
    ])
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('is what it was after unmatching, to the byte, and so is the row', async () => {
    const { me, whole, part, row } = await newReceipt()
    const before = await stored(me)
    await matched(me, whole, part, row)
    const { body } = await unmatch(me, whole, part)
    const now = await stored(me)
    expect({ ...now, transactions: withoutLines(now) }).toEqual({
      ...before,
      transactions: withoutLines(before),
    })
    expect(body.transaction).toEqual(await ok(getTransaction, { as: me, id: whole.id }))
    expect(body.restored).toEqual(await ok(getTransaction, { as: me, id: row.id }))
    expect(body.restored).toMatchObject({ ...row, version: 3, updatedAt: expect.anything() })
    expect(body.transaction.splits).toEqual(whole.splits)
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('is a payslip, an exchange at the airport and a loan', async () => {
    const me = await newUser()
    const [everyday, pension] = [await newAccount(me), await newAccount(me)]
    const tokyo = await newAccount(me, { currency: 'JPY' })
    const [salary, tax] = [await newCategory(me, 'income'), await newCategory(me)]
    const payslip = await book(me, everyday, {
      kind: 'income',
      amount: '2400',
      splits: [
        { amount: '3500', categoryId: salary.id },
        { amount: '-800', categoryId: tax.id },
        { amount: '-300', categoryId: tax.id },
      ],
    })
    const paid = await book(me, pension, { kind: 'income', amount: '300' })
    const names = { [everyday.id]: 'Everyday', [pension.id]: 'Pension', [tokyo.id]: 'Tokyo' }
    const categories = { [salary.id]: 'Salary', [tax.id]: 'Tax' }
    const before = await linesOf(payslip.id, { ...names, ...categories })
    await matched(me, payslip, payslip.splits[2], paid)
    expect(await linesOf(payslip.id, { ...names, ...categories })).toEqual([
      [1, 'Everyday', 'account', '2400.00', 'EUR', null, null, null],
      [2, 'Everyday', 'income', '-3500.00', 'EUR', null, null, 'Salary'],
      [3, 'Everyday', 'expense', '800.00', 'EUR', null, null, 'Tax'],
      [4, 'Everyday', 'exchange', '300.00', 'EUR', null, '-300.00', 'Pension'],
      [5, 'Pension', 'account', '300.00', 'EUR', 4, null, null],
      [6, 'Pension', 'exchange', '-300.00', 'EUR', 4, '300.00', 'Everyday'],
    ])
    expect((await unmatch(me, payslip, payslip.splits[2])).status).toBe(200)
    expect(await linesOf(payslip.id, { ...names, ...categories })).toEqual(before)
    const abroad = await book(me, everyday, {
      amount: '120',
      splits: [{ amount: '20' }, { amount: '100' }],
    })
    const cash = await book(me, tokyo, { kind: 'income', amount: '16200' })
    const { splits } = await matched(me, abroad, abroad.splits[1], cash)
    expect(splits[1]?.transfer).toMatchObject({ amount: '16200', currency: 'JPY', rate: '162' })
    expect(await differencesOf(me)).toEqual([])
    const { body } = await unmatch(me, abroad, abroad.splits[1])
    expect(body.restored).toMatchObject({ id: cash.id, amount: '16200' })
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('leaves a category for incomes with what it was', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const [salary, food] = [await newCategory(me, 'income'), await newCategory(me)]
    const whole = await book(me, one, {
      kind: 'income',
      amount: '50',
      splits: [{ amount: '20' }, { amount: '30', categoryId: salary.id }],
    })
    const [, part] = whole.splits
    const row = await book(me, two, { amount: '30' })
    const { splits } = await matched(me, whole, part, row)
    expect(splits[1]?.categoryId).toBeNull()
    const back = (await unmatch(me, whole, part)).body.transaction
    expect(back.splits).toEqual(whole.splits)
    // Said of the transfer, it is a refund afterwards.
    await matched(me, whole, part, row)
    await ok(updateSplit, {
      ...{ as: me, path: { id: whole.id, lineId: part?.id ?? '' } },
      json: { categoryId: food.id },
    })
    const refund = (await unmatch(me, whole, part)).body.transaction
    expect(refund.splits[1]).toMatchObject({ categoryId: food.id, transfer: null })
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })
})

describe('a part that is a transfer already', () => {
  it('takes what the bank of the other account says, and gives it back', async () => {
    const books = await newReceipt()
    const { me, wallet, whole, part, row } = books
    const moved = await ok(updateSplit, {
      ...{ as: me, path: { id: whole.id, lineId: part?.id ?? '' } },
      json: { transferAccountId: wallet.id, transferStatus: 'pending' },
    })
    const legId = moved.splits[1]?.transfer?.transactionId ?? ''
    await ok(updateTransaction, { as: me, id: legId, json: { payeeRaw: 'Typed' } })
    const before = await stored(me)
    const { splits } = await matched(me, whole, part, row)
    expect(splits[1]?.transfer).toMatchObject({
      ...{ transactionId: legId, status: 'cleared', externalId: 'in-1' },
    })
    expect(await ok(getTransaction, { as: me, id: legId })).toMatchObject({ payeeRaw: 'ATM 4711' })
    expect(await balanceOf(me, wallet)).toBe('30.00')
    await unmatch(me, whole, part)
    const now = await stored(me)
    expect({ ...now, transactions: withoutLines(now) }).toEqual({
      ...before,
      transactions: withoutLines(before),
    })
    expect(await balanceOf(me, wallet)).toBe('60.00')
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('takes the amount of the bank between currencies', async () => {
    const me = await newUser()
    const [visa, tokyo] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
    const whole = await book(me, visa, {
      amount: '120',
      splits: [
        { amount: '20' },
        { amount: '100', transferAccountId: tokyo.id, transferAmount: '16000' },
      ],
    })
    const [, part] = whole.splits
    const row = await book(me, tokyo, { kind: 'income', amount: '16200', externalId: 'jp' })
    const { splits } = await matched(me, whole, part, row)
    expect(splits[1]?.transfer).toMatchObject({ amount: '16200', externalId: 'jp' })
    const { body } = await unmatch(me, whole, part)
    expect(body.transaction.splits[1]?.transfer).toMatchObject({
      ...{ amount: '16000', externalId: null },
    })
    expect(body.restored.amount).toBe('16200')
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps the further of two statuses, and its own id of the bank where the row has none', async () => {
    const { me, wallet } = await newReceipt()
    const other = await newAccount(me)
    const whole = await book(me, other, {
      splits: [
        { amount: '2.30' },
        { amount: '10', transferAccountId: wallet.id, transferStatus: 'reconciled' },
      ],
    })
    const row = await book(me, wallet, { kind: 'income', amount: '10', status: 'pending' })
    const { splits } = await matched(me, whole, whole.splits[1], row)
    expect(splits[1]?.transfer).toMatchObject({ status: 'reconciled', externalId: null })
    const { body } = await unmatch(me, whole, whole.splits[1], { force: 'true' })
    expect(body.restored.status).toBe('pending')
    expect(body.transaction.splits[1]?.transfer?.status).toBe('reconciled')
  })
})

describe('what changed while they were matched', () => {
  it('is changed on both afterwards', async () => {
    const { me, everyday, wallet, whole, bought, part, row } = await newReceipt()
    const food = await newCategory(me)
    const { splits } = await matched(me, whole, part, row)
    const legId = splits[1]?.transfer?.transactionId ?? ''
    await ok(updateTransaction, {
      ...{ as: me, id: legId },
      json: { status: 'reconciled', payeeRaw: 'Corrected' },
    })
    await ok(updateTransaction, {
      ...{ as: me, id: whole.id },
      json: {
        ...{ date: '2026-11-25', amount: '38', force: true },
        splits: [
          { id: bought?.id, amount: '7' },
          { id: part?.id, amount: '31', categoryId: food.id, note: 'Said' },
        ],
      },
    })
    const { body } = await unmatch(me, whole, part, { force: 'true' })
    expect(body.restored).toMatchObject({
      ...{ amount: '31.00', status: 'reconciled', date: '2026-11-25', payeeRaw: 'Corrected' },
      ...{ externalId: 'in-1', description: 'Paid in', note: 'Note of the row' },
    })
    expect(body.transaction.splits[1]).toMatchObject({
      ...{ amount: '31.00', categoryId: food.id, note: 'Said', transfer: null },
    })
    expect([await balanceOf(me, everyday), await balanceOf(me, wallet)]).toEqual([
      '-38.00',
      '31.00',
    ])
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('finds the leg when the bank sends the row again', async () => {
    const { me, wallet, whole, part, row } = await newReceipt()
    const { splits } = await matched(me, whole, part, row)
    const json = expenseOn(wallet, { kind: 'income', amount: '30', externalId: 'in-1' })
    const again = await call(createTransaction, { as: me, json })
    expect(again.body).toMatchObject({ id: splits[1]?.transfer?.transactionId })
    const bulk = await ok(createTransactions, { as: me, json: { transactions: [json] } })
    expect(bulk.results[0]).toMatchObject({ status: 'existing' })
    expect(await balanceOf(me, wallet)).toBe('30.00')
  })
})

/** Where a part had another side, the numbers of that are not used again. */
const withoutLines = ({ transactions = [] }: Record<string, unknown[]>) =>
  transactions.map((one) => ({ ...(one as object), last_line: 0 }))
