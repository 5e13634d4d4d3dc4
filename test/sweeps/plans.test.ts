import { beforeAll, expect, it, vi } from 'vitest'
import { settingsOf } from '../../src/env.ts'
import { env } from 'cloudflare:workers'
import { work } from '../../src/areas/index.ts'
import { make } from '../areas/backups/archives.ts'
import { newOwner } from '../areas/own-user/owners.fixtures.ts'
import { rows } from '../support/api.ts'
import { restoreOf } from '../support/sample-parts.ts'
import { overAllAmiss, sendersOverAll } from '../support/statements-over-all.ts'
import {
  type Allowed,
  amiss,
  type Heard,
  heardOfTriggers,
  overheardDatabase,
  scansIn,
} from '../support/plans.ts'
import { dailyFile } from '../support/reference-rates.ts'
import { contextWith } from '../support/service.ts'
import { newUser } from '../support/world.ts'
import { CONTENTS } from '../../src/areas/data-rights/exports/exports.rules.ts'

// The statements of operations are those of test/sweeps/operations.test.ts; here are those of triggers and tasks.

/** Who may read these tables whole, and why. */
const BY_TASKS: Allowed = {
  storage_classes: { by: ['files.purge'], because: 'classes are few' },
  budget_watch: { by: ['sweep'], because: 'marks are worked off at every tick' },
  restored_rows: {
    by: ['archives.expire'],
    because: 'those of merges that have ended, each night',
  },
  tasks: { by: ['platform.purge'], because: 'done ones are kept for a time only' },
  shares: { by: ['budgets.tellExpired'], because: 'those with groups, once a night' },
  sessions: { by: ['platform.purge'], because: 'once a night' },
  sign_in_codes: { by: ['user.erase'], because: 'they live for minutes' },
  rate_coverage: { by: ['exchangeRates.fetch'], because: 'a currency has a few spans' },
  accounts: { by: ['exchangeRates.fetch'], because: 'the first day of each, once a night' },
  users: { by: ['exchangeRates.fetch'], because: 'base currencies, once a night' },
  groups: { by: ['exchangeRates.fetch'], because: 'base currencies, once a night' },
  transactions: {
    by: ['exchangeRates.fetch'],
    because: 'an index of those with an original currency, once a night',
  },
  log_segments: { by: ['auditLog.storeSegments'], because: 'one has a thousand commits' },
}

it('reads no table whole in a trigger', async () => {
  const triggers = await heardOfTriggers()
  expect(triggers.size).toBeGreaterThan(20)
  expect(await scansIn(triggers)).toEqual([])
})

let heard: Heard
let restored: object[]
/** An export of all that there is. */
const everythingOf = async (userId: string) => ({
  format: 'ndjson',
  options: {},
  scope: { shared: true, what: CONTENTS },
  accountIds: (
    await rows<{ id: string }>('SELECT id FROM accounts WHERE owner_id = ?', userId)
  ).map(({ id }) => id),
  restrictedTo: null,
})

/** `files.sweep` asks only where there are objects a day old. */
const isTask = (who: string) => who === 'sweep' || (who.includes('.') && who !== 'files.sweep')

beforeAll(async () => {
  const kept = await make(await newOwner())
  const overheard = overheardDatabase()
  const { id: userId } = await newOwner()
  await rows("UPDATE users SET status = 'deleted', deletion_due_at = 1 WHERE id = ?", userId)
  const [backupId, exportId, dataExportId] = [
    `bak_${userId}`,
    `exp_${userId}`,
    `exp_data_${userId}`,
  ]
  await rows(
    `INSERT INTO archives (id, kind, owner_id, state, filter, created_at, updated_at)
      VALUES (?1, 'backup', ?3, 'queued', NULL, 0, 0), (?2, 'auditLog', ?3, 'queued', '{"format":"csv"}', 0, 0),
        (?4, 'export', ?3, 'queued', ?5, 0, 0)`,
    backupId,
    exportId,
    userId,
    dataExportId,
    JSON.stringify(await everythingOf(userId)),
  )
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(new Response(dailyFile())))
  const settings = settingsOf({ ...env, EXCHANGE_RATES_URL: 'https://rates.example/daily.xml' })
  for (const { kind, run } of work.jobs) {
    overheard.attend(kind)
    const ctx = {
      ...contextWith({ settings }),
      database: overheard.database.withSession('first-primary'),
    }
    // A mail that is not there, and rates of the past from nowhere, are not what is asked here.
    const wanted = kind === 'export.make' ? dataExportId : exportId
    const payload = { userId, ownerId: userId, before: ctx.now, backupId, exportId: wanted }
    await run(ctx, payload, []).catch(() => undefined)
  }
  fetched.mockRestore()
  const restoreId = await restoreOf(await newUser(), kept.id)
  const mergeId = await restoreOf(await newOwner(), kept.id)
  await rows("UPDATE restores SET mode = 'merge' WHERE id = ?", mergeId)
  const restoring = work.jobs.find(({ kind }) => kind === 'backups.restore')
  overheard.attend('backups.restore')
  for (let run = 1; run <= 4; run++) {
    const ctx = { ...contextWith(), database: overheard.database.withSession('first-primary') }
    await restoring?.run(ctx, { restoreId }, [])
    // One that is merged is taken back once all is there.
    await rows(
      "UPDATE restores SET state = 'takingBack' WHERE id = ? AND state = 'reading'",
      mergeId,
    )
    await restoring?.run(ctx, { restoreId: mergeId }, [])
  }
  restored = await rows(
    `SELECT state, (SELECT count(*) > 20 FROM restored_rows WHERE restore_id = ?2) AS hasRows
      FROM restores WHERE id IN (?1, ?2) ORDER BY id`,
    restoreId,
    mergeId,
  )
  for (const sweep of work.sweeps ?? []) {
    overheard.attend('sweep')
    await sweep({ ...contextWith(), database: overheard.database.withSession('first-primary') })
  }
  ;({ heard } = overheard)
})

it('has done a whole restore', () => {
  expect(restored).toEqual([
    { state: 'done', hasRows: 1 },
    { state: 'failed', hasRows: 1 },
  ])
})

it('reads no table whole in a task, but to check the ledger', async () => {
  expect(heard.size).toBeGreaterThan(50)
  const scans = await scansIn(new Map([...heard].filter(([, { by }]) => by !== 'ledger.check')))
  expect(amiss(scans, BY_TASKS)).toEqual({ found: [], surplus: [] })
})

it('says in each statement of a task whose rows it means, but those that are about everybody', async () => {
  expect(await overAllAmiss(heard, isTask)).toEqual({ found: [], surplus: [] })
})

const SOMEBODY = `usr_${'0'.repeat(26)}`

it.each<[string, string, unknown[]]>([
  ['the transactions of all', 'SELECT id FROM transactions WHERE kind = ?', ['expense']],
  ['the names of all', 'SELECT name FROM users ORDER BY id', []],
  ['rows by a date', 'DELETE FROM "entries" WHERE date < ?', ['2026-01-01']],
  ['one table of nobody beside one of all', 'SELECT 1 FROM settings, accounts', [1, null]],
])('would tell who goes to %s', async (_, sql, values) => {
  const planted = new Map([[sql, { by: 'somebody ?x=1', values }]])
  expect([...(await sendersOverAll(planted)).keys()]).toEqual(['somebody'])
  const named = new Map([[sql, { by: 'somebody', values: [...values, SOMEBODY] }]])
  expect((await sendersOverAll(named)).size).toBe(0)
})

it('does not mind statements on tables of nobody', async () => {
  const planted = new Map([['SELECT 1 FROM settings', { by: 'somebody', values: [] }]])
  expect((await sendersOverAll(planted)).size).toBe(0)
})

it.each([
  ['a table', "SELECT 1 FROM entries WHERE note = 'x'", 'SCAN entries'],
  ['a table under another name', "SELECT 1 FROM entries AS e WHERE e.note = 'x'", 'SCAN e'],
  ['all of an index', 'SELECT count(*) FROM "transactions"', 'SCAN transactions USING COVERING'],
  [
    'a table for an index of the moment',
    'SELECT 1 FROM accounts a JOIN entries e ON e.note = a.name',
    'SEARCH e USING AUTOMATIC',
  ],
])('would tell who reads %s', async (_, sql, step) => {
  const scans = await scansIn(new Map([[sql, { by: 'somebody', values: [] }]]))
  expect(scans.map((scan) => scan.step)).toContainEqual(expect.stringContaining(step))
})

it('does not mind a walk through what a statement has made itself', async () => {
  const sql = `WITH few AS (SELECT * FROM accounts WHERE owner_id = 'x' LIMIT 3)
    SELECT few.id FROM few, json_each('[1, 2]') n, (SELECT 1 UNION ALL SELECT 2) two`
  expect(await scansIn(new Map([[sql, { by: 'somebody', values: [] }]]))).toEqual([])
})
