import { describe, expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getPeriodLock,
  listPeriodLocks,
} from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { call, ok, rows, type Principal } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, expenseOn, newCategory, refusal } from '../transactions/booking.ts'
import { askLock, lock, unlock } from './locking.ts'

const daysOf = async (as: Principal, { id }: { id: string }) => {
  const { lockedThrough, hardLockedThrough } = await ok(getAccountByID, { as, id })
  return [lockedThrough, hardLockedThrough]
}

const tomorrow = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

/** An owner with an account that people with each right receive. */
async function newHousehold() {
  const me = await newUser()
  const account = await newAccount(me)
  const receiver = async (permission: 'manage' | 'write' | 'annotate' | 'view') => {
    const user = await newUser()
    await share(me, account, user, { permission })
    return user
  }
  return {
    ...{ me, account, manager: await receiver('manage'), writer: await receiver('write') },
    ...{ annotator: await receiver('annotate'), viewer: await receiver('view') },
  }
}

/** The session of a user began so many minutes ago. */
const began = ({ id }: TestUser, minutes: number) =>
  rows('UPDATE sessions SET created_at = ? WHERE user_id = ?', Date.now() - minutes * 60_000, id)

describe('a lock', () => {
  it('keeps the latest days on the account, however locks come and go', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const all = await lock(me, { through: '2024-06-30' })
    const soft = await lock(me, { accountId: one.id, through: '2025-06-30' })
    const hard = await lock(me, { accountId: one.id, through: '2024-12-31', kind: 'hard' })
    expect(await daysOf(me, one)).toEqual(['2025-06-30', '2024-12-31'])
    expect(await daysOf(me, two)).toEqual(['2024-06-30', null])
    expect((await unlock(me, soft)).status).toBe(200)
    expect(await daysOf(me, one)).toEqual(['2024-12-31', '2024-12-31'])
    expect((await unlock(me, hard)).status).toBe(200)
    expect(await daysOf(me, one)).toEqual(['2024-06-30', null])
    expect((await unlock(me, all)).status).toBe(200)
    expect(await daysOf(me, one)).toEqual([null, null])
    expect(refusal(await unlock(me, all))).toEqual([404, 'locks.notFound'])
  })

  it.each([
    ['a day to come', { through: tomorrow() }, [400, 'locks.dateInFuture', 'through']],
    ['an unknown account', { accountId: 'acc_none' }, [400, 'locks.unknownAccount', 'accountId']],
    ['no reason', { reason: '' }, [400, 'request.invalid', 'reason']],
    ['no kind', { kind: 'firm' as 'soft' }, [400, 'request.invalid', 'kind']],
  ])('is refused with %s', async (_, wanted, expected) => {
    expect(refusal(await askLock(await newUser(), wanted))).toEqual(expected)
  })

  it('is refused where the period is locked by as hard a lock', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    await lock(me, { accountId })
    const refused = [409, 'locks.alreadyLocked', 'through']
    expect(refusal(await askLock(me, { accountId }))).toEqual(refused)
    expect(refusal(await askLock(me, { accountId, through: '2025-06-30' }))).toEqual(refused)
    // Inside of a soft lock there may be a hard one, and other accounts are not locked by it.
    await lock(me, { accountId, through: '2025-06-30', kind: 'hard' })
    await lock(me)
    expect(refusal(await askLock(me))).toEqual(refused)
    await lock(me, { accountId, through: '2026-01-31' })
  })

  it('is refused where a balance of that day is too large to be kept', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const most = { kind: 'income', amount: '90071992547409.91' } as const
    await book(me, account, { ...most, date: '2025-01-10' })
    await book(me, account, { ...most, kind: 'expense', date: '2025-03-10' })
    await book(me, account, { ...most, date: '2025-02-10' })
    const refused = [409, 'locks.balanceTooLarge', 'through']
    expect(refusal(await askLock(me, { through: '2025-02-28' }))).toEqual(refused)
    const { balances } = await lock(me, { through: '2025-03-31' })
    expect(balances).toMatchObject([{ balance: most.amount }])
  })

  it('ends only for a reason', async () => {
    const me = await newUser()
    const made = await lock(me)
    expect((await unlock(me, made, '')).error.error).toContain('in the query')
    for (const reason of ['', '  ']) {
      expect(refusal(await unlock(me, made, reason))).toEqual([
        ...[400, 'locks.reasonMissing', 'reason'],
      ])
    }
    expect(refusal(await unlock(me, made, 'x'.repeat(501)))).toEqual([
      ...[400, 'request.invalid', 'reason'],
    ])
  })

  it('says what is not ready, by kind and account', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const first = await book(me, account, { date: '2025-02-01', status: 'pending' })
    await book(me, account, { date: '2025-01-01', status: 'void' })
    await book(me, account, { date: '2026-02-01', status: 'pending' })
    const { id: accountId } = account
    const require = ['reconciled', 'noPending', 'categorised'] as const
    const refused = await askLock(me, { require: [...require] })
    expect(refused.error.error).toContain(
      '1 transaction is without a category, and 1 transaction is pending, and 1 transaction is not reconciled',
    )
    const { body } = await askLock(me, { require: [...require], dryRun: true })
    const found = { accountId, count: 1, firstId: first.id }
    expect(body).toEqual({
      ready: false,
      unready: ['categorised', 'noPending', 'reconciled'].map((kind) => ({ ...found, kind })),
    })
    expect((await askLock(me, { dryRun: true })).body).toEqual({ ready: true, unready: [] })
    expect((await ok(listPeriodLocks, { as: me })).count).toBe(0)
  })

  it('requires nothing of rows that are private to others, and tells nothing of them', async () => {
    const { me, account, manager } = await newHousehold()
    const { id: accountId } = account
    const row = { date: '2025-02-01', status: 'pending' } as const
    const hidden = await book(me, account, { ...row, private: true })
    const require = ['reconciled', 'noPending', 'categorised'] as const
    const wanted = { accountId, require: [...require], dryRun: true }
    const unready = (count: number, firstId: string) => ({
      ready: false,
      unready: require.toSorted().map((kind) => ({ accountId, kind, count, firstId })),
    })
    expect((await askLock(manager, wanted)).body).toEqual({ ready: true, unready: [] })
    const own = await book(manager, account, { ...row, private: true, date: '2025-03-01' })
    expect((await askLock(manager, wanted)).body).toEqual(unready(1, own.id))
    expect((await askLock(me, wanted)).body).toEqual(unready(2, hidden.id))
    const said = (await askLock(manager, { ...wanted, dryRun: false })).error.error
    expect(said).toContain('1 transaction is pending')
    await change(manager, own, { status: 'reconciled' })
    await lock(manager, { ...wanted, dryRun: false, require: ['reconciled', 'noPending'] })
  })
})

describe('who may', () => {
  it('lock, end and see', async () => {
    const { me, account, manager, writer, annotator, viewer } = await newHousehold()
    const { id: accountId } = account
    for (const as of [writer, annotator, viewer]) {
      expect(refusal(await askLock(as, { accountId }))).toEqual([403, 'auth.rightNeeded'])
    }
    expect(refusal(await askLock(manager, { accountId, kind: 'hard' }))).toEqual([
      ...[403, 'auth.rightNeeded'],
    ])
    const soft = await lock(manager, { accountId, reason: 'Sent to the tax office' })
    const hard = await lock(me, { accountId, through: '2025-11-30', kind: 'hard' })
    for (const as of [writer, annotator, viewer]) {
      expect(refusal(await unlock(as, soft))).toEqual([403, 'auth.rightNeeded'])
    }
    expect(refusal(await unlock(manager, hard))).toEqual([403, 'auth.rightNeeded'])
    const reasons = await Promise.all(
      [me, manager, writer, annotator, viewer].map(
        async (as) => (await ok(getPeriodLock, { as, id: soft.id })).reason,
      ),
    )
    const told = 'Sent to the tax office'
    expect(reasons).toEqual([told, told, told, null, null])
    const stranger = await newUser()
    expect(refusal(await call(getPeriodLock, { as: stranger, id: soft.id }))).toEqual([
      ...[404, 'locks.notFound'],
    ])
    expect(refusal(await unlock(stranger, soft))).toEqual([404, 'locks.notFound'])
    expect(refusal(await askLock(stranger, { accountId }))).toEqual([
      ...[400, 'locks.unknownAccount', 'accountId'],
    ])
    expect((await unlock(manager, soft)).status).toBe(200)
  })

  it('a lock for all accounts is its maker’s, and those who see one of them see it', async () => {
    const { me, account, manager } = await newHousehold()
    const other = await newAccount(me)
    const own = await newAccount(manager)
    const all = await lock(me)
    expect(await daysOf(manager, own)).toEqual([null, null])
    const seen = await ok(getPeriodLock, { as: manager, id: all.id })
    expect(seen.balances.map(({ accountId }) => accountId)).toEqual([account.id])
    expect(all.balances.map(({ accountId }) => accountId).toSorted()).toEqual(
      [account.id, other.id].toSorted(),
    )
    expect(refusal(await unlock(manager, all))).toEqual([403, 'auth.rightNeeded'])
    const { periodLocks } = await ok(listPeriodLocks, {
      as: manager,
      query: { accountId: account.id, kind: 'soft' },
    })
    expect(periodLocks.map(({ id }) => id)).toEqual([all.id])
    const hard = { as: manager, query: { kind: 'hard' } }
    expect((await ok(listPeriodLocks, hard)).count).toBe(0)
  })

  it('end a hard lock: somebody who has just signed in, and no token', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    const hard = await lock(me, { accountId, kind: 'hard' })
    const token = await giveToken(me, ['periodLocks.write'])
    expect(refusal(await unlock(token, hard))).toEqual([403, 'locks.signInAgain'])
    await began(me, 16)
    expect(refusal(await unlock(me, hard))).toEqual([403, 'locks.signInAgain'])
    await began(me, 14)
    expect((await unlock(me, hard)).status).toBe(200)
  })

  it('a token for some accounts locks those alone', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const token = await giveToken(me, ['periodLocks.write'], [one.id])
    expect(refusal(await askLock(token))).toEqual([403, 'locks.tokenIsRestricted'])
    expect(refusal(await askLock(token, { accountId: two.id }))).toEqual([
      ...[400, 'locks.unknownAccount', 'accountId'],
    ])
    const made = await lock(token, { accountId: one.id })
    const all = await lock(me, { through: '2025-01-31' })
    expect(refusal(await unlock(token, all))).toEqual([403, 'locks.tokenIsRestricted'])
    expect((await unlock(token, made)).status).toBe(200)
  })
})

describe('many at once', () => {
  it('are refused at the row in question, and a dry run tells each', async () => {
    const { me, account, writer } = await newHousehold()
    const [locked, free] = [
      await book(me, account, { date: '2025-05-05' }),
      await book(me, account, { date: '2026-05-05' }),
    ]
    const made = await lock(me)
    const ids = [free.id, locked.id]
    const transactions = [
      expenseOn(account, { date: '2026-01-01' }),
      expenseOn(account, { date: '2025-12-31' }),
    ]
    const changes = { categoryId: null, status: 'void' as const }
    expect(refusal(await call(createTransactions, { as: me, json: { transactions } }))).toEqual([
      ...[409, 'locks.periodLocked', 'transactions.1.date'],
    ])
    expect(refusal(await call(updateTransactions, { as: me, json: { ids, changes } }))).toEqual([
      ...[409, 'locks.periodLocked', 'ids.1'],
    ])
    expect(refusal(await call(deleteTransactions, { as: me, json: { ids } }))).toEqual([
      ...[409, 'locks.periodLocked', 'ids.1'],
    ])
    const foreseen = await ok(deleteTransactions, { as: me, json: { ids, dryRun: true } })
    expect(foreseen.results.map(({ status, code }) => [status, code])).toEqual([
      ['deleted', undefined],
      ['invalid', 'locks.periodLocked'],
    ])
    const forced = { transactions, force: true }
    expect(refusal(await call(createTransactions, { as: writer, json: forced }))).toEqual([
      ...[403, 'locks.forceNotAllowed', 'transactions.1.date'],
    ])
    expect((await ok(createTransactions, { as: me, json: forced })).created).toBe(2)
    const tagged = { ids, changes: { note: 'Checked', reviewed: true, excludeFromReports: true } }
    expect((await ok(updateTransactions, { as: me, json: tagged })).changed).toBe(2)
    expect((await unlock(me, made)).status).toBe(200)
    expect((await ok(deleteTransactions, { as: me, json: { ids } })).deleted).toBe(2)
  })
})

describe('a category', () => {
  it('of a locked line is not changed without force', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const spent = await book(me, account, { date: '2025-05-05', categoryId: one.id })
    await lock(me)
    for (const categoryId of [two.id, null]) {
      expect(refusal(await change(me, spent, { categoryId }))).toEqual([
        ...[409, 'locks.periodLocked', 'date'],
      ])
    }
    expect((await change(me, spent, { categoryId: two.id, force: true })).status).toBe(200)
  })

  it('can be merged and deleted, which tells how many locked lines that was', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const [one, two, three] = [await newCategory(me), await newCategory(me), await newCategory(me)]
    const splits = [{ amount: '10', categoryId: one.id }, { amount: '2.30' }]
    await book(me, account, { date: '2025-05-05', splits })
    await book(me, account, { date: '2025-06-05', categoryId: one.id })
    await book(me, account, { date: '2026-06-05', categoryId: one.id })
    const made = await lock(me)
    const json = { categoryId: one.id }
    expect(await ok(mergeCategory, { as: me, id: two.id, json })).toMatchObject({
      ...{ id: two.id, lockedLines: 2 },
    })
    const query = { reassignTo: three.id }
    expect(await ok(deleteCategory, { as: me, id: two.id, query })).toMatchObject({
      lockedLines: 2,
    })
    const seen = await ok(getPeriodLock, { as: me, id: made.id, query: { verify: 'true' } })
    expect(seen.intact).toBe(true)
    const unused = await newCategory(me)
    expect(await ok(deleteCategory, { as: me, id: unused.id })).toMatchObject({ lockedLines: 0 })
  })
})

describe('at the same moment', () => {
  it('a booking is either in the seal or refused', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await book(me, account, { date: '2025-01-01' })
    for (let round = 1; round <= 6; round++) {
      const through = `2025-0${round + 1}-28`
      const json = expenseOn(account, { date: `2025-0${round + 1}-15` })
      const [booked, asked] = await Promise.all([
        call(createTransaction, { as: me, json }),
        askLock(me, { through }),
      ])
      expect([201, 409]).toContain(booked.status)
      expect([201, 409]).toContain(asked.status)
      expect(booked.status === 201 || asked.status === 201).toBe(true)
      if (asked.status === 201 && 'id' in asked.body) {
        const query = { verify: 'true' }
        const { intact } = await ok(getPeriodLock, { as: me, id: asked.body.id, query })
        expect(intact).toBe(true)
      }
    }
  })

  it('one of two equal locks is made', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    const answers = await Promise.all([askLock(me, { accountId }), askLock(me, { accountId })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })
})
