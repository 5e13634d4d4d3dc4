import { describe, expect, it } from 'vitest'
import { listPeriodLocks } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { pageOfPeriodLocks } from '../../../src/areas/money/period-locks/period-locks.queries.ts'
import { deleteAccount, getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { type ArchivedRow, tableNameOf } from '../../../src/platform/owned-data/archived-tables.ts'
import type { SignedIn } from '../../../src/platform/context.ts'
import { read } from '../../../src/platform/database/database.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { RowCheck } from '../../../src/areas/data-rights/backups/verifying/rows.usecases.ts'
import { heardOfTriggers, overheardDatabase, planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { contentsOf } from '../backups/archives.ts'
import { forged } from '../backups/forging.fixtures.ts'
import { packed } from '../backups/packing.ts'
import { backedUp, restored, rowsOf } from '../backups/restoring.ts'
import { refusal } from '../transactions/booking.ts'
import { erase, work } from '../trash/trashing.ts'
import { askLock, lock, unlock } from './locking.ts'

const MANY = [409, 'locks.tooMany']

/** Stores so many soft locks of an account, or of all, on days from 1990 on. */
const lockMany = (me: TestUser, accountId: string | null, count: number) =>
  rows(
    `WITH RECURSIVE serial (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < ?3)
      INSERT INTO period_locks (id, owner_id, account_id, through, kind, reason, created_by, balances, created_at, updated_at)
      SELECT 'plk_' || printf('%05d', n) || substr(ifnull(?2, ?1), 10), ?1, ?2, date('1990-01-01', '+' || n || ' days'), 'soft', 'r', ?1, '[]', 0, 0
      FROM serial`,
    me.id,
    accountId,
    count,
  )

describe('locks', () => {
  it.each(['an account', 'all accounts'])('of %s are 500 at most', async (what) => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const wanted = what === 'an account' ? { accountId: id } : {}
    await lockMany(me, wanted.accountId ?? null, 499)
    await lock(me, { ...wanted, through: '2025-01-31' })
    const later = { ...wanted, through: '2025-02-28' }
    expect(refusal(await askLock(me, later))).toEqual(MANY)
    // Those of other accounts have room of their own.
    await lock(me, what === 'an account' ? { through: '2025-02-28' } : { ...later, accountId: id })
    const { periodLocks } = await ok(listPeriodLocks, { as: me, query: { limit: '200' } })
    await unlock(me, periodLocks.at(-1) ?? { id: '' })
    await lock(me, { ...wanted, through: '2025-03-31' })
  })

  it('of one owner are 20,000 at most', async () => {
    const me = await newUser()
    for (let at = 0; at < 40; at++) {
      await lockMany(me, (await newAccount(me)).id, at === 0 ? 499 : 500)
    }
    await lock(me, { through: '2025-01-31' })
    expect(refusal(await askLock(me, { through: '2025-02-28' }))).toEqual(MANY)
    const first = await ok(listPeriodLocks, { as: me, query: { limit: '200' } })
    expect([first.count, first.periodLocks.length]).toEqual([20_000, 200])
  })

  it('as many as there can be go with their account, and the days of others stay', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    await lockMany(me, one.id, 500)
    await lockMany(me, null, 30)
    await lock(me, { accountId: two.id, kind: 'hard', through: '2024-12-31' })
    const dayOf = async ({ id }: { id: string }) => {
      const { lockedThrough, hardLockedThrough } = await ok(getAccountByID, { as: me, id })
      return [lockedThrough, hardLockedThrough]
    }
    expect(await dayOf(one)).toEqual(['1991-05-16', null])
    await ok(deleteAccount, { as: me, id: one.id })
    await erase(me, 'account', one.id)
    await work(me.id)
    expect(await dayOf(two)).toEqual(['2024-12-31', '2024-12-31'])
    const { count } = await ok(listPeriodLocks, { as: me })
    expect(count).toBe(31)
  })
})

it('the days of accounts are found by one seek for each kind of locks', async () => {
  const ofLocks = [...(await heardOfTriggers())].filter(([, { by }]) =>
    by.startsWith('period_locks_'),
  )
  const plans = []
  for (const [sql] of ofLocks) {
    plans.push((await planOf(sql, [])).join('\n'))
  }
  expect(plans).toHaveLength(2)
  const seeks = plans.join('\n').split('\n')
  expect(seeks.filter((step) => step.includes('SCAN accounts'))).toEqual([])
  const ofTable = seeks.filter((step) => / k /.test(step))
  expect(ofTable).toHaveLength(6)
  expect(new Set(ofTable)).toEqual(
    new Set([
      'SEARCH k USING COVERING INDEX period_locks_of_account (account_id=? AND kind=?)',
      'SEARCH k USING INDEX period_locks_of_all (owner_id=? AND kind=?)',
    ]),
  )
})

describe('a list of locks', () => {
  it('looks up what the caller sees of a lock once the page is known', async () => {
    const me = await newUser()
    await lock(me)
    const { database, heard } = overheardDatabase()
    const caller = { userId: me.id, sessionId: null, tokenHash: null, profile: {} }
    const ctx = { ...contextWith({ database: database.withSession('first-primary') }), caller }
    await read(
      ctx as SignedIn,
      pageOfPeriodLocks(ctx as SignedIn, {}, { after: undefined, limit: 200 }),
    )
    const [sql = '', { values = [] } = {}] = [...heard].at(0) ?? []
    const plan = await planOf(sql, values)
    const cut = plan.findIndex((step) => /^(?:CO-ROUTINE|MATERIALIZE) found/.test(step))
    const seen = plan.findIndex((step) => step.startsWith('SEARCH k '))
    expect([cut >= 0, seen > cut]).toEqual([true, true])
    expect(plan.filter((step) => step.startsWith('SCAN period_locks'))).toEqual([])
  })

  it('has all of them, page by page, each with what the caller sees', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    await lockMany(me, one.id, 150)
    await lockMany(me, null, 100)
    const own = await lock(me, { accountId: two.id })
    const all = await lock(me, { through: '2024-12-31' })
    const seen: { id: string; through: string; balances: object[] }[] = []
    let cursor: string | null | undefined
    do {
      const page = await ok(listPeriodLocks, {
        as: me,
        query: { limit: '70', ...(cursor ? { cursor } : {}) },
      })
      seen.push(...page.periodLocks)
      cursor = page.nextCursor
    } while (cursor)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(252)
    expect(seen.map(({ through }) => through)).toEqual(
      seen.map(({ through }) => through).toSorted((a, b) => (a < b ? 1 : -1)),
    )
    expect(seen.slice(0, 2).map(({ id, balances }) => [id, balances.length])).toEqual([
      [own.id, 1],
      [all.id, 2],
    ])
  })
})

describe('an archive', () => {
  it('has 500 locks of an account at most', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    await lock(me, { accountId: id })
    const files = await contentsOf(me, (await backedUp(me)).id)
    const sent = async (count: number) => {
      const more = (some: ArchivedRow[]) =>
        Array.from({ length: count }, () => ({ ...some[0], id: someId('plk') })).toSorted((a, b) =>
          a.id < b.id ? -1 : 1,
        )
      const other = await newUser()
      const archive = await packed(forged(files, { rows: { period_locks: more } }))
      const { state, error } = await restored(other, archive)
      return [state, error?.message ?? null, (await rowsOf(other))['period_locks'] ?? 0]
    }
    expect(await sent(500)).toEqual(['done', null, 500])
    expect(await sent(501)).toEqual([
      'failed',
      expect.stringContaining('more than 500 period_locks with the account_id'),
      0,
    ])
  })

  it.each([
    ['balance_assertions', 'account_id', 50_000],
    ['valuations', 'account_id', 50_000],
    ['valuations', 'transaction_id', 10],
    ['reconciliations', 'account_id', 10_000],
    ['reconciliation_rows', 'transaction_id', 100],
    ['import_identities', 'account_id', 1_000_000],
    ['import_identities', 'transaction_id', 500],
    ['period_locks', 'account_id', 500],
    ['period_locks', undefined, 20_000],
  ])('has so many %s with the same %s at most: %i', (name, column, most) => {
    const table = archivedTables().find((one) => tableNameOf(one) === name)
    const limits = (table?.most ?? []).filter(({ per }) => per?.[0]?.name === column)
    expect(limits.map(({ rows: count }) => count)).toEqual([most])
  })

  it('has 100 dismissed pairs of a transaction at most, whichever of the two it is', () => {
    const table = archivedTables().find((one) => tableNameOf(one) === 'distinct_pairs')
    if (!table) {
      throw new Error('no archive has pairs')
    }
    const check = new RowCheck(Date.now())
    const id = (at: number) => `txn_01${String(at).padStart(8, '0')}${'0'.repeat(16)}`
    const told = Array.from({ length: 102 }, (_, at) => at).map((at) =>
      check
        .take(table, {
          ...{ kind: 'duplicate', created_at: 0 },
          ...(at < 51
            ? { one_id: id(at), other_id: id(500) }
            : { one_id: id(500), other_id: id(500 + at) }),
        })
        .some(({ message }) => message.includes('more than 100 distinct_pairs')),
    )
    expect(told.indexOf(true)).toBe(100)
  })
})
