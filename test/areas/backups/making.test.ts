import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import {
  expireArchivesJob,
  makeBackupJob,
} from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import {
  deleteBackup,
  getBackup,
  listBackups,
} from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { cancelJob } from '../../../src/areas/operations/jobs/jobs.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import type { Context } from '../../../src/platform/context.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith, filesWith, serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { ask, contentsOf, keyOf, keysInBucket, make, putFile, rowsIn } from './archives.ts'

const DAY = 24 * 60 * 60 * 1000

const run = (id: string, changed: Partial<Context> = {}) =>
  makeBackupJob.run(contextWith(changed), { backupId: id }, [])

const mine = async (before: string[]) =>
  (await keysInBucket()).filter((key) => !before.includes(key))

/** Killed at a trip to the database or a call of the bucket, or right after it was done. */
function killedAt(at: { trip?: number; call?: number }, isDone: boolean): Partial<Context> {
  const around = async <Answer>(isIt: boolean, go: () => Promise<Answer>) => {
    if (!isIt) {
      return go()
    }
    await (isDone ? go() : undefined)
    throw new Error('killed')
  }
  return {
    database: databaseWith((trip, go) => around(trip >= (at.trip ?? Infinity), go)).withSession(
      'first-primary',
    ),
    files: filesWith((call, go) => around(call >= (at.call ?? Infinity), go)),
  }
}

/** Does this before a certain trip. */
const meanwhile = (at: number, act: () => Promise<unknown>) =>
  databaseWith(async (trip, go) => {
    await (trip === at ? act() : undefined)
    return go()
  }).withSession('first-primary')

const tag = (as: TestUser) => ok(createTag, { as, json: { name: crypto.randomUUID() } })

describe('making a backup', () => {
  it('may be killed at any step: the next run begins anew, and one object is left', async () => {
    const me = await newUser()
    await putFile(me.id, 'a.txt', 'a receipt')
    const before = await keysInBucket()
    const { id } = await ask(me)
    let trips = 0
    let calls = 0
    const database = databaseWith((trip, go) => {
      trips = trip
      return go()
    }).withSession('first-primary')
    const files = filesWith((call, go) => {
      calls = call
      return go()
    })
    await run(id, { database, files })
    await ok(deleteBackup, { as: me, id })
    expect(trips).toBeGreaterThan(20)
    expect(calls).toBeGreaterThan(1)
    // All between the first and the last of them only read.
    const atTrips = [1, 2, 3, 4, 12, trips - 1, trips]
    const atCalls = Array.from({ length: calls }, (_, at) => at + 1)
    for (const at of [...atTrips.map((trip) => ({ trip })), ...atCalls.map((call) => ({ call }))]) {
      for (const isDone of [false, true]) {
        const killed = await ask(me)
        await run(killed.id, killedAt(at, isDone)).catch(() => undefined)
        // Where the answer to the last step alone was lost, nobody runs it again.
        await run(killed.id).catch(() => undefined)
        const where = `${JSON.stringify(at)} ${isDone}`
        expect((await ok(getBackup, { as: me, id: killed.id })).state, where).toBe('ready')
        expect(await mine(before), where).toEqual([await keyOf(killed.id)])
        await ok(deleteBackup, { as: me, id: killed.id })
      }
    }
  })

  it('reads everything once more when something changed meanwhile', async () => {
    const me = await newUser()
    const { id } = await ask(me)
    const added: { id: string }[] = []
    const database = meanwhile(12, async () => added.push(await tag(me)))
    await run(id, { database })
    const { manifest } = await ok(getBackup, { as: me, id })
    expect(manifest).toMatchObject({ changedMeanwhile: false, counts: { tags: 1 } })
    expect(rowsIn(await contentsOf(me, id), 'tags')).toMatchObject(added)
  })

  it('says so where it never stood still', async () => {
    const me = await newUser()
    const { id } = await ask(me)
    const database = databaseWith(async (trip, go) => {
      await (trip % 5 === 0 ? tag(me) : undefined)
      return go()
    }).withSession('first-primary')
    await run(id, { database })
    const { manifest } = await ok(getBackup, { as: me, id })
    expect(manifest?.changedMeanwhile).toBe(true)
  })

  it('leaves nothing to tell of when it ends in the moment that it is deleted', async () => {
    const me = await newUser()
    const { id } = await ask(me)
    const [stored, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const files = filesWith(async (_, go) => {
      const answer = await go()
      stored.resolve()
      await looked.promise
      return answer
    })
    const made = Promise.resolve(run(id, { files })).catch(() => undefined)
    await stored.promise
    const deleting = filesWith(async (_, go) => {
      looked.resolve()
      await made
      return go()
    })
    const service = serviceWith({ env: { FILES: deleting } })
    expect((await service.call(deleteBackup, { as: me, id })).status).toBe(204)
    expect((await call(getBackup, { as: me, id })).status).toBe(404)
  })

  it('leaves no object behind when it is deleted while it is made', async () => {
    const me = await newUser()
    const before = await keysInBucket()
    for (const at of [1, 2, 3, 15, 24]) {
      const { id } = await ask(me)
      const database = meanwhile(at, () => ok(deleteBackup, { as: me, id }))
      await run(id, { database }).catch(() => undefined)
      await ok(deleteBackup, { as: me, id }).catch(() => undefined)
      expect(await mine(before), `at ${at}`).toEqual([])
    }
  })

  it('is called off like other work, and what waits is never made', async () => {
    const me = await newUser()
    const before = await keysInBucket()
    const { id, taskId } = await ask(me)
    await ok(cancelJob, { as: me, id: taskId })
    await deliver(work, taskId)
    expect((await ok(getBackup, { as: me, id })).state).toBe('cancelled')
    expect(await mine(before)).toEqual([])
    // Another may be asked for. Made by the real queue, it would be in the bucket of the next test.
    await ask(me)
  })

  it('fails once and for all where there are too many files', async () => {
    const me = await newUser()
    await rows(
      `INSERT INTO attachments (id, owner_id, storage_class_id, object_key, file_name, content_type, size,
          sha256, created_at, updated_at)
        SELECT ?1 || value, ?1, 'stc_standard', ?1 || value, 'x', 'text/plain', 0, '', 0, 0
        FROM json_each(?2)`,
      me.id,
      JSON.stringify(Array.from({ length: 5001 }, (_, at) => at)),
    )
    const { state, jobId } = await make(me)
    expect(state).toBe('failed')
    const [task] = await rows('SELECT state, error FROM tasks WHERE id = ?', jobId)
    expect(task).toEqual({ state: 'failed', error: 'backups.tooManyFiles' })
  })

  it('is done by whoever holds the lease: a slower run takes its object back', async () => {
    const me = await newUser()
    const before = await keysInBucket()
    const { id, taskId } = await ask(me)
    const task = { id: taskId, attempt: 1, createdBy: me.id }
    await rows("UPDATE tasks SET state = 'running', attempts = 1 WHERE id = ?", taskId)
    const database = meanwhile(15, () => rows('UPDATE tasks SET attempts = 2 WHERE id = ?', taskId))
    await expect(run(id, { task, database })).rejects.toMatchObject({ code: 'tasks.taken' })
    expect(await mine(before)).toEqual([])
    await run(id, { task: { ...task, attempt: 2 } })
    expect(await mine(before)).toEqual([await keyOf(id)])
  })
})

describe('every night', () => {
  it('archives of more than seven days go, object first', async () => {
    expect(work.schedule['17 3 * * *']).toContain(expireArchivesJob.kind)
    const me = await newUser()
    const { id } = await make(me)
    const key = (await keyOf(id)) ?? ''
    const expire = (now: number, changed: Partial<Context> = {}) =>
      expireArchivesJob.run(contextWith({ now, ...changed }), {}, [])
    await expire(Date.now() + 6 * DAY)
    expect(await env.FILES.head(key)).not.toBeNull()
    const later = Date.now() + 8 * DAY
    const database = databaseWith(async (trip, go) => {
      if (trip === 2) {
        throw new Error('killed')
      }
      return go()
    }).withSession('first-primary')
    await Promise.resolve(expire(later, { database })).catch(() => undefined)
    await expire(later)
    expect(await env.FILES.head(key)).toBeNull()
    const { backups } = await ok(listBackups, { as: me })
    expect(backups).toMatchObject([{ id, state: 'expired' }])
    const logged = await rows('SELECT * FROM log_entries WHERE resource_id = ? ORDER BY number', id)
    expect(logged.at(-1)).toMatchObject({ type: 'archive.expired', owner_id: me.id })
  })
})
