import { expect, it } from 'vitest'
import { suggestForReconciliation } from '../../../src/areas/intake/suggestions/suggestions.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change } from '../transactions/booking.ts'
import { finish, start, tick } from './reconciling.ts'

// By what people recognise the rows of a suggestion, and why one has no calls.

const DATE = '2026-03-10'
const STATEMENT = { statementDate: '2026-03-31', closingBalance: '0' }

const suggestionsOf = async (as: Principal, { id }: { id: string }) =>
  (await ok(suggestForReconciliation, { as, id })).suggestions

it('tells the description and the payee of a row', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const payee = await ok(createPayee, { as: me, json: { name: 'Netflix' } })
  const texts = { description: 'Films', payeeId: payee.id, payeeRaw: 'NETFLIX.COM' }
  await book(me, account, { date: DATE, amount: '3', status: 'uncleared', ...texts })
  const session = await start(me, account, { ...STATEMENT, closingBalance: '-3' })
  expect(await suggestionsOf(me, session)).toMatchObject([
    { kind: 'tick', rows: [{ amount: '-3.00', ...texts }], note: null },
  ])
})

it('tells of the other side of a part what its account sees, and no more', async () => {
  const [me, writer] = [await newUser(), await newUser()]
  const [salaries, cash] = [await newAccount(me), await newAccount(me)]
  await share(me, cash, writer, { permission: 'write' })
  await book(me, salaries, {
    ...{ date: DATE, amount: '50', description: 'Secret', payeeRaw: 'SECRET' },
    splits: [{ amount: '30' }, { amount: '20', transferAccountId: cash.id, note: 'Cash back' }],
  })
  const session = await start(me, cash, { ...STATEMENT, prefill: 'none', closingBalance: '20' })
  for (const who of [me, writer]) {
    expect(await suggestionsOf(who, session)).toMatchObject([
      { kind: 'tick', rows: [{ description: 'Cash back', payeeId: null, payeeRaw: null }] },
    ])
  }
})

it('tells of what drifted, in the trash only to its owner', async () => {
  const [me, writer] = [await newUser(), await newUser()]
  const account = await newAccount(me)
  await share(me, account, writer, { permission: 'write' })
  const shop = await book(me, account, { date: DATE, amount: '10', description: 'Shop' })
  const session = await start(me, account, { ...STATEMENT, closingBalance: '-10', prefill: 'none' })
  await tick(me, session, { tick: [shop.id] })
  await finish(me, session)
  const next = await start(me, account, { statementDate: '2026-04-30', closingBalance: '-10' })
  await change(me, shop, { amount: '12', force: true })
  for (const who of [me, writer]) {
    expect(await suggestionsOf(who, next)).toMatchObject([
      { kind: 'drift', rows: [{ description: 'Shop' }] },
    ])
  }
  await ok(deleteTransaction, { as: me, id: shop.id, query: { force: 'true' } })
  expect((await suggestionsOf(me, next))[0]).toMatchObject({
    ...{ kind: 'drift', rows: [{ description: 'Shop' }], note: null },
  })
  expect((await suggestionsOf(writer, next))[0]).toMatchObject({
    ...{ kind: 'drift', rows: [{ id: shop.id, description: null }] },
  })
})

it('says why a correction has to be made by hand', async () => {
  const me = await newUser()
  const reasonAt = async (account: { id: string }, difference: number) => {
    const session = await start(me, account, STATEMENT)
    const closing = Number(session.clearedBalance) + difference
    await tick(me, session, { closingBalance: closing.toFixed(2) })
    const found = await suggestionsOf(me, session)
    const byHand = found.find(({ calls }) => calls.length === 0)
    expect(found.filter(({ calls, note }) => (calls.length === 0) !== (note !== null))).toEqual([])
    return byHand?.note
  }
  const opened = await newAccount(me, { openingBalance: '45', openingDate: DATE })
  expect(await reasonAt(opened, 9)).toBe(
    'This is the opening balance. Change openingBalance or openingDate of the account.',
  )
  const [from, to] = [await newAccount(me), await newAccount(me)]
  const wanted = { fromAccountId: from.id, toAccountId: to.id, date: DATE, amount: '45' }
  await ok(createTransfer, { as: me, json: { ...wanted, status: 'cleared' } })
  expect(await reasonAt(from, -9)).toBe('This is one side of a transfer. Change the transfer.')
  await ok(createTransfer, { as: me, json: { ...wanted, status: 'cleared' } })
  expect(await reasonAt(to, -45)).toBe(
    'Only expenses and incomes can be merged. Delete one of the two that are the same.',
  )
  const split = await newAccount(me)
  await book(me, split, {
    ...{ date: DATE, amount: '45', status: 'cleared' },
    splits: [{ amount: '30' }, { amount: '15' }],
  })
  expect(await reasonAt(split, -9)).toBe(
    'The transaction has parts. Change the amounts of its parts.',
  )
})

it('ticks all rows together with another correction', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const typed = await book(me, account, { date: DATE, amount: '21.99', status: 'cleared' })
  const more = []
  for (const amount of ['3.10', '7.20']) {
    more.push(await book(me, account, { date: DATE, amount, status: 'uncleared' }))
  }
  const session = await start(me, account, { ...STATEMENT, closingBalance: '-23.29' })
  const [best] = await suggestionsOf(me, session)
  const ids = more.map(({ id }) => id).toReversed()
  expect(best).toMatchObject({
    ...{ kind: 'all', score: 0.35, effect: '-1.30', toAmount: '-12.99', note: null },
    rows: [{ id: typed.id }, ...ids.map((id) => ({ id }))],
    calls: [
      { method: 'PATCH', path: `/reconciliation/${session.id}`, body: { tick: ids } },
      { method: 'PATCH', path: `/transaction/${typed.id}`, body: { amount: '12.99' } },
    ],
  })
  await tick(me, session, { tick: ids })
  await change(me, typed, { amount: '12.99' })
  expect((await finish(me, session)).status).toBe(200)
})
