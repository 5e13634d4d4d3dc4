import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { deleteAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import {
  purgeFiles,
  sweepFiles,
} from '../../../src/areas/files/attachments/sweeping/sweeping.usecases.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'
import { file, newClass, objectOf } from './filing.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const inDays = (days: number, changed = {}) =>
  contextWith({ now: Date.now() + days * DAY_MS, ...changed })
const rowsOf = (...ids: string[]) =>
  rows(
    'SELECT id FROM attachments WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  )
const keyOf = async ({ id }: { id: string }) =>
  (await rows<{ object_key: string }>('SELECT object_key FROM attachments WHERE id = ?', id))[0]
    ?.object_key ?? ''

/** A bucket that breaks at the first deletion. */
const breaking = {
  files: new Proxy(env.FILES, {
    get: (bucket, name) =>
      name === 'delete'
        ? () => Promise.reject(new Error('killed'))
        : (bucket[name as keyof R2Bucket] as (...given: unknown[]) => unknown).bind(bucket),
  }),
}

describe('every night', () => {
  it('erases what was deleted 30 days ago, with its links and objects', async () => {
    const me = await newUser()
    const [gone, kept] = [await file(me), await file(me)]
    const key = await keyOf(gone)
    await ok(deleteAttachment, { as: me, id: gone.id })
    await purgeFiles(inDays(29), {}, [])
    expect(await rowsOf(gone.id)).toHaveLength(1)
    await purgeFiles(inDays(31), {}, [])
    expect(await rowsOf(gone.id, kept.id)).toEqual([{ id: kept.id }])
    expect([await env.FILES.head(key), await objectOf(kept)]).toEqual([null, expect.anything()])
    const usage = await rows('SELECT objects FROM storage_usage WHERE holder_id = ?', me.id)
    expect(usage).toEqual([{ objects: 1 }])
    const [told] = (await ok(listOwnAuditLog, { as: me })).entries
    expect(told).toMatchObject({
      ...{ action: 'file.purged', resourceType: 'attachment', resourceId: gone.id },
      ...{ actorType: 'system', ownerId: me.id },
    })
  })

  it('erases what its class keeps no longer', async () => {
    const me = await newUser()
    const [brief, long] = [await newClass({ retention_days: 10 }), await newClass()]
    const [one, other] = [
      { id: await storeGroup([[me, 'owner']], brief.id) },
      { id: await storeGroup([[me, 'owner']], long.id) },
    ]
    const files = [
      await file(me, { query: { groupId: one.id } }),
      await file(me, { query: { groupId: other.id } }),
    ]
    const ids = files.map(({ id }) => id)
    await purgeFiles(inDays(9), {}, [])
    expect(await rowsOf(...ids)).toHaveLength(2)
    await purgeFiles(inDays(11), {}, [])
    expect(await rowsOf(...ids)).toEqual([{ id: ids[1] }])
    const told = await rows(
      "SELECT resource_id FROM log_entries WHERE group_id = ? AND type = 'file.purged'",
      one.id,
    )
    expect(told).toEqual([{ resource_id: ids[0] }])
    expect((await env.FILES.list({ prefix: brief.prefix })).objects).toEqual([])
  })

  it('sweeps away objects that no row names, a day after they came', async () => {
    const me = await newUser()
    const mine = await file(me)
    const orphan = `files/orphan-${me.id}`
    await env.FILES.put(orphan, 'x')
    await sweepFiles(inDays(0.9), {}, [])
    expect(await env.FILES.head(orphan)).not.toBeNull()
    await sweepFiles(inDays(1.1), {}, [])
    expect([await env.FILES.head(orphan), await objectOf(mine)]).toEqual([null, expect.anything()])
  })

  it('ends well although it was killed between row and object', async () => {
    const me = await newUser()
    const gone = await file(me)
    const key = await keyOf(gone)
    await ok(deleteAttachment, { as: me, id: gone.id })
    await expect(purgeFiles(inDays(31, breaking), {}, [])).rejects.toThrow(AppError)
    expect([await rowsOf(gone.id), await env.FILES.head(key)]).toEqual([[], expect.anything()])
    await purgeFiles(inDays(31), {}, [])
    await expect(sweepFiles(inDays(31, breaking), {}, [])).rejects.toThrow(AppError)
    await sweepFiles(inDays(31), {}, [])
    expect(await env.FILES.head(key)).toBeNull()
  })

  it('goes through a bucket of more than a page', async () => {
    const me = await newUser()
    const mine = await file(me)
    const keys = Array.from({ length: 1005 }, (_, at) => `a-${me.id}/${at}`)
    await Promise.all(keys.map((key) => env.FILES.put(key, '')))
    await sweepFiles(inDays(2), {}, [])
    expect((await env.FILES.list({ prefix: `a-${me.id}` })).objects).toEqual([])
    expect(await objectOf(mine)).not.toBeNull()
  })

  it('leaves what was restored meanwhile', async () => {
    const me = await newUser()
    const mine = await file(me)
    await rows('UPDATE attachments SET deleted_at = 1 WHERE id = ?', mine.id)
    const ctx = inDays(31)
    const database = new Proxy(ctx.database, {
      get: (session, name) =>
        name === 'batch'
          ? async (statements: D1PreparedStatement[]) => {
              const results = await session.batch(statements)
              await rows('UPDATE attachments SET deleted_at = NULL WHERE id = ?', mine.id)
              return results
            }
          : (session[name as keyof D1DatabaseSession] as (...given: unknown[]) => unknown).bind(
              session,
            ),
    })
    await purgeFiles({ ...ctx, database }, {}, [])
    expect([await rowsOf(mine.id), await objectOf(mine)]).toEqual([
      [{ id: mine.id }],
      expect.anything(),
    ])
  })
})
