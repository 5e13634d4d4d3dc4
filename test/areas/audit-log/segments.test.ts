import { gunzipSync, gzipSync } from 'node:zlib'
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/erasure/steps.usecases.ts'
import { sweepFiles } from '../../../src/areas/files/attachments/sweeping/sweeping.usecases.ts'
import { work } from '../../../src/areas/index.ts'
import { auditLogData } from '../../../src/areas/insight/audit-log/audit-log.data.ts'
import { sealLog } from '../../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { rewriteSegments } from '../../../src/areas/insight/audit-log/segments/verifying.usecases.ts'
import { storeSegments } from '../../../src/areas/insight/audit-log/segments/segments.usecases.ts'
import { getMetrics } from '../../../src/areas/operations/metrics/metrics.routes.ts'
import { db } from '../../../src/platform/database/statements.ts'
import type { Principal } from '../../support/api.ts'
import {
  contextOf,
  emptyLog,
  fill,
  newUser,
  openScratch,
  run,
  service,
  verifyAs,
  WHOLE,
} from './scratch.ts'

let admin: Principal & { id: string }

beforeAll(async () => {
  admin = await openScratch()
})

beforeEach(async () => {
  await emptyLog()
  for (const table of ['log_segments', 'log_segment_users', 'log_segment_things', 'tasks']) {
    await run(`DELETE FROM ${table}`)
  }
  const { objects } = await env.FILES.list({ prefix: 'log/' })
  await env.FILES.delete(objects.map(({ key }) => key))
})

const NOW = Date.UTC(2026, 10, 23)

const store = (changed: Parameters<typeof contextOf>[0] = {}) =>
  storeSegments(contextOf({ now: NOW, ...changed }), [])

const verify = async (from = 1) => (await verifyAs(admin, { from })).body

interface Row {
  first: number
  last: number
  key: string
}

const segments = () =>
  run<Row>(
    'SELECT first_commit AS first, last_commit AS last, object_key AS key FROM log_segments ORDER BY 1',
  )

const bounds = async () => (await segments()).map(({ first, last }) => [first, last])

const keys = async () =>
  (await env.FILES.list({ prefix: 'log/' })).objects.map(({ key }) => key).toSorted()

const bytesOf = async (key: string) =>
  Buffer.from(await new Response((await env.FILES.get(key))?.body).arrayBuffer())

const textOf = async (key: string) => gunzipSync(await bytesOf(key)).toString()

const setMonth = (numbers: string, at: number) =>
  run(`UPDATE log_commits SET at = ? WHERE number IN (${numbers})`, at)

/** Commits 1 to 6, sealed: two of August 2025, one of September, two of October and one of today. */
async function fillMonths(ownerId: string | null = null): Promise<void> {
  await fill({ count: 6, ownerId })
  await setMonth('1, 2', Date.UTC(2025, 7, 31, 23, 59))
  await setMonth('3', Date.UTC(2025, 8, 1))
  await setMonth('4, 5', Date.UTC(2025, 9, 1))
  await setMonth('6', NOW)
  await sealLog(contextOf())
}

/** A database that is used by something else before a trip of the one at work. */
const before = (trip: number, something: () => Promise<unknown>): D1DatabaseSession => {
  const session = env.SCRATCH.withSession('first-primary')
  let trips = 0
  return {
    prepare: (text) => session.prepare(text),
    getBookmark: () => session.getBookmark(),
    batch: async <Result>(statements: D1PreparedStatement[]) => {
      trips += 1
      if (trips === trip) {
        await something()
      }
      return session.batch<Result>(statements)
    },
  } as D1DatabaseSession
}

/** The trip of a run that stores its first segment: behind the gap, the commits, and who is erased. */
const COMMIT = 4

describe('storing segments', () => {
  it('is begun by the clock every night', () => {
    expect(work.schedule['17 3 * * *']).toContain('auditLog.storeSegments')
  })

  it('stores each whole month that is older than 13 months, and stores nothing twice', async () => {
    await fillMonths()
    await store()
    expect(await bounds()).toEqual([
      [1, 2],
      [3, 3],
    ])
    const first = await segments()
    expect(first.map(({ key }) => key.slice(0, 12))).toEqual(['log/2025-08/', 'log/2025-09/'])
    await store({ now: Date.UTC(2026, 10, 30, 23, 59) })
    expect(await segments()).toEqual(first)
    await store({ now: Date.UTC(2026, 11, 1) })
    expect(await bounds()).toEqual([
      [1, 2],
      [3, 3],
      [4, 5],
    ])
    expect(await verify()).toMatchObject(WHOLE)
  })

  it('writes a line for each commit, with its events and its seal', async () => {
    await fillMonths(admin.id)
    await store()
    const [{ key } = { key: '' }] = await segments()
    const lines = (await textOf(key)).trimEnd().split('\n')
    const [seal] = await run<{ hash: string }>(
      'SELECT hash, content_hash AS contentHash, key_id AS keyId FROM log_seals WHERE number = 1',
    )
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      commit: { number: 1, id: 'log_1', ownerId: admin.id, ip: '192.0.2.1', eventCount: 2 },
      events: [
        { commitNumber: 1, resourceId: 'thg_1', content: '{"name":["a","b"]}' },
        { commitNumber: 1, resourceId: 'txn_1', content: '{"note":["a","b"]}' },
      ],
      seal: { number: 1, ...seal },
    })
  })

  it('stores at most 1,000 commits in one, and tells the log of each with its hash', async () => {
    await fill({ count: 1203, items: 0 })
    await sealLog(contextOf())
    await store()
    expect(await bounds()).toEqual([
      [1, 1000],
      [1001, 1203],
    ])
    const told = await run<{ content: string }>(
      "SELECT content FROM log_entries WHERE type = 'auditLog.segmentStored' ORDER BY number",
    )
    const [row] = await run<{ sha256: string }>(
      'SELECT sha256 FROM log_segments ORDER BY first_commit',
    )
    expect(told.map(({ content }) => JSON.parse(content))).toMatchObject([
      { first: 1, last: 1000, sha256: row?.sha256 },
      { first: 1001, last: 1203 },
    ])
    expect(await verify()).toMatchObject({ valid: true, verified: 1000, next: 1001 })
    expect(await verify(1001)).toMatchObject(WHOLE)
  })

  it('leaves what is too much for one run to a next task', async () => {
    await fill({ count: 22, items: 0 })
    await run('UPDATE log_commits SET at = number * 32 * 86400000')
    await sealLog(contextOf())
    await store()
    expect(await segments()).toHaveLength(20)
    const tasks = "SELECT count(*) AS count FROM tasks WHERE kind = 'auditLog.storeSegments'"
    expect(await run(tasks)).toEqual([{ count: 1 }])
    await store()
    expect(await segments()).toHaveLength(22)
    expect(await run(tasks)).toEqual([{ count: 1 }])
  })

  it('waits for what is not sealed', async () => {
    await fill({ count: 2 })
    await store()
    expect(await bounds()).toEqual([])
    await sealLog(contextOf())
    await fill({ count: 1 })
    await store()
    expect(await bounds()).toEqual([[1, 2]])
  })

  it('begins again where it was killed between object and row', async () => {
    await fillMonths()
    const killed = new Proxy(env.FILES, {
      get: (bucket, name) =>
        name === 'get'
          ? () => Promise.reject(new Error('killed'))
          : (bucket[name as keyof R2Bucket] as (...given: unknown[]) => unknown).bind(bucket),
    })
    await expect(store({ files: killed })).rejects.toThrow('The database or file storage is busy')
    const [orphan = ''] = await keys()
    expect([orphan.slice(0, 12), await bounds()]).toEqual(['log/2025-08/', []])
    await store()
    expect(await bounds()).toHaveLength(2)
    await sweepFiles(contextOf({ now: Date.now() + 2 * 24 * 60 * 60 * 1000 }), {}, [])
    expect(await keys()).toEqual((await segments()).map(({ key }) => key).toSorted())
    expect(await verify()).toMatchObject(WHOLE)
  })

  it('stores nothing that the chain does not prove', async () => {
    await fillMonths()
    await run("UPDATE log_events SET resource_id = 'x' WHERE commit_number = 2")
    await expect(store()).rejects.toThrow('The service failed. Try again later.')
    expect([await bounds(), await keys()]).toEqual([[], []])
  })

  it('stores nothing whose object is not what was written', async () => {
    await fillMonths()
    const other = await new Response('x').arrayBuffer()
    const lying = new Proxy(env.FILES, {
      get: (bucket, name) =>
        name === 'get'
          ? () => Promise.resolve({ body: new Response(other).body })
          : (bucket[name as keyof R2Bucket] as (...given: unknown[]) => unknown).bind(bucket),
    })
    await expect(store({ files: lying })).rejects.toThrow('The service failed. Try again later.')
    expect([await bounds(), await keys()]).toEqual([[], []])
  })

  it('is done by one of two that are at it', async () => {
    await fillMonths()
    const database = before(COMMIT, () => store())
    await expect(store({ database })).rejects.toMatchObject({ code: 'auditLog.storedMeanwhile' })
    expect(await bounds()).toHaveLength(2)
    expect(await keys()).toEqual((await segments()).map(({ key }) => key).toSorted())
  })
})

describe('verifying segments', () => {
  const changed = async (first: number, change: (lines: string) => string) => {
    const { key = '' } = (await segments()).find((one) => one.first === first) ?? {}
    const bytes = gzipSync(change(await textOf(key)))
    await env.FILES.put(key, bytes)
    const digest = await crypto.subtle.digest('SHA-256', bytes)
    return Buffer.from(digest).toString('hex')
  }
  const keyOf = async (first: number) =>
    (await segments()).find((one) => one.first === first)?.key ?? ''

  const TAMPERINGS: [string, string, () => Promise<unknown>][] = [
    ['an object that is gone', 'segmentMissing', async () => env.FILES.delete(await keyOf(3))],
    [
      'an object that is another one',
      'segmentChanged',
      async () => env.FILES.put(await keyOf(3), await bytesOf(await keyOf(1))),
    ],
    [
      'an object that is no archive',
      'segmentChanged',
      async () => env.FILES.put(await keyOf(3), 'x'),
    ],
    [
      'an object that says more than the chain proves',
      'segmentChanged',
      async () => changed(3, (text) => text.replace('"commit":{', '"commit":{"note":"x",')),
    ],
    [
      'a commit that was changed, with the hash of the object',
      'segmentChanged',
      async () => {
        const sha = await changed(3, (text) => text.replace('thg_3', 'thg_4'))
        await run('UPDATE log_segments SET sha256 = ? WHERE first_commit = 3', sha)
      },
    ],
    [
      'a line that is none, with the hash of the object',
      'segmentChanged',
      async () => {
        const sha = await changed(3, () => '{"commit":{},"events":[null],"seal":{}}\n')
        await run('UPDATE log_segments SET sha256 = ? WHERE first_commit = 3', sha)
      },
    ],
    [
      'the object of another segment, with all that its row says',
      'segmentChanged',
      async () =>
        run(`UPDATE log_segments SET (object_key, sha256, size) = (SELECT object_key, sha256, size
          FROM log_segments WHERE first_commit = 1) WHERE first_commit = 3`),
    ],
    [
      'a commit more than the segment says',
      'segmentChanged',
      async () => run('UPDATE log_segments SET first_commit = 2 WHERE first_commit = 3'),
    ],
    [
      'a segment that does not follow on the chain before it',
      'segmentChanged',
      async () => run("UPDATE log_segments SET previous_hash = 'x' WHERE first_commit = 3"),
    ],
    [
      'a segment that the chain behind it does not follow on',
      'segmentChanged',
      async () => run("UPDATE log_segments SET last_hash = 'x' WHERE first_commit = 3"),
    ],
  ]

  it.each(TAMPERINGS)('finds %s', async (_, reason, tamper) => {
    await fillMonths(admin.id)
    await store()
    expect(await verify()).toMatchObject(WHOLE)
    await tamper()
    const found = await verify()
    expect(found).toMatchObject({ valid: false, next: null, broken: { logId: null, reason } })
    expect(found.broken?.number).toBe((await segments())[1]?.first)
    expect(await verify(4)).toMatchObject(WHOLE)
  })

  it('finds what was changed in the log and sealed again by the service, also where the segment is said to end so', async () => {
    await fill({ count: 3 })
    await sealLog(contextOf())
    await store()
    await run('DELETE FROM log_seals')
    await run("UPDATE log_events SET resource_id = 'x' WHERE commit_number = 2")
    await sealLog(contextOf())
    const broken = { number: 1, logId: null, reason: 'segmentChanged' }
    expect(await verify()).toMatchObject({ valid: false, broken })
    await run(
      'UPDATE log_segments SET last_hash = (SELECT hash FROM log_seals WHERE number = last_commit)',
    )
    expect(await verify()).toMatchObject({ valid: false, broken })
    await run('DELETE FROM log_segments')
    expect(await verify()).toMatchObject(WHOLE)
  })

  it('finds content that was removed of somebody who is still there, with all hashes of the object', async () => {
    await fillMonths(admin.id)
    await store()
    const sha = await changed(3, (text) =>
      text.replace(String.raw`"{\"name\":[\"a\",\"b\"]}"`, 'null'),
    )
    await run('UPDATE log_segments SET sha256 = ? WHERE first_commit = 3', sha)
    expect((await verify()).broken).toEqual({ number: 3, logId: null, reason: 'segmentChanged' })
  })
})

describe('erasing a user', () => {
  const guard = db.run(sql`SELECT 1`)
  const erase = async (ownerId: string) => {
    await run("UPDATE users SET status = 'deleted' WHERE id = ?", ownerId)
    const scope = { ownerId, before: Number.MAX_SAFE_INTEGER }
    const kinds = [...(auditLogData.erase ?? [])]
    const result = await eraseInSteps(contextOf(), { scope, kinds, guard })
    expect(result).toEqual({ isDone: true, left: [] })
  }
  const usersTold = async () =>
    (await run<{ id: string }>('SELECT DISTINCT user_id AS id FROM log_segment_users')).map(
      ({ id }) => id,
    )

  it('stores the segments that tell of them anew, without that', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ count: 1000, ownerId: admin.id, items: 0 })
    await fill({ count: 2, ownerId: id })
    await fill({ count: 2, ownerId: admin.id, actorId: id })
    await sealLog(contextOf())
    await store()
    const [kept, gone] = await segments()
    expect([kept?.last, gone?.last, (await usersTold()).toSorted()]).toEqual([
      ...[1000, 1004],
      [admin.id, id].toSorted(),
    ])
    await erase(id)
    const [same, again] = await segments()
    expect(same).toEqual(kept)
    expect([again?.first, again?.last]).toEqual([1001, 1004])
    expect(again?.key).not.toBe(gone?.key)
    expect(await keys()).toEqual([kept?.key, again?.key].toSorted())
    expect(await usersTold()).toEqual([admin.id])
    const lines = (await textOf(again?.key ?? '')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      ...[1001, 1002].map((number) => ({
        commit: { number, ownerId: id, ip: null, userAgent: null },
        events: [{ content: null, facts: null }, { content: null }],
      })),
      ...[1003, 1004].map((number) => ({
        commit: { number, actorId: id, ip: null, userAgent: null },
        events: [{ content: '{"name":["a","b"]}', facts: '{"bytes":1}' }, {}],
      })),
    ])
    expect(await verify(1001)).toMatchObject({ ...WHOLE, redacted: 4 })
    await erase(id)
    expect((await segments())[1]).toEqual(again)
  })

  it('writes what the tables say after a redaction', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ count: 2, ownerId: id })
    await fill({ count: 2, ownerId: id, type: 'file.downloaded' })
    await fill({ count: 2, ownerId: admin.id, actorId: id })
    await fill({ count: 2, ownerId: id, actorId: admin.id })
    await run('UPDATE log_events SET owner_id = ? WHERE number IN (2, 10)', id)
    await run("UPDATE log_events SET owner_id = '' WHERE number = 4")
    await sealLog(contextOf())
    await store()
    await erase(id)
    const [rewritten] = await segments()
    await run('DELETE FROM log_segments')
    await store()
    const [again] = await segments()
    expect(again?.key).not.toBe(rewritten?.key)
    expect(await textOf(rewritten?.key ?? '')).toBe(await textOf(again?.key ?? ''))
    expect(await verify()).toMatchObject(WHOLE)
  })

  it('stops where the object of a segment is not what was stored', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ count: 2, ownerId: id })
    await sealLog(contextOf())
    await store()
    const [{ key } = { key: '' }] = await segments()
    await env.FILES.put(key, 'x')
    await expect(erase(id)).rejects.toThrow('The service failed. Try again later.')
    expect([await segments(), await usersTold()]).toMatchObject([[{ key }], [id]])
  })

  it('begins again where it was killed between the new object and its row', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ count: 2, ownerId: id })
    await sealLog(contextOf())
    await store()
    const [first] = await segments()
    await run("UPDATE users SET status = 'deleted' WHERE id = ?", id)
    await rewriteSegments(contextOf(), [1], id)
    expect([await keys(), await segments()]).toMatchObject([{ length: 2 }, [first]])
    await erase(id)
    const [now] = await segments()
    await sweepFiles(contextOf({ now: Date.now() + 2 * 24 * 60 * 60 * 1000 }), {}, [])
    expect(await keys()).toEqual([now?.key])
    expect(await textOf(now?.key ?? '')).not.toContain('192.0.2.1')
  })

  it('ends what is stored again where the next segment begins, though more would fit now', async () => {
    const { id } = await newUser()
    await emptyLog()
    const content = JSON.stringify({ note: [null, 'x'.repeat(1_500_000)] })
    await fill({ count: 3, ownerId: id, content, items: 0 })
    await fill({ count: 2, ownerId: admin.id, items: 0 })
    await sealLog(contextOf())
    await store()
    const stored = await bounds()
    expect(stored).toEqual([
      [1, 3],
      [4, 5],
    ])
    await erase(id)
    await run('DELETE FROM log_segments WHERE first_commit = 1')
    await store()
    expect(await bounds()).toEqual(stored)
  })

  it('lets nothing be stored that was removed since it was read', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ count: 3, ownerId: id })
    await sealLog(contextOf())
    const database = before(COMMIT, () => erase(id))
    await expect(store({ database })).rejects.toMatchObject({ code: 'auditLog.redactedMeanwhile' })
    expect([await bounds(), await keys()]).toEqual([[], []])
    await store()
    expect(await bounds()).toEqual([[1, 3]])
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 3 })
  })

  it('notes of whom a segment tells by what they own, did and were told', async () => {
    const { id: actor } = await newUser()
    const { id: owner } = await newUser()
    await emptyLog()
    await fill({ count: 1, ownerId: admin.id, actorId: actor })
    await fill({ count: 1, ownerId: admin.id })
    await run('UPDATE log_events SET owner_id = ? WHERE number = 4', owner)
    await fill({ count: 1, ownerId: 'usr_silent', type: 'file.downloaded', items: 0 })
    await run('UPDATE log_events SET content = NULL WHERE number = 5')
    await run('UPDATE log_commits SET ip = NULL, user_agent = NULL WHERE number = 3')
    await sealLog(contextOf())
    await store()
    expect((await usersTold()).toSorted()).toEqual([admin.id, actor, owner].toSorted())
  })
})

it('counts the rows that the log has in the database, wherever its numbers begin', async () => {
  await fill({ count: 5 })
  await run('DELETE FROM log_commits WHERE number < 3')
  const { body } = await service.call<{ rows: { auditLog: number } }>(getMetrics, { as: admin })
  expect(body.rows.auditLog).toBe(3)
})
