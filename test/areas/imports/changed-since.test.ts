import { describe, expect, it } from 'vitest'
import {
  commitImport,
  getImport,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { commitImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const IBAN = 'DE89370400440532013000'

const balanceOf = async (as: TestUser, { id }: { id: string }) =>
  (await ok(getAccountByID, { as, id })).balance

const type = (as: TestUser, accountId: string, over: Record<string, unknown> = {}) =>
  ok(createTransaction, {
    as,
    json: {
      ...{ kind: 'expense' as const, accountId, date: '2026-03-10', amount: '20.00' },
      ...{ description: 'Green Grocer', ...over },
    },
  })

/** Two files, read before either is booked. */
async function bothRead() {
  const me = await newUser()
  const checking = await newAccount(me, { name: 'Everyday' })
  const savings = await newAccount(me, { name: 'Rainy day', iban: IBAN })
  const first = await uploaded(
    me,
    csv(
      [`2026-03-20,STANDING ORDER,${IBAN},-500.00`, '2026-03-21,BREAD,,-3.00'],
      'Date,Payee,Counterparty IBAN,Amount',
    ),
    { accountId: checking.id },
  )
  const second = await uploaded(
    me,
    csv(['2026-03-22,STANDING ORDER,500.00', '2026-03-25,FEE,-1.00']),
    { accountId: savings.id },
  )
  return { me, checking, savings, first, second }
}

describe('two files that are read before either is booked', () => {
  it.each([false, true])('join their transfer, whichever is last: %s', async (isTurned) => {
    const { me, first, second } = await bothRead()
    const [one, other] = isTurned ? [second, first] : [first, second]
    expect((await committed(me, one.id, { transfers: 'match' })).state).toBe('done')
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
    expect((await committed(me, other.id, { transfers: 'match' })).state).toBe('done')
    const { transfers } = await ok(listTransfers, { as: me })
    expect(transfers).toMatchObject([{ date: '2026-03-20' }])
  })

  it('leave their transfer to the suggestions, unless they are told to join it', async () => {
    const { me, first, second } = await bothRead()
    await committed(me, first.id)
    expect((await committed(me, second.id)).counts).toMatchObject({ rows: 2, new: 2 })
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
  })

  it('join nothing where another row is as likely', async () => {
    const me = await newUser()
    const send = async (lines: string[]) =>
      uploaded(me, csv(lines), { accountId: (await newAccount(me)).id })
    const out = await send(['2026-03-20,TRANSFER,-500.00', '2026-03-25,FEE,-1.00'])
    const into = await send(['2026-03-20,TRANSFER,500.00', '2026-03-25,FEE,-2.00'])
    const rival = await send(['2026-03-20,TRANSFER,500.00', '2026-03-25,FEE,-3.00'])
    for (const { id } of [into, rival, out]) {
      expect((await committed(me, id, { transfers: 'match' })).state).toBe('done')
    }
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
  })
})

describe('what is typed between the preview and the commit', () => {
  it('is matched, not booked again', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const file = csv(['2026-03-10,GREEN GROCER,-20.00', '2026-03-12,TRAIN,-7.00'])
    const { id, counts } = await uploaded(me, file, { accountId: account.id })
    expect(counts).toMatchObject({ new: 2 })
    const typed = await type(me, account.id)
    const done = await committed(me, id)
    expect(done).toMatchObject({ state: 'done', counts: { rows: 2, new: 1, matched: 1 } })
    expect(await balanceOf(me, account)).toBe('-27.00')
    expect(await ok(getTransaction, { as: me, id: typed.id })).toMatchObject({
      ...{ description: 'Green Grocer', status: 'cleared', payeeRaw: 'GREEN GROCER' },
    })
  })

  it('leaves what the user decided as it is', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const file = csv(['2026-03-10,GREEN GROCER,-20.00', '2026-03-12,TRAIN,-7.00'])
    const { id } = await uploaded(me, file, { accountId: account.id })
    const { rows } = await ok(listImportRows, { as: me, id })
    const decide = (at: number, json: object) =>
      ok(updateImportRow, { as: me, path: { id, rowId: rows[at]?.id ?? '' }, json })
    await decide(0, { decision: 'book' })
    await decide(1, { description: 'To Ada' })
    await type(me, account.id)
    await type(me, account.id, { date: '2026-03-12', amount: '7.00', description: 'Train' })
    const done = await committed(me, id)
    expect(done.counts).toMatchObject({ rows: 2, new: 1, matched: 1 })
    expect(await balanceOf(me, account)).toBe('-47.00')
  })

  it('does not make rows book that were not to be booked', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const typed = await type(me, account.id)
    const file = csv(['2026-03-10,GREEN GROCER,-20.00', '2026-03-12,TRAIN,-7.00'])
    const booked = await uploaded(me, csv(['2026-03-12,TRAIN,-7.00', '2026-03-30,BUS,-2.00']), {
      accountId: account.id,
    })
    await committed(me, booked.id)
    const { id, counts } = await uploaded(me, file, { accountId: account.id })
    expect(counts).toMatchObject({ matched: 1, duplicate: 1 })
    const { status } = await call(deleteTransaction, { as: me, id: typed.id })
    expect(status).toBe(200)
    const done = await committed(me, id)
    expect(done.counts).toMatchObject({ rows: 2, duplicate: 1 })
    expect((await ok(getImport, { as: me, id })).state).toBe('done')
  })
})

it.each([
  ['in its order', 1],
  ['from its end', -1],
])('what somebody types while a file is booked %s is not booked once more', async (_name, way) => {
  const me = await newUser()
  const account = await newAccount(me)
  const days = Array.from({ length: 2100 }, (_, at) => {
    const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(at / 2))).toISOString().slice(0, 10)
    // Those around the end of a piece could be taken for each other.
    const alike = Math.min(at % 2000, 2000 - (at % 2000)) < 10 && at > 10
    return `${day},${alike ? 'SHOP' : `SHOP ${at}`},-${alike ? 1 : at + 1}.00`
  })
  const sum = days.reduce((total, line) => total + Number(line.split(',')[2]), 0)
  const { id } = await uploaded(me, csv(way === 1 ? days : days.toReversed()), {
    accountId: account.id,
  })
  await settled(me, id)
  await ok(commitImport, { as: me, id, json: {} })
  let typed = ''
  const database = databaseWith(async (_trip, run) => {
    const result = await run()
    const [row] = await rows<{ done: number }>(
      'SELECT next_chunk AS done FROM imports WHERE id = ?',
      id,
    )
    if (row?.done === 1 && typed === '') {
      typed = 'begun'
      const last = { date: days.at(-1)?.slice(0, 10), amount: '2100.00', description: 'SHOP 2099' }
      typed = (await type(me, account.id, last)).id
    }
    return result
  }).withSession('first-primary')
  await commitImportJob.run(contextWith({ database }), { importId: id }, [])
  expect(await ok(getImport, { as: me, id })).toMatchObject({
    state: 'done',
    counts: { rows: 2100, new: 2099, matched: 1 },
  })
  expect(await balanceOf(me, account)).toBe(sum.toFixed(2))
  expect(await ok(getTransaction, { as: me, id: typed })).toMatchObject({ status: 'cleared' })
})
