import { beforeAll, describe, expect, it } from 'vitest'
import {
  getAuditLog,
  listAuditLogs,
  listOwnAuditLog,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, expenseOn, refusal } from '../transactions/booking.ts'
import { askLock, lock } from './locking.ts'

// Examples 10 and 11 of what locks do.

describe('a soft lock on all through 2025, and a hard one on Everyday through 2024', () => {
  let me: TestUser
  let writer: TestUser
  let everyday: { id: string }
  let savings: { id: string }
  let soft: { id: string }
  let old: { id: string }
  let ofJune: { id: string }
  let later: { id: string }
  let moved: { id: string }

  beforeAll(async () => {
    ;[me, writer] = [await newUser(), await newUser()]
    ;[everyday, savings] = [await newAccount(me), await newAccount(me)]
    await share(me, everyday, writer, { permission: 'write' })
    old = await book(me, everyday, { date: '2024-05-05' })
    ofJune = await book(me, everyday, { date: '2025-06-01' })
    later = await book(me, everyday, { date: '2026-01-02' })
    moved = await ok(createTransfer, {
      as: me,
      json: {
        ...{ fromAccountId: everyday.id, toAccountId: savings.id },
        ...{ date: '2025-12-31', amount: '5' },
      },
    })
    soft = await lock(me)
    await lock(me, { accountId: everyday.id, through: '2024-12-31', kind: 'hard' })
  })

  const booking = (wanted = {}) => ({ ...expenseOn(everyday, { date: '2025-12-30' }), ...wanted })

  it('tells the effective days on the account', async () => {
    expect(await ok(getAccountByID, { as: writer, id: everyday.id })).toMatchObject({
      ...{ lockedThrough: '2025-12-31', hardLockedThrough: '2024-12-31' },
    })
    expect(await newAccount(me)).toMatchObject({
      ...{ lockedThrough: '2025-12-31', hardLockedThrough: null },
    })
  })

  it('refuses a writer, with and without force', async () => {
    const refused = await call(createTransaction, { as: writer, json: booking() })
    expect(refusal(refused)).toEqual([409, 'locks.periodLocked', 'date'])
    expect(refused.error.error).toContain('2025-12-31')
    const forced = await call(createTransaction, { as: writer, json: booking({ force: true }) })
    expect(refusal(forced)).toEqual([403, 'locks.forceNotAllowed', 'date'])
  })

  it('lets the owner use force, and tells of it', async () => {
    expect(refusal(await call(createTransaction, { as: me, json: booking() }))).toEqual([
      ...[409, 'locks.periodLocked', 'date'],
    ])
    const { id } = await ok(createTransaction, { as: me, json: booking({ force: true }) })
    const { versions } = await ok(listTransactionVersions, { as: me, id })
    expect(versions.map(({ forced }) => forced)).toEqual([true])
    const [event] = await rows<{ facts: string }>(
      'SELECT facts FROM log_events WHERE resource_id = ?',
      id,
    )
    expect(JSON.parse(event?.facts ?? '')).toEqual({ forced: true, lockIds: [soft.id] })
    const admin = await newAdmin()
    const query = { resourceId: id }
    const [own] = (await ok(listOwnAuditLog, { as: me, query })).entries
    const [listed] = (await ok(listAuditLogs, { as: admin, query })).entries
    const single = await ok(getAuditLog, { as: admin, id: own?.id ?? '' })
    for (const entry of [own, listed, single]) {
      expect(entry?.changes).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ field: 'date', after: '2025-12-30' }),
          { field: 'forced', before: null, after: true },
          { field: 'lockIds', before: null, after: [soft.id] },
        ]),
      )
    }
    expect((await ok(listOwnAuditLog, { as: writer, query })).entries).toEqual([])
  })

  it('refuses a day that is locked, words stay free, and a hard lock yields to nobody', async () => {
    expect(refusal(await change(me, later, { date: '2025-12-31' }))).toEqual([
      ...[409, 'locks.periodLocked', 'date'],
    ])
    expect((await change(me, ofJune, { note: 'Receipt is in the folder' })).status).toBe(200)
    expect(refusal(await change(me, old, { amount: '13', force: true }))).toEqual([
      ...[409, 'locks.periodLocked', 'date'],
    ])
    const refused = await call(deleteTransaction, { as: me, id: old.id, query: { force: 'true' } })
    expect(refused.error.error).toContain('2024-12-31')
  })

  it('lets a transfer of the next day be booked, and the words of a locked one change', async () => {
    const json = {
      ...{ fromAccountId: everyday.id, toAccountId: savings.id },
      ...{ date: '2026-01-01', amount: '5' },
    }
    expect((await call(createTransfer, { as: me, json })).status).toBe(201)
    const { id } = moved
    expect((await call(updateTransfer, { as: me, id, json: { note: 'Rent' } })).status).toBe(200)
    expect(refusal(await call(updateTransfer, { as: me, id, json: { amount: '6' } }))).toEqual([
      ...[409, 'locks.periodLocked', 'date'],
    ])
  })
})

describe('the seal of a year', () => {
  it('is broken by force, names who did what, and is whole again when that is taken back', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const cleared = await Promise.all(
      ['2025-03-01', '2025-06-10', '2025-09-01'].map((date) =>
        book(me, account, { date, amount: '5', status: 'cleared' }),
      ),
    )
    const required = { require: ['reconciled' as const] }
    const refused = await askLock(me, required)
    expect(refusal(refused)).toEqual([409, 'locks.notReady', 'require'])
    expect(refused.error.error).toContain('3 transactions are not reconciled')
    const dry = await askLock(me, { ...required, dryRun: true })
    expect([dry.status, dry.body]).toEqual([
      200,
      {
        ready: false,
        unready: [{ accountId: account.id, kind: 'reconciled', count: 3, firstId: cleared[0]?.id }],
      },
    ])
    for (const row of cleared) {
      await change(me, row, { status: 'reconciled' })
    }
    const made = await lock(me, required)
    expect(made).toMatchObject({
      intact: true,
      balances: [
        {
          ...{ accountId: account.id, currency: 'EUR', balance: '-15.00', reconciled: '-15.00' },
        },
      ],
    })
    const verify = () => ok(getPeriodLock, { as: me, id: made.id, query: { verify: 'true' } })
    expect(await verify()).toMatchObject({ intact: true, broken: [], seal: made.seal })
    const [, june] = cleared
    if (!june) {
      throw new Error('there is a row of June')
    }
    expect((await change(me, june, { amount: '6', force: true })).status).toBe(200)
    expect(await verify()).toMatchObject({
      intact: false,
      broken: [
        {
          accountId: account.id,
          changes: [{ transactionId: june.id, type: 'transaction.updated', actorId: me.id }],
        },
      ],
    })
    expect((await change(me, june, { amount: '5', force: true })).status).toBe(200)
    expect(await verify()).toMatchObject({ intact: true, broken: [], seal: made.seal })
    expect(await ok(getPeriodLock, { as: me, id: made.id })).toMatchObject({ intact: null })
  })
})
