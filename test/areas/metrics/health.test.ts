import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { getSystemHealth } from '../../../src/areas/operations/metrics/metrics.routes.ts'
import { type Health, problemsOf } from '../../../src/areas/operations/metrics/metrics.rules.ts'
import { getReadiness } from '../../../src/areas/operations/service/service.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { failingService } from '../../support/interface.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeCommit } from '../audit-log/stored-log.ts'
import { deliver, newKind, storeTask } from '../queue-tasks/tasks.ts'
import { limit } from '../../support/rounds.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21, 2)

const broken = { head: () => Promise.reject(new Error('gone')) } as unknown as R2Bucket
const silent = { metrics: () => Promise.reject(new Error('gone')) } as unknown as Queue

const fine: Health = {
  ...{ now: NOW, databaseNow: NOW + 20, files: true, queue: true },
  ...{ due: 0, oldestDueAt: null, lagSeconds: 0, shipped: '0002_b.sql', applied: '0002_b.sql' },
  ...{ nightly: [], ledgerCheck: null, readers: [], dead: 0, unsealedSince: null, rates: null },
}

const reader = (failures: number, skipped = 0) => ({
  readers: [{ name: 'sharing.notices', behind: 3, failures, skipped, error: null }],
})

const night = (change: Partial<Health['nightly'][number]> = {}) => ({
  nightly: [
    {
      ...{ kind: 'ledger.check', date: '2026-11-20', state: 'succeeded' as const },
      ...{ finishedAt: NOW - DAY, error: null, ...change },
    },
  ],
})

const rates = (newestDate: string | null, failing: 0 | 1 | null) => ({
  rates: { newestDate, failing },
})

describe('what is a problem', () => {
  it.each<[string, Partial<Health>, string[]]>([
    ['nothing', {}, []],
    ['a lag of ten minutes', { lagSeconds: 600 }, []],
    ['a longer lag', { lagSeconds: 601 }, ['lag']],
    ['a bucket that does not answer', { files: false }, ['files']],
    ['a queue that does not answer', { queue: false }, ['queue']],
    ['a database that is behind', { applied: '0001_a.sql' }, ['migrations']],
    ['a database without migrations', { applied: null }, ['migrations']],
    ['a database that is ahead, as in an upgrade', { applied: '0003_c.sql' }, []],
    ['a clock five seconds off', { databaseNow: NOW - 5000 }, []],
    ['a clock further off', { databaseNow: NOW - 5001 }, ['clock']],
    ['a clock as far ahead', { databaseNow: NOW + 5001 }, ['clock']],
    ['work that was done last night', night(), []],
    ['work that is being done', night({ date: '2026-11-21', state: 'running' }), []],
    ['work that failed', night({ state: 'dead' }), ['nightly']],
    ['work that was not asked for last night', night({ date: '2026-11-19' }), ['nightly']],
    ['a ledger that agrees', { ledgerCheck: { at: NOW, differences: 0 } }, []],
    ['a ledger that differs', { ledgerCheck: { at: NOW, differences: 1 } }, ['ledger']],
    ['a reader that is behind, and has left something out', reader(0, 1), []],
    ['a reader that fails', reader(1), ['readers']],
    [
      'a reader ahead of the log',
      { readers: [{ name: 'x', behind: -1, failures: 0, skipped: 0, error: null }] },
      ['readers'],
    ],
    ['a task that was given up', { dead: 1 }, ['tasks']],
    ['a log that was sealed lately', { unsealedSince: NOW - 15 * 60_000 }, []],
    ['a log that nobody seals', { unsealedSince: NOW - 15 * 60_000 - 1 }, ['auditLog']],
    ['a source of rates that was not asked yet', rates(null, null), []],
    ['rates of five days ago', rates('2026-11-16', 0), []],
    ['rates of six days ago', rates('2026-11-15', 0), ['exchangeRates']],
    ['a source of rates that fails', rates('2026-11-20', 1), ['exchangeRates']],
    ['much at once', { files: false, lagSeconds: 1e6 }, ['files', 'lag']],
  ])('of %s', (_, changed, expected) => {
    expect(problemsOf({ ...fine, ...changed })).toEqual(expected)
  })
})

describe('system health', () => {
  it('says that all answers, and what the newest migration is', async () => {
    const { bindings, migrations, clock, ...rest } = await ok(getSystemHealth, {
      as: await newAdmin(),
    })
    expect(bindings).toEqual({ database: true, files: true, queue: true })
    const newest = env.TEST_MIGRATIONS.at(-1)?.name
    expect(migrations).toEqual({ applied: newest, shipped: newest })
    expect(Math.abs(clock.differenceMs)).toBeLessThan(limit(5000))
    expect(rest.problems).not.toContain('migrations')
    expect(rest.status).toBe(rest.problems.length === 0 ? 'ok' : 'degraded')
  })

  it('says which binding does not answer, and is told all the same', async () => {
    const as = await newAdmin()
    const health = async (bindings: { FILES?: R2Bucket; TASKS?: Queue }) =>
      (
        await serviceWith({ env: bindings }).call<{ problems: string[]; bindings: object }>(
          getSystemHealth,
          { as },
        )
      ).body
    const [files, queue] = [await health({ FILES: broken }), await health({ TASKS: silent })]
    expect(files.bindings).toEqual({ database: true, files: false, queue: true })
    expect(files.problems).toContain('files')
    expect(queue.bindings).toEqual({ database: true, files: true, queue: false })
    expect(queue.problems).toContain('queue')
  })

  it('tells how long what is due has waited', async () => {
    const as = await newAdmin()
    const since = Date.now() - 3 * DAY
    const id = await storeTask({ kind: newKind(), dueAt: since })
    const { queue, problems } = await ok(getSystemHealth, { as })
    await rows('DELETE FROM tasks WHERE id = ?', id)
    expect(queue.due).toBeGreaterThan(0)
    expect(queue.oldestDueAt).toBe(new Date(since).toISOString())
    expect(Math.abs(queue.lagSeconds - 3 * 24 * 3600)).toBeLessThan(60)
    expect(problems).toContain('lag')
  })

  it('tells what was given up, and since when nobody seals the log', async () => {
    const as = await newAdmin()
    const id = await storeTask({ kind: newKind() })
    await rows("UPDATE tasks SET state = 'dead' WHERE id = ?", id)
    for (const sweep of work.sweeps ?? []) {
      await sweep(contextWith())
    }
    await storeCommit({ at: 1 })
    const { queue, auditLog, problems } = await ok(getSystemHealth, { as })
    expect(queue.dead).toBeGreaterThan(0)
    expect(auditLog.unsealedSince).toBe('1970-01-01T00:00:00.001Z')
    expect(problems).toEqual(expect.arrayContaining(['tasks', 'auditLog']))
  })

  it('tells what became of each nightly job the last time', async () => {
    const as = await newAdmin()
    const kind = newKind()
    const store = async (now: number, state: string) => {
      const day = new Date(now).toISOString().slice(0, 10)
      const id = await storeTask({ kind, dedupeKey: `${kind} ${day}` }, undefined, now)
      await rows('UPDATE tasks SET state = ?, finished_at = ? WHERE id = ?', state, now, id)
      return id
    }
    const now = Date.now()
    await store(now - 2 * DAY, 'dead')
    await store(now - DAY, 'succeeded')
    // What somebody asked for besides is none.
    const asked = await storeTask({ kind }, undefined, now)
    await rows("UPDATE tasks SET state = 'dead' WHERE id = ?", asked)
    const of = async () =>
      (await ok(getSystemHealth, { as })).nightly.filter((one) => one.kind === kind)
    expect(await of()).toEqual([
      {
        ...{ kind, state: 'succeeded', error: null },
        date: new Date(now - DAY).toISOString().slice(0, 10),
        finishedAt: new Date(now - DAY).toISOString(),
      },
    ])
    await store(now, 'dead')
    expect((await of()).map(({ state }) => state)).toEqual(['dead'])
    expect((await ok(getSystemHealth, { as })).problems).toContain('nightly')
    await rows('DELETE FROM tasks WHERE kind = ?', kind)
  })

  it('tells the result of the last comparison of the ledger with itself', async () => {
    const as = await newAdmin()
    const check = async () => deliver(work, await storeTask({ kind: 'ledger.check' }))
    await check()
    const found = (await ok(getSystemHealth, { as })).ledgerCheck
    expect(found).toEqual({ at: expect.any(String), differences: expect.any(Number) })
    const { id } = await newAccount(await newUser())
    const shift = (by: number) =>
      rows('UPDATE account_balances SET opening_minor = ? WHERE account_id = ?', by, id)
    await shift(1)
    await check()
    const after = await ok(getSystemHealth, { as })
    await shift(0)
    expect(after.ledgerCheck?.differences).toBe((found?.differences ?? 0) + 1)
    expect(after.problems).toContain('ledger')
  })

  it('is for whoever may see metrics', async () => {
    expect((await call(getSystemHealth, { as: await newUser() })).status).toBe(403)
  })
})

describe('readiness', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('needs the database, the bucket and the queue', async () => {
    const statusOf = async (service = serviceWith({})) => (await service.call(getReadiness)).status
    expect(await statusOf()).toBe(200)
    expect(await statusOf(serviceWith({ env: { FILES: broken } }))).toBe(503)
    expect(await statusOf(serviceWith({ env: { TASKS: silent } }))).toBe(503)
    expect(await statusOf(failingService())).toBeGreaterThanOrEqual(500)
  })

  it.each(['database or disk is full: SQLITE_FULL', 'attempt to write a readonly database'])(
    'needs a database that can store something, not one of which: %s',
    async (message) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      let isFull = true
      let trips = 0
      const service = serviceWith({
        aroundTrips: async (_, run) => {
          trips += 1
          if (isFull) {
            throw new Error(`D1_ERROR: ${message}`)
          }
          return run()
        },
      })
      const stored = () => rows('SELECT * FROM rate_limits')
      const statuses = async () => {
        const answers = await Promise.all([1, 2, 3].map(() => service.call(getReadiness)))
        return answers.map(({ status }) => status).toSorted()
      }
      expect((await service.call(getReadiness)).status).toBe(503)
      // Whoever asks again causes no write, and hears what was found.
      expect([await statuses(), trips]).toEqual([[503, 503, 503], 1])
      isFull = false
      vi.advanceTimersByTime(11_000)
      expect((await service.call(getReadiness)).status).toBe(200)
      const probed = await stored()
      expect([await statuses(), trips]).toEqual([[200, 200, 200], 5])
      expect(await stored()).toEqual(probed)
    },
  )

  it('leaves one row, however often it writes', async () => {
    const count = async () => (await rows('SELECT key FROM rate_limits')).length
    await serviceWith({}).call(getReadiness)
    const before = await count()
    await serviceWith({}).call(getReadiness)
    await serviceWith({ ahead: 3_600_000 }).call(getReadiness)
    expect(await count()).toBe(before)
  })
})
