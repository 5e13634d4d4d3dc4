import { expect, it } from 'vitest'
import {
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, uploaded } from './importing.ts'

async function scene() {
  const me = await newUser()
  const [checking, savings] = [await newAccount(me), await newAccount(me)]
  const read = (text: string, { id }: { id: string }) =>
    uploaded(me, text, { accountId: id, again: 'true' })
  const decide = async (id: string, at: number, json: object) => {
    const { rows } = await ok(listImportRows, { as: me, id })
    return ok(updateImportRow, { as: me, path: { id, rowId: rows[at]?.id ?? '' }, json })
  }
  const balances = () =>
    Promise.all(
      [checking, savings].map(async ({ id }) => (await ok(getAccountByID, { as: me, id })).balance),
    )
  return { me, checking, savings, read, decide, balances }
}

const FILE = csv(['2026-03-14,TEA,-1.00', '2026-03-15,MILK,-2.00'])

it('a row that is moved to an account that knows it is not booked there again', async () => {
  const { me, checking, savings, read, decide, balances } = await scene()
  await committed(me, (await read(FILE, savings)).id)
  const { id } = await read(FILE, checking)
  await decide(id, 0, { accountId: savings.id })
  const done = await committed(me, id)
  expect(done).toMatchObject({ state: 'done', counts: { rows: 2, new: 1, duplicate: 1 } })
  expect(await balances()).toEqual(['-2.00', '-3.00'])
})

it('a row that is moved gets no id that another transaction of its new account has', async () => {
  const { me, checking, savings, read, decide } = await scene()
  const json = {
    ...{ kind: 'expense' as const, accountId: savings.id, date: '2026-01-01', amount: '9.00' },
    ...{ description: 'Other', externalId: '7' },
  }
  await ok(createTransaction, { as: me, json })
  const file = ofx([{ id: '7', date: '2026-03-10', amount: '-12.30', name: 'TESCO STORES' }])
  const { id } = await read(file, checking)
  await decide(id, 0, { accountId: savings.id })
  expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: 1 } })
  const query = { accountId: savings.id }
  const { transactions } = await ok(listTransactions, { as: me, query })
  expect(transactions.map(({ amount, externalId }) => [amount, externalId])).toEqual([
    ['12.30', null],
    ['9.00', '7'],
  ])
})

it('a row that was left out and matched is known, however often it is matched', async () => {
  const { me, checking, read, decide, balances } = await scene()
  const typed = async () => {
    const json = {
      ...{ kind: 'expense' as const, accountId: checking.id, date: '2026-03-16' },
      ...{ amount: '3.00', description: 'Held', status: 'uncleared' as const },
    }
    return (await ok(createTransaction, { as: me, json })).id
  }
  const file = csv(
    ['2026-03-14,TEA,-1.00,Booked', '2026-03-16,HELD,-3.00,Pending'],
    'Date,Payee,Amount,Status',
  )
  for (const counts of [
    { new: 1, matched: 1 },
    { duplicate: 2, matched: 0 },
  ]) {
    const { id } = await read(file, checking)
    await decide(id, 1, { decision: 'match', transactionId: await typed() })
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts })
  }
  expect(await balances()).toEqual(['-7.00', '0.00'])
})
