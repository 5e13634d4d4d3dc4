import { expect, it } from 'vitest'
import { listImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { lock } from '../period-locks/locking.ts'
import { book, change, type Changes } from '../transactions/booking.ts'
import { committed, csv, ofx, type OfxRow, uploaded } from './importing.ts'

// What is settled stays as it is, whatever a file says.

it('a reconciled row stays as it is if its file comes again, and if the bank corrects it', async () => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me)
  const row: OfxRow = { id: '1', date: '2026-03-10', amount: '-20.00', name: 'SHOP' }
  const send = async (...sent: OfxRow[]) => {
    const { id } = await uploaded(me, ofx(sent), { accountId, again: 'true' })
    return { id, counts: (await committed(me, id)).counts }
  }
  await send(row)
  const [booked] = (await ok(listTransactions, { as: me, query: { accountId } })).transactions
  const id = booked?.id ?? ''
  await rows("UPDATE entries SET status = 'reconciled' WHERE transaction_id = ?", id)
  const before = await ok(getTransaction, { as: me, id })
  expect((await send(row)).counts).toMatchObject({ duplicate: 1 })
  for (const action of ['REPLACE', 'DELETE'] as const) {
    const corrects = { id: '1', action }
    await send({ ...row, id: `of ${action}`, amount: '-25.00', date: '2026-03-11', corrects })
    expect(await ok(getTransaction, { as: me, id })).toEqual(before)
  }
  expect((await ok(listTransactions, { as: me, query: { accountId } })).count).toBe(1)
})

it('a file over the turn of the year leaves a year under a hard lock as it is', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2025-01-01' })
  const old = await book(me, account, { date: '2025-12-30', amount: '7.00' })
  await lock(me, { kind: 'hard' })
  const file = csv(['2025-12-30,RENT,-700.00', '2025-12-31,COFFEE,-3.00', '2026-01-02,TEA,-2.00'])
  const { id } = await uploaded(me, file, { accountId: account.id })
  const verdicts = async () =>
    (await ok(listImportRows, { as: me, id })).rows.map(({ verdict }) => verdict)
  expect(await verdicts()).toEqual(['locked', 'locked', 'new'])
  await committed(me, id, { force: true })
  expect(await verdicts()).toEqual(['locked', 'locked', 'new'])
  const changes: Changes[] = [
    { amount: '8.00' },
    { date: '2025-12-29' },
    { date: '2026-01-05' },
    { status: 'void' },
    { status: 'pending' },
  ]
  for (const json of changes) {
    expect((await change(me, old, json)).status).toBe(409)
  }
  expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('-9.00')
})
