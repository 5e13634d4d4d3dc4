import { gzipSync } from 'node:zlib'
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/erasure/steps.usecases.ts'
import { sweepFiles } from '../../../src/areas/files/attachments/sweeping/sweeping.usecases.ts'
import { auditLogData } from '../../../src/areas/insight/audit-log/audit-log.data.ts'
import { db } from '../../../src/platform/database/statements.ts'
import { fetchRaw, rows } from '../../support/api.ts'
import { contextWith, filesWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser, type TestUser } from '../../support/world.ts'
import {
  emptyLog,
  idsOf,
  objects,
  sealAndRead,
  segments,
  storeAndCut,
  storeMonths,
  textOf,
  verify,
  verifyAll,
  WHOLE,
} from './old-log.ts'

// What a log that was cut proves, and forgets.

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

describe('verifying what was cut off', () => {
  const changed = async (first: number, change: (text: string) => string) => {
    const { key = '' } = (await segments()).find((one) => one.first === first) ?? {}
    const bytes = gzipSync(change(await textOf(key)))
    await env.FILES.put(key, bytes)
    return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  }
  const rehash = (sha: string) =>
    rows('UPDATE log_segments SET sha256 = ? WHERE first_commit = 2', sha)

  it.each<[string, string, () => Promise<unknown>]>([
    [
      'an object that is gone',
      'segmentMissing',
      async () => env.FILES.delete((await segments())[1]?.key ?? ''),
    ],
    [
      'an object that says something else',
      'segmentChanged',
      () => changed(2, (text) => text.replace('thg_19', 'thg_20')),
    ],
    [
      'the same with its hash',
      'segmentChanged',
      async () => rehash(await changed(2, (text) => text.replace('thg_19', 'thg_20'))),
    ],
    [
      'content that was removed of somebody who is there, with the hash',
      'segmentChanged',
      async () =>
        rehash(await changed(2, (text) => text.replace(/"content":"[^,]+",/, '"content":null,'))),
    ],
    [
      'the object of another segment with its hash',
      'segmentChanged',
      () =>
        rows(`UPDATE log_segments SET (object_key, sha256) = (SELECT object_key, sha256 FROM log_segments
          WHERE first_commit = 1) WHERE first_commit = 2`),
    ],
  ])('finds %s', async (_, reason, tamper) => {
    await commits([20, 19, 19, 5])
    await sealAndRead()
    await storeAndCut()
    expect(await verifyAll(admin)).toEqual(WHOLE)
    await tamper()
    expect((await verify(admin, 1)).broken).toBeNull()
    const broken = { number: 2, logId: null, reason }
    expect(await verifyAll(admin)).toMatchObject({ broken })
    expect((await verify(admin, 4)).broken).toBeNull()
  })

  it.each<[string, string[], object]>([
    [
      'an event before all that is left',
      ['log_events_no_replace'],
      { broken: { reason: 'entryAdded' } },
    ],
    [
      'a seal that was removed',
      ['log_seals_no_delete'],
      { broken: { number: 2, reason: 'segmentChanged' } },
    ],
  ])('finds %s', async (what, triggers, found) => {
    await commits([20, 19, 5, 4])
    await sealAndRead()
    await storeAndCut()
    const kept = await rows<{ sql: string }>(
      `SELECT sql FROM sqlite_schema WHERE name IN ('${triggers.join("', '")}')`,
    )
    for (const trigger of triggers) {
      await rows(`DROP TRIGGER ${trigger}`)
    }
    await rows(
      what.startsWith('an event')
        ? 'INSERT INTO log_events (number, commit_number) VALUES (1, 1)'
        : 'DELETE FROM log_seals WHERE number = 2',
    )
    for (const trigger of kept) {
      await rows(trigger.sql)
    }
    expect(await verifyAll(admin)).toMatchObject(found)
  })
})

describe('erasing a user after the cut', () => {
  const erase = async (ownerId: string) => {
    await rows("UPDATE users SET status = 'deleted' WHERE id = ?", ownerId)
    const scope = { ownerId, before: Number.MAX_SAFE_INTEGER }
    const kinds = [...(auditLogData.erase ?? [])]
    const guard = db.run(sql`SELECT 1`)
    const result = await eraseInSteps(contextWith(), { scope, kinds, guard })
    expect(result).toEqual({ isDone: true, left: [] })
  }

  it('stores the segments that tell of them without it, and deletes the objects that did', async () => {
    const other = await newUser()
    await emptyLog()
    const ids = await commits([20, 19, 5])
    const [theirs] = await commits([5], { actorId: other.id })
    await sealAndRead()
    await storeAndCut()
    const before = await objects()
    await erase(user.id)
    const now = await objects()
    expect(now).toHaveLength(2)
    expect(now.filter((key) => before.includes(key))).toEqual([])
    for (const key of now) {
      expect(await textOf(key)).not.toMatch(/192\.0\.2\.1|name/)
    }
    expect(await verifyAll(admin)).toEqual({ broken: null, redacted: 3 })
    for (const id of ids) {
      const { changes, ip } = (await (
        await fetchRaw(`/admin/audit-logs/${id}`, {
          headers: { Authorization: `Bearer ${admin.accessToken}` },
        })
      ).json()) as { changes: unknown; ip: unknown }
      expect([changes, ip]).toEqual([[], null])
    }
    expect(await idsOf(other, OWN)).toEqual([theirs])
  })

  it('begins again where it was killed at any step', async () => {
    for (let call = 1; call < 6; call++) {
      user = await newUser()
      await emptyLog()
      await commits([20, 19, 5])
      await sealAndRead()
      await storeAndCut()
      await rows("UPDATE users SET status = 'deleted' WHERE id = ?", user.id)
      const files = filesWith(async (at, run) => {
        if (at === call) {
          throw new Error('killed')
        }
        return run()
      })
      const scope = { ownerId: user.id, before: Number.MAX_SAFE_INTEGER }
      const kinds = (auditLogData.erase ?? []).filter(({ name }) => name === 'logSegments')
      const guard = db.run(sql`SELECT 1`)
      await expect(eraseInSteps(contextWith({ files }), { scope, kinds, guard })).rejects.toThrow(
        'The database or file storage is busy',
      )
      await erase(user.id)
      await sweepFiles(contextWith({ now: Date.now() + 2 * 24 * 60 * 60 * 1000 }), {}, [])
      expect(await objects()).toEqual((await segments()).map(({ key }) => key).toSorted())
      expect(await verifyAll(admin), `killed at ${call}`).toEqual({ broken: null, redacted: 3 })
    }
  }, 60_000)

  it('answers whoever reads on meanwhile', async () => {
    const ids = await commits([20, 5])
    await sealAndRead()
    await storeAndCut()
    const [segment] = await segments()
    await env.FILES.put('log/moved', gzipSync(await textOf(segment?.key ?? '')))
    const service = serviceWith({
      aroundTrips: async (trip, run) => {
        const found = await run()
        if (trip === 1) {
          await env.FILES.delete(segment?.key ?? '')
          await rows("UPDATE log_segments SET object_key = 'log/moved'")
        }
        return found
      },
    })
    const response = await service.fetch(
      new Request(`http://coffer.test/admin/audit-logs/${ids[0]}`, {
        headers: { Authorization: `Bearer ${admin.accessToken}` },
      }),
    )
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  })
})
