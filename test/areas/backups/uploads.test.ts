import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expireArchivesJob } from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import { rangesIn } from '../../../src/areas/data-rights/backups/backups.rules.ts'
import {
  verifyBackup,
  createBackupUpload,
  deleteBackupUpload,
  putBackupUploadPart,
} from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { newTraveller } from '../exports/exports.fixtures.ts'
import { ask, contentsOf, download, make } from './archives.ts'
import { packed } from './packing.ts'

const MIB = 1024 ** 2
const HOUR = 60 * 60 * 1000

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const begin = (as: Principal, bytes: Uint8Array) =>
  ok(createBackupUpload, { as, json: { size: bytes.length, sha256: hashOf(bytes) } })

const put = (as: Principal, id: string, n: number, part: Uint8Array, headers = {}) =>
  call(putBackupUploadPart, {
    ...{ as, path: { id, n: String(n) }, headers },
    raw: { body: part as Uint8Array<ArrayBuffer>, contentType: 'application/octet-stream' },
  })

const verify = (as: Principal, query: Record<string, string>) =>
  call(verifyBackup, { as, query, headers: {} })

const objects = async () => (await env.FILES.list({ prefix: 'uploads/' })).objects.length

const keysOf = async (uploadId: string) =>
  (
    await rows<{ key: string }>(
      'SELECT object_key AS key FROM backup_upload_parts WHERE upload_id = ?',
      uploadId,
    )
  ).map(({ key }) => key)

/** A backup with some bytes more, so that it takes three parts. */
async function largeArchive() {
  const { me, everyday } = await newTraveller()
  const { id, manifest } = await make(me)
  const files = await contentsOf(me, id)
  // Bytes that hardly repeat, as those of pictures.
  const picture = createHash('sha256').update('picture').digest()
  const more = Buffer.alloc(11 * MIB, picture)
  const told = { ...(JSON.parse(new TextDecoder().decode(files['manifest.json'])) as object) }
  const listed = {
    ...told,
    contentHash: undefined,
    files: [
      ...(told as { files: object[] }).files,
      { path: 'files/att_1/picture', size: more.length, sha256: hashOf(more) },
    ],
  }
  const bytes = await packed({
    ...files,
    'files/att_1/picture': more,
    'manifest.json': new TextEncoder().encode(JSON.stringify(listed)),
  })
  const parts = [0, 1, 2].map((at) => bytes.subarray(at * 5 * MIB, (at + 1) * 5 * MIB))
  return { me, everyday, bytes, parts, backup: { id, manifest } }
}

describe('an archive in parts', () => {
  it('is verified once all parts have come, in any order, some of them twice', async () => {
    const { me, bytes, parts } = await largeArchive()
    const [one, two, three] = parts as [Uint8Array, Uint8Array, Uint8Array]
    const before = await objects()
    const upload = await begin(me, bytes)
    expect(upload).toMatchObject({ size: bytes.length, received: 0, parts: [] })
    expect((await put(me, upload.id, 3, three)).status).toBe(200)
    expect(await verify(me, { uploadId: upload.id })).toMatchObject({
      status: 409,
      error: {
        code: 'backups.uploadIncomplete',
        error: `This upload has ${three.length} of ${bytes.length} bytes in 1 parts. Send the missing parts first.`,
      },
    })
    const damaged = Uint8Array.from(two)
    damaged[7] = (damaged[7] ?? 0) ^ 1
    await put(me, upload.id, 2, damaged)
    const { body } = await put(me, upload.id, 1, one)
    expect(body.received).toBe(bytes.length)
    expect(body.parts.map(({ number, size, sha256 }) => [number, size, sha256])).toEqual([
      [1, 5 * MIB, hashOf(one)],
      [2, 5 * MIB, hashOf(damaged)],
      [3, three.length, hashOf(three)],
    ])
    expect((await verify(me, { uploadId: upload.id })).error.code).toBe('backups.uploadMismatch')
    await put(me, upload.id, 2, two)
    // The object of the damaged part is gone.
    expect(await objects()).toBe(before + 3)
    const verified = await verify(me, { uploadId: upload.id })
    expect([verified.status, verified.body.faults]).toEqual([200, []])
    expect(verified.body.balances).toHaveLength(2)
    // From now on, no part changes; the same bytes once more are no change.
    expect((await put(me, upload.id, 2, damaged)).error.code).toBe('backups.uploadInUse')
    expect((await put(me, upload.id, 2, two)).status).toBe(200)
    expect((await verify(me, { uploadId: upload.id })).body.intact).toBe(true)
    expect(await objects()).toBe(before + 3)
  })

  it('is verified by two requests at once, and by none while other bytes take its place', async () => {
    const { me } = await newTraveller()
    const bytes = new Uint8Array(await (await download(me, (await make(me)).id)).arrayBuffer())
    const uploads = [await begin(me, bytes), await begin(me, bytes)] as const
    for (const { id } of uploads) {
      await put(me, id, 1, bytes)
    }
    const uploadId = uploads[0].id
    const both = await Promise.all([verify(me, { uploadId }), verify(me, { uploadId })])
    expect(both.map(({ status, body }) => [status, body.intact])).toEqual([
      [200, true],
      [200, true],
    ])
    const other = { uploadId: uploads[1].id }
    const [raced, replaced] = await Promise.all([
      verify(me, other),
      put(me, other.uploadId, 1, new Uint8Array(bytes.length)),
    ])
    const outcome = [raced.error?.code ?? raced.status, replaced.error?.code ?? replaced.status]
    expect([
      [200, 'backups.uploadInUse'],
      [200, 'request.conflict'],
      ['request.conflict', 200],
      ['backups.uploadMismatch', 200],
      ['backups.brokenArchive', 200],
    ]).toContainEqual(outcome)
  })

  it('is read across the borders of its objects', () => {
    const stored = ['a', 'b', 'c'].map((objectKey) => ({ objectKey, size: 4 }))
    const of = (offset: number, length: number) =>
      rangesIn(stored, { offset, length }).map(
        ({ objectKey, range }) => `${objectKey} ${range.offset}+${range.length}`,
      )
    expect(of(0, 4)).toEqual(['a 0+4'])
    expect(of(3, 6)).toEqual(['a 3+1', 'b 0+4', 'c 0+1'])
    expect(of(8, 4)).toEqual(['c 0+4'])
    expect(of(11, 9)).toEqual(['c 3+1'])
    expect(of(12, 1)).toEqual([])
  })

  it('has parts of 5 to 50 MiB, the last one also less, and no more bytes than declared', async () => {
    const me = await newUser()
    const { id } = await begin(me, new Uint8Array(6 * MIB))
    const small = new Uint8Array(100)
    expect((await put(me, id, 1, small)).body.received).toBe(100)
    expect(await put(me, id, 2, small)).toMatchObject({
      status: 400,
      error: {
        code: 'backups.partTooSmall',
        error: 'Every part except the last has at least 5242880 bytes, but part 1 has 100.',
      },
    })
    expect(await put(me, id, 1, new Uint8Array(6 * MIB + 1))).toMatchObject({
      status: 400,
      error: { code: 'backups.uploadTooLong' },
    })
    expect((await put(me, id, 1, new Uint8Array(50 * MIB + 1))).status).toBe(413)
    expect((await put(me, id, 1, new Uint8Array())).error.code).toBe('backups.emptyPart')
    for (const n of ['0', '411', '01', 'x']) {
      const refused = await call(putBackupUploadPart, {
        ...{ as: me, path: { id, n }, raw: { body: 'x' } },
      })
      expect([refused.status, refused.error.field]).toEqual([400, 'n'])
    }
  })

  it('is declared by its size and hash, three at a time', async () => {
    const me = await newUser()
    const declared = { size: 10, sha256: 'A'.repeat(64) }
    for (const [json, field] of [
      [{ ...declared, size: 0 }, 'size'],
      [{ ...declared, size: 2 * 1024 ** 3 + 1 }, 'size'],
      [{ ...declared, sha256: 'a'.repeat(63) }, 'sha256'],
    ] as const) {
      expect((await call(createBackupUpload, { as: me, json })).error.field).toBe(field)
    }
    for (let at = 0; at < 3; at++) {
      const { sha256 } = await ok(createBackupUpload, { as: me, json: declared })
      expect(sha256).toBe('a'.repeat(64))
    }
    expect(await call(createBackupUpload, { as: me, json: declared })).toMatchObject({
      status: 409,
      error: { code: 'backups.tooManyUploads' },
    })
    const [first] = await rows<{ id: string }>(
      'SELECT id FROM backup_uploads WHERE owner_id = ?',
      me.id,
    )
    const id = first?.id ?? ''
    await put(me, id, 1, new Uint8Array(10))
    const [key = ''] = await keysOf(id)
    expect(await env.FILES.head(key)).not.toBeNull()
    await ok(deleteBackupUpload, { as: me, id })
    expect(await env.FILES.head(key)).toBeNull()
    expect((await call(deleteBackupUpload, { as: me, id })).status).toBe(404)
    expect((await call(createBackupUpload, { as: me, json: declared })).status).toBe(201)
  })

  it('is nobody else’s, and not that of a token for some accounts', async () => {
    const { me, everyday } = await newTraveller()
    const bytes = new Uint8Array(10)
    const { id } = await begin(me, bytes)
    const other = await newUser()
    for (const missing of [id, someId('upl')]) {
      expect(await put(other, missing, 1, bytes)).toMatchObject({
        status: 404,
        error: { code: 'backups.uploadNotFound' },
      })
      expect(await verify(other, { uploadId: missing })).toMatchObject({
        status: 400,
        error: { code: 'backups.unknownUpload', field: 'uploadId' },
      })
    }
    expect((await call(deleteBackupUpload, { as: other, id })).error.code).toBe(
      'backups.uploadNotFound',
    )
    const token = await giveToken(me, ['backups.write'], [everyday.id])
    const refused = { status: 403, error: { code: 'backups.tokenIsRestricted' } }
    expect(await put(token, id, 1, bytes)).toMatchObject(refused)
    expect(await call(deleteBackupUpload, { as: token, id })).toMatchObject(refused)
    expect(await verify(token, { uploadId: id })).toMatchObject(refused)
    const json = { size: 10, sha256: 'a'.repeat(64) }
    expect(await call(createBackupUpload, { as: token, json })).toMatchObject(refused)
  })

  it('is deleted with its objects when nobody used it for a day', async () => {
    const me = await newUser()
    const bytes = new Uint8Array(10)
    const [old, used] = [await begin(me, bytes), await begin(me, bytes)]
    await put(me, old.id, 1, bytes)
    const [key] = await keysOf(old.id)
    const soon = Date.now() + HOUR
    await rows('UPDATE backup_uploads SET expires_at = ? WHERE owner_id = ?', soon, me.id)
    expect((await put(me, used.id, 1, bytes)).status).toBe(200)
    await expireArchivesJob.run(contextWith({ now: soon }), {}, [])
    const left = await rows('SELECT id FROM backup_uploads WHERE owner_id = ?', me.id)
    expect(left).toEqual([{ id: used.id }])
    expect(await env.FILES.head(key ?? '')).toBeNull()
    expect(await env.FILES.head((await keysOf(used.id))[0] ?? '')).not.toBeNull()
    await rows('UPDATE backup_uploads SET expires_at = 1 WHERE id = ?', used.id)
    expect((await put(me, used.id, 1, bytes)).status).toBe(404)
    expect((await verify(me, { uploadId: used.id })).status).toBe(400)
  })
})

describe('an own backup', () => {
  it('is verified without being sent', async () => {
    const { me, backup } = await largeArchive()
    const { status, body } = await verify(me, { backupId: backup.id })
    expect([status, body.intact]).toEqual([200, true])
    expect(body.contentHash).toBe(backup.manifest?.contentHash)
    const { id: unfinished } = await ask(me)
    expect((await verify(me, { backupId: unfinished })).error.code).toBe('backups.notReady')
    const other = await newUser()
    for (const missing of [backup.id, 'bak_none']) {
      expect(await verify(other, { backupId: missing })).toMatchObject({
        status: 400,
        error: { code: 'backups.unknownBackup', field: 'backupId' },
      })
    }
    await rows("UPDATE archives SET state = 'expired', object_key = NULL WHERE id = ?", backup.id)
    expect((await verify(me, { backupId: backup.id })).error.code).toBe('backups.notKept')
  })

  it('is the only archive that is named', async () => {
    const me = await newUser()
    const both = { uploadId: 'upl_1', backupId: 'bak_1' }
    expect(await verify(me, both)).toMatchObject({
      status: 400,
      error: { code: 'backups.oneSource' },
    })
    const beside = await call(verifyBackup, {
      ...{ as: me, query: { backupId: 'bak_1' }, raw: { body: 'x' } },
      headers: { 'Content-Length': '1' },
    })
    expect(beside.error.code).toBe('backups.oneSource')
    expect((await verify(me, {})).error.code).toBe('backups.oneSource')
  })
})
