import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { downloadsReader } from '../../../src/areas/operations/metrics/metrics.readers.ts'
import {
  getDownloadMetrics,
  getGrowthTrends,
} from '../../../src/areas/operations/metrics/metrics.routes.ts'
import { daysUpTo, sumBy } from '../../../src/areas/operations/metrics/metrics.rules.ts'
import {
  countOfDownloaders,
  downloadsByDay,
  recentDownloads,
} from '../../../src/areas/operations/metrics/downloads.queries.ts'
import {
  actorsSince,
  loggedSince,
  downloadsSince,
  registrationsSince,
} from '../../../src/areas/operations/metrics/metrics.queries.ts'
import { read } from '../../../src/platform/database/database.ts'
import { tick } from '../../../src/platform/work/tasks.ts'
import { db, type Statement } from '../../../src/platform/database/statements.ts'
import { createUser } from '../../../src/areas/identity/user-administration/user-administration.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { overheardDatabase, planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { storeFileRow } from '../storage-classes/shelves.ts'
import { logDownload } from './log.ts'

const DAY = 24 * 60 * 60 * 1000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

interface Sum {
  downloads: number
  bytes: number
}

/** Within a sum of the whole log, what one key has of it. */
const of = (found: Sum[], key: string): Sum =>
  found.find((row) => Object.values(row).includes(key)) ?? { downloads: 0, bytes: 0 }

describe('download metrics', () => {
  it('sum up what the log says, by kind and by day', async () => {
    const [admin, ada, ben] = [await newAdmin(), await newUser(), await newUser()]
    const [old, older] = [Date.UTC(2021, 4, 5, 23, 59, 59, 999), Date.UTC(2021, 4, 5)]
    const before = await ok(getDownloadMetrics, { as: admin })
    await logDownload({ owner: ada, by: ada, bytes: 3_000_000_000, at: old })
    await logDownload({ owner: ada, by: ben, bytes: 20, kind: 'backup', at: older })
    await logDownload({ owner: ada, by: ben, bytes: 300, at: older + DAY })
    await logDownload({ owner: ada, bytes: 1 })
    const after = await ok(getDownloadMetrics, { as: admin })
    expect(after.totals).toEqual({
      downloads: before.totals.downloads + 4,
      users: before.totals.users + 2,
      bytes: before.totals.bytes + 3_000_000_321,
    })
    const more = (list: 'byKind' | 'byDay', key: string) => {
      const [was, is] = [of(before[list], key), of(after[list], key)]
      return [is.downloads - was.downloads, is.bytes - was.bytes]
    }
    expect(more('byKind', 'attachment')).toEqual([3, 3_000_000_301])
    expect(more('byKind', 'backup')).toEqual([1, 20])
    expect(more('byDay', '2021-05-05')).toEqual([2, 3_000_000_020])
    expect(more('byDay', '2021-05-06')).toEqual([1, 300])
    const dates = after.byDay.map(({ date }) => date)
    expect(dates).toEqual([...new Set(dates)].toSorted())
    for (const list of [after.byKind, after.byDay]) {
      expect(list.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(after.totals.bytes)
    }
  })

  it('tell the newest downloads first, with the name while the file is there', async () => {
    const [admin, ada] = [await newAdmin(), await newUser()]
    const [there, trashed] = [
      await storeFileRow(ada, 'stc_standard'),
      await storeFileRow(ada, 'stc_standard'),
    ]
    await rows('UPDATE attachments SET deleted_at = 1 WHERE id = ?', trashed)
    // After all that other tests download, wherever they set the clock.
    const at = Date.now() + 3650 * 86_400_000
    await logDownload({ owner: ada, by: ada, id: there, at })
    await logDownload({ owner: ada, by: admin, id: trashed, at: at + 1 })
    await logDownload({ owner: ada, kind: 'auditLog', id: 'arc_x', at: at + 1, bytes: 7 })
    const { recent } = await ok(getDownloadMetrics, { as: admin, query: { limit: 3 } })
    const row = { kind: 'attachment', bytes: 100 }
    expect(recent).toEqual([
      {
        ...{ at: new Date(at + 1).toISOString(), userId: null, kind: 'auditLog' },
        ...{ resourceId: 'arc_x', fileName: null, bytes: 7 },
      },
      {
        ...row,
        ...{ at: new Date(at + 1).toISOString(), userId: admin.id },
        ...{ resourceId: trashed, fileName: null },
      },
      {
        ...row,
        ...{ at: new Date(at).toISOString(), userId: ada.id, resourceId: there, fileName: 'a.pdf' },
      },
    ])
    const { recent: one } = await ok(getDownloadMetrics, { as: admin, query: { limit: 1 } })
    expect(one).toEqual(recent.slice(0, 1))
  })

  it('show 50 of them, and 200 at most', async () => {
    const [admin, ada] = [await newAdmin(), await newUser()]
    for (let at = 0; at < 201; at++) {
      await logDownload({ owner: ada, by: ada })
    }
    const shown = async (query: Record<string, number>) =>
      (await ok(getDownloadMetrics, { as: admin, query })).recent.length
    expect([await shown({}), await shown({ limit: 200 })]).toEqual([50, 200])
  })

  it('still count what was taken out of the log, but for its size', async () => {
    const [admin, ada] = [await newAdmin(), await newUser()]
    const before = await ok(getDownloadMetrics, { as: admin })
    await logDownload({ owner: ada, by: ada, bytes: 5 })
    await rows("UPDATE users SET status = 'deleted' WHERE id = ?", ada.id)
    await rows(
      `UPDATE log_events SET facts = NULL
        WHERE commit_number IN (SELECT number FROM log_commits WHERE owner_id = ?)`,
      ada.id,
    )
    const { totals } = await ok(getDownloadMetrics, { as: admin })
    expect([totals.downloads, totals.bytes]).toEqual([
      before.totals.downloads + 1,
      before.totals.bytes,
    ])
  })

  it.each(['0', '201', '-1', '1.5', 'x', '', '1e2', '050', '1000000000000000000000', ' 5'])(
    'refuse a limit of %j',
    async (limit) => {
      const as = await newAdmin()
      const { status, error } = await call(getDownloadMetrics, { as, query: { limit } })
      expect([status, error.field]).toEqual([400, 'limit'])
    },
  )

  it('refuse a limit that comes twice, and what they do not know', async () => {
    const as = await newAdmin()
    const twice = await call(getDownloadMetrics, { as, query: { limit: ['5', '5'] } })
    const unknown = await call(getDownloadMetrics, { as, query: { from: '2026-01-01' } })
    expect([twice.status, unknown.status]).toEqual([400, 400])
  })

  it('are not for everybody, whatever the description says of security', async () => {
    const admin = await newAdmin()
    const statuses = [
      (await call(getDownloadMetrics)).status,
      (await call(getDownloadMetrics, { as: await newUser() })).status,
      (await call(getDownloadMetrics, { as: await giveToken(admin, ['read']) })).status,
      (await call(getDownloadMetrics, { as: await giveToken(admin, ['metrics.read']) })).status,
    ]
    expect(statuses).toEqual([401, 403, 403, 200])
  })
})

describe('growth trends', () => {
  it('tell of every day up to today, oldest first', async () => {
    const { days } = await ok(getGrowthTrends, { as: await newAdmin() })
    expect(days.map(({ date }) => date)).toEqual(daysUpTo(Date.now(), 90))
    expect(days).toHaveLength(90)
    expect(days.at(-1)?.registrations).toBeGreaterThan(0)
  })

  it('count who registered, who was created, and what was downloaded, by the day in UTC', async () => {
    const admin = await newAdmin()
    const find = async () => (await ok(getGrowthTrends, { as: admin, query: { days: 2 } })).days
    const [, before] = await find()
    const ada = await newUser()
    const email = `made-${crypto.randomUUID()}@coffer.test`
    await ok(createUser, { as: admin, json: { email, name: 'Made' } })
    const midnight = Date.parse(dayOf(Date.now()))
    await logDownload({ owner: ada, by: ada, at: midnight })
    await logDownload({ owner: ada, by: ada, at: midnight - 1 })
    const [yesterday, today] = await find()
    expect(yesterday?.date).toBe(dayOf(midnight - DAY))
    expect(yesterday?.downloads).toBeGreaterThan(0)
    expect(today).toEqual({
      date: dayOf(midnight),
      registrations: (before?.registrations ?? 0) + 2,
      downloads: (before?.downloads ?? 0) + 1,
    })
  })

  it('go over leap days and the change of a year', () => {
    expect(daysUpTo(Date.UTC(2052, 2, 1, 12), 3)).toEqual([
      '2052-02-28',
      '2052-02-29',
      '2052-03-01',
    ])
    expect(daysUpTo(Date.UTC(2026, 0, 1), 2)).toEqual(['2025-12-31', '2026-01-01'])
  })

  it.each([
    ['1', 1],
    ['365', 365],
  ])('go back %s days', async (days, expected) => {
    const found = await ok(getGrowthTrends, { as: await newAdmin(), query: { days } })
    expect(found.days).toHaveLength(expected)
  })

  it.each(['0', '366', '-1', '1.5', 'x', '', '1000'])('refuse %j days', async (days) => {
    const { status, error } = await call(getGrowthTrends, { as: await newAdmin(), query: { days } })
    expect([status, error.field]).toEqual([400, 'days'])
  })
})

it('adds up by key in the order of the keys', () => {
  const rowsOf = [
    { key: 'b', downloads: 1, bytes: 2 },
    { key: 'a', downloads: 3, bytes: 4 },
    { key: 'b', downloads: 5, bytes: 6 },
  ]
  expect(sumBy(rowsOf, ({ key }) => key)).toEqual([
    { key: 'b', downloads: 6, bytes: 8 },
    { key: 'a', downloads: 3, bytes: 4 },
  ])
})

const PLANNED: [string, Statement][] = [
  ['log_commits_downloads', db.all(recentDownloads().rows({ limit: 50, after: undefined }))],
  ['log_commits_downloads', downloadsSince(1)],
  ['log_commits_registrations', registrationsSince(1)],
  ['log_commits_by_time', actorsSince(1)],
  ['log_commits_by_time', loggedSince(1)],
]

it.each(PLANNED)('finds rows of the log by an index: %s', async (index, statement) => {
  const { database, heard } = overheardDatabase()
  await read(contextWith({ database: database.withSession('first-primary') }), statement)
  const [[sql, { values }] = ['', { values: [] }]] = heard
  expect(await planOf(sql, values)).toContainEqual(expect.stringContaining(`INDEX ${index} (`))
})

describe('the sums of downloads', () => {
  const addUp = () =>
    tick({ jobs: [], schedule: {}, readers: [downloadsReader] }, 'every now and then', env)

  it('name nobody who was erased before they were added up', async () => {
    const [ada, ben, cat] = [await newUser(), await newUser(), await newUser()]
    await addUp()
    for (const by of [ada, ben, cat]) {
      await logDownload({ owner: cat, by })
    }
    await rows("UPDATE users SET status = 'deleted' WHERE id IN (?, ?)", ada.id, ben.id)
    await rows('UPDATE users SET deletion_due_at = 1 WHERE id = ?', ben.id)
    await addUp()
    await addUp()
    const named = await rows<{ user_id: string }>(
      'SELECT user_id FROM downloaders WHERE user_id IN (?, ?, ?) ORDER BY user_id',
      ...[ada.id, ben.id, cat.id],
    )
    expect(named.map(({ user_id: id }) => id)).toEqual([ben.id, cat.id].toSorted())
  })

  it('are the same before, while and after the log is added up', async () => {
    const [admin, ada, ben] = [await newAdmin(), await newUser(), await newUser()]
    const sums = async () => {
      const { recent: _, ...found } = await ok(getDownloadMetrics, { as: admin })
      return found
    }
    const at = Date.UTC(2020, 1, 29, 12)
    await logDownload({ owner: ada, by: ada, bytes: 5, at })
    await logDownload({ owner: ada, bytes: 7, at })
    const before = await sums()
    // Once to begin, then page by page.
    await addUp()
    await addUp()
    expect(await sums()).toEqual(before)
    for (const by of [ada, ben]) {
      await logDownload({ owner: ada, by, bytes: 10, at })
      await logDownload({ owner: ada, by, kind: 'backup', bytes: 10, at })
    }
    const after = await sums()
    expect(after.totals).toEqual({
      downloads: before.totals.downloads + 4,
      users: before.totals.users + 1,
      bytes: before.totals.bytes + 40,
    })
    await addUp()
    await addUp()
    expect(await sums()).toEqual(after)
    const stored = await rows(
      "SELECT kind, downloads, bytes FROM download_days WHERE date = '2020-02-29' ORDER BY kind",
    )
    expect(stored).toEqual([
      { kind: 'attachment', downloads: 4, bytes: 32 },
      { kind: 'backup', downloads: 2, bytes: 20 },
    ])
  })

  it('go through no more of the log than has not been added up', async () => {
    for (const statement of [downloadsByDay(), countOfDownloaders()]) {
      const { database, heard } = overheardDatabase()
      await read(contextWith({ database: database.withSession('first-primary') }), statement)
      const [[sql, { values }] = ['', { values: [] }]] = heard
      const plan = await planOf(sql, values)
      expect(plan).toContainEqual(expect.stringMatching(/SEARCH e .*\(rowid>\?\)/))
      expect(plan).toContainEqual(expect.stringMatching(/SEARCH c .*\(rowid=\?\)/))
    }
  })
})
