import { describe, expect, it } from 'vitest'
import { createExport, listExports } from '../../../src/areas/data-rights/exports/exports.routes.ts'
import { startScheduledJob } from '../../../src/areas/data-rights/exports/schedules/schedules.jobs.ts'
import {
  deleteExportSchedule,
  listExportSchedules,
  setExportSchedule,
} from '../../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { nextDueAfter } from '../../../src/areas/data-rights/exports/schedules/schedules.rules.ts'
import { expireArchivesJob } from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import { work } from '../../../src/areas/index.ts'
import { getJob } from '../../../src/areas/operations/jobs/jobs.routes.ts'
import { again } from '../../support/again.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { storeShare } from '../../support/stored.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { fetchExport, makeExport, newTraveller, tableOf } from './exports.fixtures.ts'

const traveller = again(newTraveller)

const DAY = 24 * 60 * 60 * 1000
const WEEKLY = { every: 'week', day: 1, keep: 1 } as const

const setFor = (as: Principal, format: string, json: object = WEEKLY, headers = {}) =>
  call(setExportSchedule, { as, path: { format }, json: json as typeof WEEKLY, headers })

const nextDate = async (as: Principal) =>
  (await ok(listExportSchedules, { as })).schedules.map((one) => one.nextDate)

/** What the night of this day starts, made on the same day. */
async function night(date: string, { id }: TestUser): Promise<void> {
  const now = Date.parse(`${date}T03:17:00Z`)
  await startScheduledJob.run(contextWith({ now }), {}, [])
  const started = await rows<{ id: string }>(
    "SELECT t.id FROM tasks t WHERE t.created_by = ? AND t.kind = 'export.make' AND t.state = 'queued'",
    id,
  )
  for (const task of started) {
    await deliver(work, task.id, now - Date.now() + 1000)
  }
}

const expire = (date: string) =>
  expireArchivesJob.run(contextWith({ now: Date.parse(`${date}T03:17:00Z`) }), {}, [])

/** The states of the exports of schedules, the oldest first. */
const statesOf = async (as: Principal) =>
  (await ok(listExports, { as, query: { limit: 200 } })).exports
    .filter(({ scheduled }) => scheduled)
    .map(({ state, expiresAt }) => (expiresAt === null ? 'kept' : state))
    .toReversed()

describe('the next day of a schedule', () => {
  it.each([
    ['week', 1, '2026-11-23', '2026-11-30'],
    ['week', 2, '2026-11-23', '2026-11-24'],
    ['week', 7, '2026-11-23', '2026-11-29'],
    ['week', 1, '2026-11-29', '2026-11-30'],
    ['week', 4, '1970-01-01', '1970-01-08'],
    ['month', 1, '2026-11-23', '2026-12-01'],
    ['month', 24, '2026-11-23', '2026-11-24'],
    ['month', 23, '2026-11-23', '2026-12-23'],
    ['month', 31, '2026-11-23', '2026-11-30'],
    ['month', 31, '2026-11-30', '2026-12-31'],
    ['month', 31, '2027-01-31', '2027-02-28'],
    ['month', 29, '2028-02-01', '2028-02-29'],
    ['month', 5, '2026-12-05', '2027-01-05'],
  ] as const)('every %s on day %i after %s is %s', (every, day, today, next) => {
    expect(nextDueAfter({ every, day }, today)).toBe(next)
  })
})

describe('a schedule', () => {
  it('is set, listed, changed and deleted', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    expect(await ok(listExportSchedules, { as: me })).toEqual({ schedules: [], count: 0 })
    const scope = { accountId: [accountId], from: '2026-01-01' }
    const made = await setFor(me, 'hledger', { every: 'month', day: 31, keep: 12, scope })
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ format: 'hledger', options: {}, every: 'month', day: 31, keep: 12, version: 1 },
        scope: { ...scope, shared: false, what: ['transactions'] },
      },
    })
    await setFor(me, 'csv')
    const { schedules, count } = await ok(listExportSchedules, { as: me })
    expect([schedules.map(({ format }) => format), count]).toEqual([['csv', 'hledger'], 2])
    expect(schedules[1]).toEqual(made.body)
    // What is not sent stays, and a repeat changes nothing.
    const json = { every: 'month', day: 31, keep: 2 }
    const changed = await setFor(me, 'hledger', json)
    expect(changed.body).toMatchObject({ id: made.body.id, scope, keep: 2, version: 2 })
    expect((await setFor(me, 'hledger', json)).body).toEqual(changed.body)
    await ok(deleteExportSchedule, { as: me, path: { format: 'hledger' } })
    expect((await ok(listExportSchedules, { as: me })).count).toBe(1)
    expect(await call(deleteExportSchedule, { as: me, path: { format: 'hledger' } })).toMatchObject(
      { status: 404, error: { code: 'exports.scheduleNotFound' } },
    )
    const logged = await rows<{ type: string }>(
      `SELECT type FROM log_entries WHERE resource_id = ? ORDER BY number`,
      made.body.id,
    )
    expect(logged.map(({ type }) => type)).toEqual([
      ...['exportSchedule.created', 'exportSchedule.updated', 'exportSchedule.deleted'],
    ])
  })

  it('is one of five at most', async () => {
    const me = await newUser()
    for (const format of ['csv', 'json', 'qif', 'ofx', 'ledger']) {
      expect((await setFor(me, format)).status).toBe(200)
    }
    expect(await setFor(me, 'beancount')).toMatchObject({
      status: 409,
      error: {
        code: 'exports.tooMany',
        error: 'You already have 5 schedules, the maximum. Delete one first.',
      },
    })
    expect((await setFor(me, 'csv', { ...WEEKLY, keep: 2 })).status).toBe(200)
    expect((await ok(listExportSchedules, { as: me })).count).toBe(5)
  })

  it.each<[what: string, format: string, json: object, code: string, field: string]>([
    ['a day that no week has', 'csv', { ...WEEKLY, day: 8 }, 'exports.notADay', 'day'],
    ['no day', 'csv', { every: 'month', keep: 1 }, 'request.invalid', 'day'],
    ['a day that no month has', 'csv', { ...WEEKLY, day: 32 }, 'request.invalid', 'day'],
    ['none to keep', 'csv', { ...WEEKLY, keep: 0 }, 'request.invalid', 'keep'],
    ['too many to keep', 'csv', { ...WEEKLY, keep: 13 }, 'request.invalid', 'keep'],
    ['no format', 'xlsx', WEEKLY, 'request.invalid', 'format'],
    [
      'an option of another format',
      'json',
      { ...WEEKLY, options: { locale: 'de' } },
      'exports.notAnOption',
      'options.locale',
    ],
    [
      'what the format cannot contain',
      'qif',
      { ...WEEKLY, scope: { what: ['budgets'] } },
      'exports.notInFormat',
      'scope.what.0',
    ],
    [
      'an account that is not there',
      'qif',
      { ...WEEKLY, scope: { accountId: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'] } },
      'exports.unknownAccount',
      'scope.accountId',
    ],
  ])('is refused: %s', async (_, format, json, code, field) => {
    const me = await newUser()
    expect(await setFor(me, format, json)).toMatchObject({
      status: 400,
      error: { code, field },
    })
    expect((await ok(listExportSchedules, { as: me })).count).toBe(0)
  })

  it('is changed only in the version that If-Match names', async () => {
    const me = await newUser()
    const stale = { 'If-Match': '"1-x"' }
    expect((await setFor(me, 'csv', WEEKLY, stale)).status).toBe(412)
    const { headers } = await setFor(me, 'csv')
    const etag = headers.get('ETag') ?? ''
    expect((await setFor(me, 'csv', { ...WEEKLY, keep: 2 }, { 'If-Match': etag })).status).toBe(200)
    expect((await setFor(me, 'csv', { ...WEEKLY, keep: 3 }, { 'If-Match': etag })).status).toBe(412)
  })

  it('is nobody else’s, and not that of a token for some accounts', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    await setFor(me, 'csv')
    const other = await newUser()
    expect((await ok(listExportSchedules, { as: other })).count).toBe(0)
    expect((await call(deleteExportSchedule, { as: other, path: { format: 'csv' } })).status).toBe(
      404,
    )
    const token = await giveToken(me, ['exports.read', 'exports.write'], [id])
    const refused = { status: 403, error: { code: 'exports.restrictedSchedule' } }
    expect(await call(listExportSchedules, { as: token })).toMatchObject(refused)
    expect(await setFor(token, 'json')).toMatchObject(refused)
    expect(await call(deleteExportSchedule, { as: token, path: { format: 'csv' } })).toMatchObject(
      refused,
    )
  })
})

describe('the night', () => {
  it('makes what is due, once, with accounts that are added later', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv')
    const [due = ''] = await nextDate(me)
    expect(new Date(due).getUTCDay()).toBe(1)
    await newAccount(me, { name: 'Later', openingBalance: '5.00' })
    const before = new Date(Date.parse(due) - DAY).toISOString().slice(0, 10)
    await night(before, me)
    expect(await statesOf(me)).toEqual([])
    await night(due, me)
    await night(due, me)
    const [made] = (await ok(listExports, { as: me })).exports
    expect(made).toMatchObject({
      ...{ state: 'ready', format: 'csv', scheduled: true, expiresAt: null },
      counts: { transactions: 4 },
    })
    expect(await statesOf(me)).toEqual(['kept'])
    expect(await ok(getJob, { as: me, id: made?.jobId ?? '' })).toMatchObject({
      kind: 'export.make',
      state: 'succeeded',
    })
    const lines = tableOf(await (await fetchExport(me, made?.id ?? '')).text())
    expect(lines.some(({ account }) => account === 'Later')).toBe(true)
    const [{ next } = { next: '' }] = await rows<{ next: string }>(
      'SELECT next_on AS next FROM export_schedules WHERE owner_id = ?',
      me.id,
    )
    expect(Date.parse(next) - Date.parse(due)).toBe(7 * DAY)
    const logged = await rows<{ type: string }>(
      "SELECT type FROM log_entries WHERE resource_id = ? AND type LIKE 'export.%' ORDER BY number",
      made?.id ?? '',
    )
    expect(logged.map(({ type }) => type)).toEqual([
      ...['export.requested', 'export.begun', 'export.made'],
    ])
    // What somebody asked for themselves is nothing to tell them.
    await makeExport(me, { format: 'csv' })
    expect(
      await rows(
        `SELECT n.kind, n.resource_type AS type, n.resource_id AS id, n.facts ->> 'scheduleId' = s.id AS isOf
          FROM notifications n JOIN export_schedules s ON s.owner_id = n.user_id WHERE n.user_id = ?`,
        me.id,
      ),
    ).toEqual([{ kind: 'export.made', type: 'export', id: made?.id, isOf: 1 }])
  })

  it('makes nothing for a disabled user, and makes up for it once they are enabled', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv')
    await rows("UPDATE users SET status = 'disabled' WHERE id = ?", me.id)
    await startScheduledJob.run(contextWith({ now: Date.parse('2099-01-01') }), {}, [])
    const made = () => rows('SELECT id FROM archives WHERE owner_id = ?', me.id)
    expect(await made()).toEqual([])
    await rows("UPDATE users SET status = 'active' WHERE id = ?", me.id)
    await startScheduledJob.run(contextWith({ now: Date.parse('2099-01-02') }), {}, [])
    expect(await made()).toHaveLength(1)
  })

  it('makes one export where nights were missed', async () => {
    const { me } = await traveller()
    await setFor(me, 'qif')
    await night('2099-01-01', me)
    expect(await statesOf(me)).toEqual(['kept'])
    expect(await nextDate(me)).toEqual(['2099-01-05'])
  })

  it('keeps the newest beyond seven days, beside the ten that one may have', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv', { every: 'month', day: 1, keep: 2 })
    for (const month of ['01', '02', '03']) {
      await night(`2099-${month}-01`, me)
    }
    expect(await statesOf(me)).toEqual(['ready', 'kept', 'kept'])
    await expire('2099-03-02')
    expect(await statesOf(me)).toEqual(['expired', 'kept', 'kept'])
    for (let at = 0; at < 10; at++) {
      await makeExport(me, { format: 'csv' })
    }
    expect(await call(createExport, { as: me, json: { format: 'csv' } })).toMatchObject({
      status: 409,
      error: {
        code: 'exports.tooMany',
        error: 'You already have 10 exports to download, the maximum. Delete one first.',
      },
    })
    await night('2099-04-01', me)
    expect(await statesOf(me)).toEqual(['expired', 'ready', 'kept', 'kept'])
  })

  it('keeps what was kept for another seven days when the schedule keeps fewer, or ends', async () => {
    const { me } = await traveller()
    const monthly = { every: 'month', day: 1, keep: 2 }
    await setFor(me, 'csv', monthly)
    await rows('UPDATE export_schedules SET next_on = ? WHERE owner_id = ?', '2026-01-01', me.id)
    await night('2026-01-01', me)
    await night('2026-02-01', me)
    expect(await statesOf(me)).toEqual(['kept', 'kept'])
    await setFor(me, 'csv', { ...monthly, keep: 1 })
    const [old] = (await ok(listExports, { as: me })).exports.toReversed()
    const left = Date.parse(old?.expiresAt ?? '') - Date.now()
    expect(Math.abs(left - 7 * DAY)).toBeLessThan(DAY)
    // Kept once more, as long as it is there.
    await setFor(me, 'csv', monthly)
    expect(await statesOf(me)).toEqual(['kept', 'kept'])
    await ok(deleteExportSchedule, { as: me, path: { format: 'csv' } })
    expect(await statesOf(me)).toEqual(['ready', 'ready'])
  })

  it('exports shared accounts where that is requested, as long as they are shared', async () => {
    const { me: owner, everyday } = await traveller()
    const friend = await newUser()
    const shareId = await storeShare(everyday.id, { user: friend })
    await setFor(friend, 'csv')
    await setFor(friend, 'json', { ...WEEKLY, scope: { shared: true, accountId: [everyday.id] } })
    const countsOf = async () =>
      (await ok(listExports, { as: friend })).exports
        .map(({ format, counts }) => [format, counts?.['transactions'] ?? 0])
        .toSorted()
    await night('2099-01-01', friend)
    expect(await countsOf()).toEqual([
      ['csv', 0],
      ['json', 2],
    ])
    await ok(deleteShare, { as: owner, id: shareId })
    await rows("UPDATE archives SET state = 'expired' WHERE owner_id = ?", friend.id)
    await night('2099-01-08', friend)
    expect((await countsOf()).filter(([format]) => format === 'json')).toEqual([
      ['json', 0],
      ['json', 2],
    ])
  })

  it('keeps what a wiped schedule kept for another seven days', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv')
    await night('2099-01-01', me)
    expect(await statesOf(me)).toEqual(['kept'])
    await rows(
      'UPDATE export_schedules SET created_at = created_at - 60000 WHERE owner_id = ?',
      me.id,
    )
    await ok(wipeData, { as: me, json: { kinds: ['preferences'], password: me.password } })
    const [task] = await rows<{ id: string }>(
      'SELECT id FROM tasks WHERE dedupe_key = ?',
      `user.wipe ${me.id}`,
    )
    await deliver(work, task?.id ?? '', 8 * DAY)
    expect(await ok(listExportSchedules, { as: me })).toEqual({ schedules: [], count: 0 })
    expect(await statesOf(me)).toEqual(['ready'])
  })

  it('keeps what fits into the storage quota', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv', { every: 'month', day: 1, keep: 3 })
    await night('2099-01-01', me)
    const [{ size } = { size: 0 }] = (await ok(listExports, { as: me })).exports
    await rows('UPDATE storage_classes SET quota_bytes = ? WHERE is_default = 1', 2 * (size ?? 0))
    await night('2099-02-01', me)
    expect(await statesOf(me)).toEqual(['kept', 'kept'])
    await night('2099-03-01', me)
    expect(await statesOf(me)).toEqual(['ready', 'kept', 'kept'])
    await rows('UPDATE storage_classes SET quota_bytes = ? WHERE is_default = 1', 1)
    await night('2099-04-01', me)
    expect(await statesOf(me)).toEqual(['ready', 'ready', 'ready', 'ready'])
    await rows('UPDATE storage_classes SET quota_bytes = NULL WHERE is_default = 1')
  })

  it('leaves out a schedule that ended meanwhile, and makes the others', async () => {
    const { me } = await traveller()
    await setFor(me, 'csv')
    await setFor(me, 'json')
    const database = databaseWith(async (trip, go) => {
      // Between the read and the commits.
      await (trip === 2 ? ok(deleteExportSchedule, { as: me, path: { format: 'csv' } }) : undefined)
      return go()
    }).withSession('first-primary')
    const now = Date.parse('2099-01-01')
    await startScheduledJob.run(contextWith({ database, now }), {}, [])
    const { exports } = await ok(listExports, { as: me })
    expect(exports.map(({ format }) => format)).toEqual(['json'])
    const [{ tasks } = { tasks: 0 }] = await rows<{ tasks: number }>(
      "SELECT count(*) AS tasks FROM tasks WHERE kind = 'export.make' AND created_by = ?",
      me.id,
    )
    expect(tasks).toBe(1)
  })

  it('goes on in another task where there are many', async () => {
    const me = await newUser()
    await setFor(me, 'csv')
    await rows(
      `INSERT INTO export_schedules (id, owner_id, format, options, scope, every, day, keep, next_on, created_at, updated_at)
        SELECT 'exs_' || printf('%026d', value), ?, 'csv' || value, '{}', '{}', 'week', 1, 1, '2026-01-01', 0, 0
        FROM json_each(?)`,
      me.id,
      JSON.stringify(Array.from({ length: 100 }, (_, at) => at)),
    )
    await startScheduledJob.run(contextWith({ now: Date.parse('2099-01-01') }), {}, [])
    const [next] = await rows<{ payload: string }>(
      "SELECT payload FROM tasks WHERE kind = 'export.startScheduled'",
    )
    expect(JSON.parse(next?.payload ?? '{}')).toEqual({ after: `exs_${'99'.padStart(26, '0')}` })
    const [{ made } = { made: 0 }] = await rows<{ made: number }>(
      'SELECT count(*) AS made FROM archives WHERE owner_id = ? AND schedule_id IS NOT NULL',
      me.id,
    )
    expect(made).toBe(100)
    await rows("DELETE FROM tasks WHERE state = 'queued'")
  })
})
