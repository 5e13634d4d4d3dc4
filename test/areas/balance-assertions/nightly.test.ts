import { expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { checkAssertionsJob } from '../../../src/areas/money/balance-assertions/balance-assertions.jobs.ts'
import { rows, ok } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { contentsOf, make, rowsIn } from '../backups/archives.ts'
import { askLock, lock, unlock } from '../period-locks/locking.ts'
import { book, change, refusal } from '../transactions/booking.ts'
import { bringBack, dropAccount, erase, work } from '../trash/trashing.ts'
import { assert, assertionsOf } from './asserting.ts'

const DAY = { date: '2025-12-31', amount: '0' }

const run = () => checkAssertionsJob.run(contextWith(), {}, [])

const failuresOf = ({ id }: { id: string }) =>
  rows<{ content: string; ownerId: string }>(
    `SELECT content, owner_id AS ownerId FROM log_entries WHERE resource_id = ? AND type = 'assertion.failed'`,
    id,
  )

const stored = (me: TestUser) =>
  rows<{ id: string }>('SELECT id FROM balance_assertions WHERE owner_id = ?', me.id)

it('tells once of each turn from true to false', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const holding = await assert(me, account, DAY)
  const wrong = await assert(me, account, { ...DAY, date: '2025-11-30', amount: '3' })
  await run()
  expect([await failuresOf(holding), await failuresOf(wrong)]).toEqual([[], []])
  const row = await book(me, account, { date: '2025-12-05', amount: '1' })
  await run()
  await run()
  const [told, ...more] = await failuresOf(holding)
  expect(more).toEqual([])
  expect(told?.ownerId).toBe(me.id)
  expect(JSON.parse(told?.content ?? '')).toEqual({
    ...{ date: '2025-12-31', edge: 'endOfDay', basis: 'balance', amountMinor: 0 },
  })
  await change(me, row, { status: 'void' })
  await run()
  expect(await failuresOf(holding)).toHaveLength(1)
  await change(me, row, { status: 'cleared', private: true })
  await run()
  const [, again] = await failuresOf(holding)
  expect(JSON.parse(again?.content ?? '')).toMatchObject({ private: true })
  expect(await failuresOf(wrong)).toEqual([])
})

it('leaves out accounts in the trash', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '5', openingDate: '2025-01-01' })
  const { id, result } = await assert(me, account, { ...DAY, amount: '5' })
  expect(result.ok).toBe(true)
  await dropAccount(me, account)
  await run()
  expect(await failuresOf({ id })).toEqual([])
  await bringBack(me, 'account', account.id)
  await run()
  expect(await failuresOf({ id })).toEqual([])
  expect(await assertionsOf(me, account)).toMatchObject([{ id, result: { ok: true } }])
})

it('goes on in another task where there are many', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501)
      INSERT INTO balance_assertions (id, owner_id, account_id, date, edge, basis, through, amount_minor,
        tolerance_minor, source, created_by, was_ok, created_at, updated_at)
      SELECT printf('bas_0%05d', i), ?1, ?2, date('2024-01-01', i || ' days'), 'endOfDay', 'balance',
        date('2024-01-01', i || ' days'), 1, 0, 'user', ?1, 1, 0, 0 FROM n`,
    me.id,
    account.id,
  )
  const right = () =>
    rows<{ id: string }>(
      'SELECT id FROM balance_assertions WHERE owner_id = ? AND was_ok = 1',
      me.id,
    )
  await run()
  expect(await right()).toEqual([{ id: 'bas_000501' }])
  const [task] = await rows<{ payload: string }>(
    "SELECT payload FROM tasks WHERE kind = 'assertions.check' ORDER BY id DESC LIMIT 1",
  )
  expect(JSON.parse(task?.payload ?? '')).toEqual({ after: 'bas_000500' })
  await checkAssertionsJob.run(contextWith(), JSON.parse(task?.payload ?? ''), [])
  expect(await right()).toEqual([])
})

it('a lock can require that assertions hold', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const wrong = await assert(me, account, { ...DAY, date: '2025-06-30', amount: '3' })
  await assert(me, account, { ...DAY, date: '2025-11-30', amount: '4' })
  await assert(me, account, { ...DAY, date: '2026-01-31', amount: '4' })
  const required = { require: ['assertionsOk' as const] }
  const refused = await askLock(me, required)
  expect(refusal(refused)).toEqual([409, 'locks.notReady', 'require'])
  expect(refused.error.error).toContain('2 balance assertions fail')
  expect((await askLock(me, { ...required, dryRun: true })).body).toEqual({
    ready: false,
    unready: [{ accountId: account.id, kind: 'assertionsOk', count: 2, firstId: wrong.id }],
  })
  expect((await askLock(me, { ...required, through: '2025-05-31' })).status).toBe(201)
})

it('a lock states what is not stated yet, and what it stated goes with the last lock of that day', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const own = await assert(me, one, { ...DAY, amount: '8' })
  const soft = await lock(me)
  const hard = await lock(me, { kind: 'hard', accountId: two.id })
  expect(await assertionsOf(me, one)).toMatchObject([{ id: own.id, source: 'user' }])
  const [stated, ...more] = await assertionsOf(me, two)
  expect([stated?.source, more]).toEqual(['lock', []])
  expect((await unlock(me, soft)).status).toBe(200)
  expect(await assertionsOf(me, two)).toEqual([stated])
  expect((await unlock(me, hard)).status).toBe(200)
  expect(await assertionsOf(me, two)).toEqual([])
  expect(await assertionsOf(me, one)).toHaveLength(1)
  const told = await rows<{ type: string }>(
    'SELECT type FROM log_entries WHERE resource_id = ? ORDER BY number',
    stated?.id,
  )
  expect(told.map(({ type }) => type)).toEqual(['assertion.created', 'assertion.deleted'])
})

it('assertions are in a backup, and go with their account', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const [gone, kept] = [await assert(me, one, DAY), await assert(me, two, DAY)]
  const { id: backupId } = await make(me)
  const files = await contentsOf(me, backupId)
  expect(
    rowsIn(files, 'balanceAssertions')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([gone.id, kept.id].toSorted())
  await ok(deleteAccount, { as: me, id: one.id })
  expect(await assertionsOf(me, one)).toEqual([])
  await erase(me, 'account', one.id)
  await work(me.id)
  expect(await stored(me)).toEqual([{ id: kept.id }])
})
