import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepFiles } from '../../../src/areas/files/attachments/sweeping/sweeping.usecases.ts'
import { work } from '../../../src/areas/index.ts'
import { sealLog } from '../../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { cutLog } from '../../../src/areas/insight/audit-log/segments/verifying.usecases.ts'
import { storeSegments } from '../../../src/areas/insight/audit-log/segments/segments.usecases.ts'
import { MOST_SEGMENTS } from '../../../src/platform/log/log-segments.ts'
import { fetchRaw, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import {
  ago,
  emptyLog,
  firstCommit,
  idsOf,
  objects,
  sealAndRead,
  segments,
  storeAndCut,
  storeMonths,
  verify,
  verifyAll,
  WHOLE,
  wholeList,
} from './old-log.ts'

// Commits of old months, one a month or many, in a database whose triggers keep the log.

let admin: TestUser
let user: TestUser

beforeEach(async () => {
  admin = await newAdmin()
  user = await newUser()
  await emptyLog()
})

const commits = (months: number[], wanted: Parameters<typeof storeMonths>[2] = {}) =>
  storeMonths(user.id, months, wanted)

const OWN = '/audit-log?resourceType=thing'

describe('cutting the log', () => {
  it('is begun by the clock every night', () => {
    expect(work.schedule['17 3 * * *']).toContain('auditLog.cut')
  })

  it('deletes what segments have, and keeps the seal that the chain goes on from', async () => {
    const ids = await commits([20, 19, 5])
    await sealAndRead()
    await storeAndCut()
    expect(await firstCommit()).toBe(3)
    expect(await rows('SELECT min(number) AS number FROM log_seals')).toEqual([{ number: 2 }])
    expect(await rows('SELECT min(number) AS number FROM log_events')).toEqual([{ number: 3 }])
    expect(await idsOf(user, OWN)).toEqual(ids.toReversed())
    expect(await verifyAll(admin)).toEqual(WHOLE)
    expect(
      await rows("SELECT content FROM log_entries WHERE type = 'auditLog.cut' ORDER BY number"),
    ).toEqual([{ content: '{"first":1,"last":1}' }, { content: '{"first":2,"last":2}' }])
  })

  it('deletes nothing that no segment has, that is not sealed, or that a reader still needs', async () => {
    await commits([20, 19, 5])
    await cutLog(contextWith(), [])
    expect(await firstCommit()).toBe(1)
    await sealLog(contextWith())
    await storeAndCut()
    expect(await firstCommit()).toBe(1)
    await sealAndRead()
    await rows('UPDATE log_readers SET cursor = 1')
    await cutLog(contextWith(), [])
    expect(await firstCommit()).toBe(2)
  })

  it('begins again where it was killed, in the middle of a segment', async () => {
    const all = await commits(Array.from({ length: 600 }, () => 20))
    await commits([5])
    await sealAndRead()
    await storeSegments(contextWith(), [])
    let trips = 0
    const database = databaseWith(async (_, run) => {
      trips += 1
      if (trips === 6) {
        throw new Error('killed')
      }
      return run()
    }).withSession('first-primary')
    await expect(cutLog(contextWith({ database }), [])).rejects.toThrow(
      'The service failed. Try again later.',
    )
    const first = await firstCommit()
    expect([first > 1, first < 600]).toEqual([true, true])
    expect(await idsOf(user, OWN)).toHaveLength(601)
    expect((await idsOf(user, OWN, 150)).slice(1)).toEqual(all.toReversed())
    expect(await verifyAll(admin)).toEqual(WHOLE)
    expect((await verify(admin, first - 1)).broken).toBeNull()
    expect((await verify(admin, first)).broken).toBeNull()
    await cutLog(contextWith(), [])
    expect(await firstCommit()).toBe(601)
    expect((await idsOf(user, OWN, 150)).slice(1)).toEqual(all.toReversed())
    expect(await verifyAll(admin)).toEqual(WHOLE)
  }, 60_000)

  it('stops where the object of a segment is gone or changed', async () => {
    await commits([20, 19, 5])
    await sealAndRead()
    await storeSegments(contextWith(), [])
    const [, second] = await segments()
    await env.FILES.put(second?.key ?? '', 'x')
    await expect(cutLog(contextWith(), [])).rejects.toThrow('The service failed. Try again later.')
    expect(await firstCommit()).toBe(2)
    await env.FILES.delete(second?.key ?? '')
    await expect(cutLog(contextWith(), [])).rejects.toThrow('The service failed. Try again later.')
    expect(await firstCommit()).toBe(2)
  })

  it('leaves no more to a sweep than what no row names', async () => {
    await commits([20, 19, 5])
    await sealAndRead()
    await storeAndCut()
    const before = await objects()
    await env.FILES.put('log/2020-01/obj_x', 'x')
    await sweepFiles(contextWith({ now: Date.now() + 2 * 24 * 60 * 60 * 1000 }), {}, [])
    expect(await objects()).toEqual(before)
    expect(before).toHaveLength(2)
  })

  it.each([
    ['a commit that no segment has', 'DELETE FROM log_commits WHERE number = 3'],
    ['a commit that is not the first', 'DELETE FROM log_commits WHERE number = 2'],
    ['an event', 'DELETE FROM log_events WHERE number = 1'],
    ['a seal', 'DELETE FROM log_seals WHERE number = 1'],
  ])('is no way to delete %s', async (_, statement) => {
    await commits([20, 20, 5])
    await sealAndRead()
    await storeSegments(contextWith(), [])
    await expect(rows(statement)).rejects.toThrow('append-only')
  })

  it.each([
    ['a commit that no reader has seen', 'UPDATE log_readers SET cursor = 0'],
    ['a commit without a segment', 'DELETE FROM log_segments'],
    ['anything while no reader has begun', 'DELETE FROM log_readers'],
    ['the commit with the last seal', 'DELETE FROM log_segments WHERE FALSE'],
  ])('never deletes %s', async (what, first) => {
    await commits(what.includes('last seal') ? [20] : [20, 20, 5])
    await sealLog(contextWith())
    await rows("INSERT INTO log_readers (name, cursor) VALUES ('x', 1000000)")
    await storeSegments(contextWith(), [])
    await rows(first)
    if (what.includes('last seal')) {
      await emptySeals()
    }
    await expect(rows('DELETE FROM log_commits WHERE number = 1')).rejects.toThrow('append-only')
  })

  it('never deletes what is younger than 13 whole months, whatever a segment says', async () => {
    await commits([12, 1])
    await sealAndRead()
    await rows(`INSERT INTO log_segments (first_commit, last_commit, previous_hash, last_hash, object_key, size, sha256,
      created_at, last_event) VALUES (1, 1, '', 'x', 'x', 1, 'x', 1, 1)`)
    await expect(
      rows(`INSERT INTO log_segments (first_commit, last_commit, previous_hash, last_hash, object_key, size, sha256,
        created_at) VALUES (2, 2, '', 'x', 'x', 1, 'x', 1)`),
    ).rejects.toThrow('says what it has')
    await expect(rows('DELETE FROM log_commits WHERE number = 1')).rejects.toThrow('append-only')
  })

  it('gives no number again, and lets nobody delete or change the row of a segment', async () => {
    await commits([20, 5])
    await sealAndRead()
    await storeAndCut()
    await expect(
      rows(`INSERT INTO log_commits (number, id, at, operation, actor_type, type, request_id, first_event, event_count)
        VALUES (1, 'log_x', 1, 'x', 'user', 'x.y', 'r', 1, 1)`),
    ).rejects.toThrow('append-only')
    await expect(
      rows('INSERT INTO log_events (number, commit_number) VALUES (1, 1)'),
    ).rejects.toThrow('append-only')
    await expect(rows('DELETE FROM log_segments')).rejects.toThrow('in their segment alone')
    await expect(rows("UPDATE log_segments SET last_hash = 'x'")).rejects.toThrow(
      'its object alone',
    )
    await expect(
      rows('INSERT OR REPLACE INTO log_segments SELECT * FROM log_segments'),
    ).rejects.toThrow('stored once')
  })
})

/** As if the service had sealed nothing behind the first commit. */
async function emptySeals(): Promise<void> {
  const [trigger] = await rows<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE name = 'log_seals_no_delete'",
  )
  await rows('DROP TRIGGER log_seals_no_delete')
  await rows('DELETE FROM log_seals WHERE number > 1')
  await rows(trigger?.sql ?? '')
}

describe('reading on in segments', () => {
  it('takes one trip and opens no object where the tables have the page', async () => {
    await commits([20, 19, 5, 4, 3])
    await sealAndRead()
    await storeAndCut()
    const costOf = async (path: string) => {
      const { headers } = await fetchRaw(path, {
        headers: { Authorization: `Bearer ${user.accessToken}` },
      })
      return /(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1]
    }
    expect(await costOf(`${OWN}&limit=2`)).toBe('1')
    const from = encodeURIComponent(new Date(ago(6)).toISOString())
    expect(await costOf(`${OWN}&since=${from}`)).toBe('1')
    const { FILES } = env
    await FILES.delete(await objects())
    expect((await verify(admin, 3)).broken).toBeNull()
    expect(await idsOf(user, `${OWN}&since=${from}`)).toHaveLength(3)
  })

  it('ends a page behind as many segments as one request reads, and goes on there', async () => {
    const months = Array.from({ length: MOST_SEGMENTS + 5 }, (_, at) => MOST_SEGMENTS + 20 - at)
    const ids = await commits(months)
    await commits([1])
    await sealAndRead()
    await storeSegments(contextWith(), [])
    await storeAndCut()
    expect(await segments()).toHaveLength(months.length)
    const found = await wholeList(user, OWN, 200)
    expect(found.rows.slice(1).map((row) => (row as { id: string }).id)).toEqual(ids.toReversed())
    expect(found.counts).toEqual([MOST_SEGMENTS + 1, months.length + 1])
    const all = encodeURIComponent(new Date(0).toISOString())
    const searched = await wholeList(
      admin,
      `/admin/audit-logs?since=${all}&action=thing.changed`,
      200,
    )
    expect(searched.rows.slice(1).map((row) => (row as { id: string }).id)).toEqual(
      ids.toReversed(),
    )
    expect(searched.counts.at(-1)).toBe(months.length + 1)
  }, 60_000)

  it('keeps the order by time across segments whose times overlap', async () => {
    const night = new Date(ago(18)).setUTCDate(1)
    const midnight = new Date(night).setUTCHours(0, 0, 0, 0)
    const at = (minutes: number) => commits([0], { at: midnight + minutes * 60_000 })
    const [[early], [late], [slow], [last]] = [await at(-5), await at(1), await at(-2), await at(4)]
    await commits([5])
    await sealAndRead()
    await storeAndCut()
    expect(await segments()).toHaveLength(2)
    const from = encodeURIComponent(new Date(midnight - 3_600_000).toISOString())
    const to = encodeURIComponent(new Date(midnight + 3_600_000).toISOString())
    for (const limit of [1, 2, 3, 200]) {
      expect(await idsOf(admin, `/admin/audit-logs?since=${from}&until=${to}`, limit)).toEqual([
        ...[last, late, slow, early],
      ])
    }
  })

  it('fails where an object is gone, and only there', async () => {
    const [first, second, third] = await commits([20, 19, 5])
    await sealAndRead()
    await storeAndCut()
    const [one, two] = await segments()
    await env.FILES.delete(one?.key ?? '')
    expect(await idsOf(user, '/audit-log?resourceId=thg_5')).toEqual([third])
    expect(await idsOf(user, '/audit-log?resourceId=thg_19')).toEqual([second])
    const ask = (path: string) =>
      fetchRaw(path, { headers: { Authorization: `Bearer ${admin.accessToken}` } })
    expect((await ask(`/admin/audit-logs/${first}`)).status).toBe(500)
    expect((await ask(`/admin/audit-logs/${second}`)).status).toBe(200)
    expect(await verifyAll(admin)).toMatchObject({
      broken: { number: 1, reason: 'segmentMissing' },
    })
    expect((await verify(admin, two?.first)).broken).toBeNull()
  })
})
