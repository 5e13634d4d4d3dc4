import { afterEach, describe, expect, it } from 'vitest'
import {
  expireArchivesJob,
  takeBackRestoresSweep,
} from '../../src/areas/data-rights/backups/backups.jobs.ts'
import { startScheduledJob } from '../../src/areas/data-rights/exports/schedules/schedules.jobs.ts'
import { setExportSchedule } from '../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { expireImportsJob } from '../../src/areas/intake/imports/imports.jobs.ts'
import { purgeFilesJob } from '../../src/areas/files/attachments/sweeping/sweeping.jobs.ts'
import { checkAssertionsJob } from '../../src/areas/money/balance-assertions/balance-assertions.jobs.ts'
import { purgeTrashJob } from '../../src/areas/money/trash/trash.jobs.ts'
import { file } from '../areas/attachments/filing.ts'
import { newBudget } from '../areas/budgets/budgets.fixtures.ts'
import { assert } from '../areas/balance-assertions/asserting.ts'
import { uploaded } from '../areas/imports/importing.ts'
import { ok, rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'
import { undoneBy } from '../support/undone.ts'
import { newAccount, newUser } from '../support/world.ts'
import type { Job } from '../../src/platform/work/payloads.ts'

// Rows that work on the rows of everybody fails for. They have the least ids, so that they come first, also the next time.

const DAY = 24 * 60 * 60 * 1000
const FIRST = '00000000000000000000000000'

const run = (job: Job, changed: Parameters<typeof contextWith>[0] = {}) =>
  undoneBy(() => Promise.resolve(job.run(contextWith(changed), {}, [])))

afterEach(() => rows('DROP TRIGGER IF EXISTS poisoned'))

/** Has the database refuse to delete or to update a row. */
const keep = (table: string, id: string, from: 'DELETE' | 'UPDATE' = 'DELETE') =>
  rows(`CREATE TRIGGER poisoned BEFORE ${from} ON ${table} WHEN OLD.id = '${id}'
    BEGIN SELECT RAISE(ABORT, 'poisoned'); END`)

it('balance assertions are checked beside one that cannot be stored', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const wrong = (date: string) => assert(me, account, { date, amount: '3' })
  const { id: bad } = await wrong('2025-01-31')
  await rows('UPDATE balance_assertions SET was_ok = 1 WHERE id = ?', bad)
  await keep('balance_assertions', bad, 'UPDATE')
  for (const date of ['2025-02-28', '2025-03-31']) {
    const { id } = await wrong(date)
    await rows('UPDATE balance_assertions SET was_ok = 1 WHERE id = ?', id)
    expect(await run(checkAssertionsJob)).toMatchObject([
      { work: 'assertions.check', id: bad, cause: expect.stringContaining('poisoned') as string },
    ])
    expect(
      await rows(
        "SELECT 1 FROM log_entries WHERE resource_id = ? AND type = 'assertion.failed'",
        id,
      ),
    ).toHaveLength(1)
  }
})

it('exports of schedules are started beside one whose options are no JSON', async () => {
  const json = { every: 'week', day: 1, keep: 1 } as const
  const scheduled = async () => {
    const me = await newUser()
    await newAccount(me)
    await ok(setExportSchedule, { as: me, path: { format: 'csv' }, json })
    return me
  }
  const bad = await scheduled()
  await rows(
    "UPDATE export_schedules SET id = ?, options = '{' WHERE owner_id = ?",
    `exs_${FIRST}`,
    bad.id,
  )
  for (const weeks of [2, 4]) {
    const me = await scheduled()
    expect(await run(startScheduledJob, { now: Date.now() + weeks * 7 * DAY })).toMatchObject([
      { work: 'export.startScheduled', id: `exs_${FIRST}`, cause: 'SyntaxError' },
    ])
    expect(
      await rows("SELECT 1 FROM archives WHERE owner_id = ? AND kind = 'export'", me.id),
    ).toHaveLength(1)
  }
})

const archive = (id: string, ownerId: string, key: string) =>
  rows(
    `INSERT INTO archives (id, kind, owner_id, state, object_key, expires_at, version, created_at, updated_at)
      VALUES (?, 'export', ?, 'ready', ?, 1, 1, 1, 1)`,
    ...[id, ownerId, key],
  )

it('archives and imports expire beside one that cannot be stored', async () => {
  const [bad, me] = [await newUser(), await newUser()]
  await archive(`exp_${FIRST}`, bad.id, 'held')
  await keep('archives', `exp_${FIRST}`, 'UPDATE')
  for (const id of ['exp_1', 'exp_2']) {
    await archive(id, me.id, `object of ${id}`.replaceAll(' ', '-'))
    expect(await run(expireArchivesJob)).toMatchObject([
      { work: 'archives.expire', id: `exp_${FIRST}` },
    ])
    expect(await rows('SELECT state FROM archives WHERE id = ?', id)).toEqual([
      { state: 'expired' },
    ])
  }
  await rows('DROP TRIGGER poisoned')
  const { id: first } = await uploaded(bad, 'a,b\n1,2\n')
  await rows('UPDATE imports SET expires_at = 1 WHERE id = ?', first)
  await keep('imports', first, 'UPDATE')
  for (let night = 0; night < 2; night++) {
    const { id } = await uploaded(me, `a,b\n1,${night}\n`)
    await rows('UPDATE imports SET expires_at = 1 WHERE id = ?', id)
    expect(await run(expireImportsJob)).toMatchObject([{ work: 'imports.expire', id: first }])
    expect(await rows('SELECT object_key FROM imports WHERE id = ?', id)).toEqual([
      { object_key: null },
    ])
  }
})

it('files are erased beside one that cannot be', async () => {
  const [bad, me] = [await newUser(), await newUser()]
  const drop = (id: string) => rows('UPDATE attachments SET deleted_at = 1 WHERE id = ?', id)
  const held = await file(bad)
  await drop(held.id)
  await keep('attachments', held.id)
  for (let night = 0; night < 2; night++) {
    const { id } = await file(me)
    await drop(id)
    expect(await run(purgeFilesJob)).toMatchObject([{ work: 'files.purge', id: held.id }])
    expect(await rows('SELECT 1 FROM attachments WHERE id = ?', id)).toEqual([])
  }
})

describe('the trash', () => {
  it('is emptied every night of all but what cannot be erased, which the task tells at its end', async () => {
    const [bad, me] = [await newUser(), await newUser()]
    const drop = async (as: typeof me) => {
      const { id } = await newBudget(as, { mode: 'limit' })
      await rows('UPDATE budgets SET deleted_at = 1 WHERE id = ?', id)
      return id
    }
    const held = await drop(bad)
    await keep('budgets', held)
    for (let night = 0; night < 2; night++) {
      const id = await drop(me)
      const logged = await undoneBy(() =>
        expect(purgeTrashJob.run(contextWith(), {}, [])).rejects.toMatchObject({
          code: 'service.failed',
        }),
      )
      expect(logged).toMatchObject([{ work: 'trash.purge', id: held }])
      expect(await rows('SELECT 1 FROM budgets WHERE id = ?', id)).toEqual([])
    }
  })
})

it('the trash of others is erased behind more than one run can try, and the last one tells', async () => {
  const [bad, me] = [await newUser(), await newUser()]
  const put = (as: typeof me, count: number, deletedAt: number) =>
    rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO trashed_rows (id, owner_id, kind, name, image, deleted_at)
        SELECT 'tag_' || ?2 || i, ?2, 'tag', 'x', '{}', ?3 FROM n`,
      ...[count, as.id, deletedAt],
    )
  await put(bad, 300, 1)
  await put(me, 2, 2)
  await rows(`CREATE TRIGGER poisoned BEFORE DELETE ON trashed_rows WHEN OLD.owner_id = '${bad.id}'
    BEGIN SELECT RAISE(ABORT, 'poisoned'); END`)
  const purge = (payload: object) =>
    undoneBy(() => Promise.resolve(purgeTrashJob.run(contextWith(), payload, [])))
  // What it tries in one run is a hundred commits, and some of those it tries one by one.
  expect(await purge({})).toHaveLength(250)
  const [next] = await rows<{ payload: string }>(
    "SELECT payload FROM tasks WHERE kind = 'trash.purge' AND instr(payload, ?)",
    bad.id,
  )
  const { failed } = JSON.parse(next?.payload ?? '{}') as {
    failed: Record<string, { deletedAt: number; id: string }>
  }
  await expect(purge({ failed })).rejects.toMatchObject({ code: 'service.failed' })
  // A task that finds nothing after these does not say that all is erased.
  const past = Object.fromEntries(
    Object.keys(failed).map((kind) => [kind, { deletedAt: 3, id: '' }]),
  )
  await expect(purge({ failed: past })).rejects.toMatchObject({ code: 'trash.leftBehind' })
  expect(await rows('SELECT 1 FROM trashed_rows WHERE owner_id = ?', me.id)).toEqual([])
  await rows('DROP TRIGGER poisoned')
  await rows('DELETE FROM trashed_rows WHERE owner_id = ?', bad.id)
})

it('dead restores are taken back beside one whose report is no JSON', async () => {
  const dead = async (id: string, report: string) =>
    rows(
      `INSERT INTO restores (id, owner_id, state, dry_run, size, sha256, objects, report, version, created_at, updated_at)
        VALUES (?, ?, 'writing', 0, 1, '', '[]', ?, 1, 1, 1)`,
      ...[id, (await newUser()).id, report],
    )
  await dead(`rst_${FIRST}`, '{')
  for (const id of ['rst_1', 'rst_2']) {
    await dead(id, '{}')
    const logged = await undoneBy(() => takeBackRestoresSweep(contextWith()))
    expect(logged).toMatchObject([{ work: 'backups.takeBack', id: `rst_${FIRST}` }])
    expect(await rows('SELECT state FROM restores WHERE id = ?', id)).toEqual([
      { state: 'takingBack' },
    ])
  }
  await rows('DELETE FROM restores')
})
