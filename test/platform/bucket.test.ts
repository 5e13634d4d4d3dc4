import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../src/domain/errors.ts'
import {
  deleteFiles,
  listFiles,
  readFile,
  storeFile,
  type Storing,
} from '../../src/platform/files/bucket.ts'
import { contextWith } from '../support/service.ts'

const MIB = 1024 * 1024
const ctx = contextWith()
const freshKey = () => `test/${crypto.randomUUID()}`
const plain: Storing = { maxBytes: 100 * MIB, storageClass: 'Standard' }

/** Bytes that are not the same in any two pieces. */
const someBytes = (size: number) => new Uint8Array(Buffer.alloc(size, PATTERN))
const PATTERN = Uint8Array.from({ length: 65_521 }, (_, at) => at)

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The bytes in pieces, and at last a broken line where that is asked for. */
function streamOf(bytes: Uint8Array, pieceBytes = 64 * 1024, end?: Error): ReadableStream {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.byteLength) {
        controller.enqueue(bytes.slice(at, (at += pieceBytes)))
      } else if (end) {
        controller.error(end)
      } else {
        controller.close()
      }
    },
  })
}

async function contentOf(key: string, range?: { offset: number; length: number }) {
  const body = await readFile(ctx, key, range)
  return body && new Uint8Array(await new Response(body).arrayBuffer())
}

async function refusal(work: Promise<unknown>) {
  const error = (await work.then(
    () => expect.fail('stored'),
    (thrown: unknown) => thrown,
  )) as AppError
  return { kind: error.kind, code: error.code }
}

/** A bucket of which some calls fail. */
const bucketWithout = (broken: Partial<R2Bucket>) =>
  contextWith({
    files: new Proxy(env.FILES, {
      get: (bucket, name) =>
        broken[name as keyof R2Bucket] ??
        (bucket[name as keyof R2Bucket] as (...given: unknown[]) => unknown).bind(bucket),
    }),
  })

describe('storing a file', () => {
  it.each([
    ['of a known length', 3 * MIB, 3 * MIB],
    ['without bytes', 0, 0],
    ['of an unknown length, in one piece', 100, undefined],
    ['of an unknown length, in parts', 11 * MIB + 7, undefined],
    ['that fills its parts to the last byte', 10 * MIB, undefined],
    ['of an unknown length without bytes', 0, undefined],
  ])('keeps one %s as it is', async (_, size, length) => {
    const bytes = someBytes(size)
    const key = freshKey()
    const seen: number[] = []
    const stored = await storeFile(ctx, key, streamOf(bytes), {
      ...plain,
      length,
      watch: (piece) => seen.push(piece.byteLength),
    })
    expect(stored).toEqual({ size, sha256: hashOf(bytes) })
    expect(hashOf((await contentOf(key)) ?? new Uint8Array(1))).toBe(stored.sha256)
    expect(seen.reduce((sum, one) => sum + one, 0)).toBe(size)
  })

  it.each([
    ['is larger than allowed', { maxBytes: 2 * MIB - 1 }, 'files.tooLarge'],
    ['is larger than allowed by its length', { maxBytes: MIB, length: 2 * MIB }, 'files.tooLarge'],
    ['is longer than it said', { length: 2 * MIB - 1 }, 'files.truncated'],
    ['is shorter than it said', { length: 2 * MIB + 1 }, 'files.truncated'],
  ])('leaves nothing behind of one that %s', async (_, different, code) => {
    const key = freshKey()
    const storing = storeFile(ctx, key, streamOf(someBytes(2 * MIB)), { ...plain, ...different })
    expect(await refusal(storing)).toMatchObject({ code })
    expect(await env.FILES.head(key)).toBeNull()
  })

  it.each([
    ['of a known length', 12 * MIB],
    ['of an unknown length', undefined],
  ])('leaves nothing behind of one %s whose line breaks', async (_, length) => {
    const key = freshKey()
    const broken = streamOf(someBytes(7 * MIB), MIB, new Error('gone'))
    const storing = storeFile(ctx, key, broken, { ...plain, length })
    expect(await refusal(storing)).toEqual({ kind: 'invalid', code: 'files.truncated' })
    expect(await env.FILES.head(key)).toBeNull()
  })

  it('leaves nothing behind when it is stopped at the last piece', async () => {
    const key = freshKey()
    const storing = storeFile(ctx, key, streamOf(someBytes(100)), {
      ...plain,
      length: 100,
      watch: () => {
        throw new Error('no')
      },
    })
    await expect(storing).rejects.toThrow('no')
    expect(await env.FILES.head(key)).toBeNull()
  })

  it.each(['put', 'createMultipartUpload'] as const)('says so when %s fails', async (call) => {
    const failing = bucketWithout({ [call]: () => Promise.reject(new Error('busy (10001)')) })
    const length = call === 'put' ? 6 * MIB : undefined
    const storing = storeFile(failing, freshKey(), streamOf(someBytes(6 * MIB)), {
      ...plain,
      length,
    })
    expect(await refusal(storing)).toEqual({ kind: 'unavailable', code: 'service.unavailable' })
  })
})

describe('stored files', () => {
  it('are read in part, and not at all where there are none', async () => {
    const key = freshKey()
    await storeFile(ctx, key, streamOf(new TextEncoder().encode('0123456789')), plain)
    expect(new TextDecoder().decode(await contentOf(key, { offset: 2, length: 3 }))).toBe('234')
    expect(await readFile(ctx, freshKey())).toBeUndefined()
  })

  it('are listed by what their keys begin with, and deleted', async () => {
    const folder = `${freshKey()}/`
    await Promise.all(
      ['a', 'b'].map((name) => storeFile(ctx, folder + name, streamOf(someBytes(3)), plain)),
    )
    const { files, cursor } = await listFiles(ctx, folder, null)
    expect(files).toEqual([
      { key: `${folder}a`, size: 3, uploadedAt: expect.any(Number) },
      { key: `${folder}b`, size: 3, uploadedAt: expect.any(Number) },
    ])
    expect(cursor).toBeNull()
    await deleteFiles(ctx, [`${folder}a`, `${folder}b`, `${folder}never`])
    expect((await listFiles(ctx, folder, null)).files).toEqual([])
  })

  it('are busy, not lost, while the bucket fails', async () => {
    const failing = bucketWithout({ get: () => Promise.reject(new Error('busy (10001)')) })
    expect(await refusal(readFile(failing, 'any'))).toEqual({
      kind: 'unavailable',
      code: 'service.unavailable',
    })
  })
})
