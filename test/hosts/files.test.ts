import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openFiles, removeUnfinished } from '../../src/hosts/node/files.ts'
import { temporaryFolder } from '../support/running.ts'

const root = temporaryFolder()
afterAll(() => root.remove())

let folder: string
let files: R2Bucket
let serial = 0

beforeEach(() => {
  folder = join(root.path, String(++serial))
  files = openFiles(folder)
})

const openFilesOfProcess = () => readdirSync('/proc/self/fd').length
const bytes = (text: string) => new TextEncoder().encode(text)
const streamOf = (...pieces: string[]) =>
  new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift()
      if (piece === undefined) {
        controller.close()
      } else {
        controller.enqueue(bytes(piece))
      }
    },
  })
const textOf = async (key: string, range?: { offset: number; length: number }) => {
  const found = await files.get(key, range ? { range } : {})
  return found && new Response(found.body).text()
}

describe('a file', () => {
  it('is given as it was put, whole or in part', async () => {
    await files.put('users/one', streamOf('abc', 'def'))
    expect(await textOf('users/one')).toBe('abcdef')
    expect(await textOf('users/one', { offset: 2, length: 3 })).toBe('cde')
    await files.put('users/one', bytes('other'))
    expect(await textOf('users/one')).toBe('other')
  })

  it('of several parts is there once it is complete, and never when it is abandoned', async () => {
    const upload = await files.createMultipartUpload('users/two')
    await upload.uploadPart(1, bytes('first '))
    await upload.uploadPart(2, bytes('second'))
    expect(await textOf('users/two')).toBeNull()
    await upload.complete([])
    expect(await textOf('users/two')).toBe('first second')
    const other = await files.createMultipartUpload('users/three')
    await other.uploadPart(1, bytes('half'))
    await other.abort()
    expect([await files.get('users/three'), await files.head('users/three')]).toEqual([null, null])
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([])
  })

  it('whose stream breaks leaves what was there before', async () => {
    await files.put('users/one', bytes('before'))
    let pulled = 0
    const broken = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        if (pulled > 1) {
          throw new Error('the line broke')
        }
        controller.enqueue(bytes('half'))
      },
    })
    await expect(files.put('users/one', broken)).rejects.toThrow('the line broke')
    expect(await textOf('users/one')).toBe('before')
    expect(readdirSync(join(folder, '.unfinished'))).toEqual([])
  })

  it('that nobody reads to its end ends nothing else, and is closed', async () => {
    await files.put('users/long', new Uint8Array(1_000_000))
    const openedBefore = openFilesOfProcess()
    const thrown: unknown[] = []
    const note = (error: unknown) => thrown.push(error)
    process.on('uncaughtException', note)
    for (let turn = 0; turn < 30; turn++) {
      const reader = (await files.get('users/long'))?.body.getReader()
      for (let read = 0; read < turn % 3; read++) {
        await reader?.read()
      }
      // By then a stream has read ahead as far as it does.
      await pause(turn % 5)
      const read = turn % 2 === 0 ? reader?.read() : undefined
      await reader?.cancel()
      await read
    }
    await pause(5)
    process.off('uncaughtException', note)
    expect(thrown).toEqual([])
    expect(openFilesOfProcess()).toBe(openedBefore)
  })

  it('that cannot be read breaks the stream, and is closed', async () => {
    mkdirSync(join(folder, 'users/folder'), { recursive: true })
    const openedBefore = openFilesOfProcess()
    await expect(textOf('users/folder')).rejects.toThrow('EISDIR')
    expect(openFilesOfProcess()).toBe(openedBefore)
  })

  it('that is deleted is gone, and deleting what is gone is no fault', async () => {
    await files.put('a', bytes('a'))
    await files.put('b', bytes('b'))
    await files.delete(['a', 'b', 'c'])
    await files.delete('a')
    expect([await files.get('a'), await files.head('b')]).toEqual([null, null])
  })

  it.each([
    '',
    '..',
    '../outside',
    'a/../../outside',
    '/etc/passwd',
    'a//b',
    '.hidden',
    '.unfinished/x',
    'a/',
    'a\u0000b',
    'a\\b',
  ])('cannot have the key %j', async (key) => {
    await expect(files.put(key, bytes('x'))).rejects.toThrow('no file can have the key')
    await expect(files.get(key)).rejects.toThrow('no file can have the key')
    expect(existsSync(join(root.path, 'outside'))).toBe(false)
  })
})

it('removes what a killed process left unfinished', async () => {
  mkdirSync(join(folder, '.unfinished'), { recursive: true })
  writeFileSync(join(folder, '.unfinished', 'draft'), 'half')
  await removeUnfinished(folder)
  const again = openFiles(folder)
  expect(readdirSync(join(folder, '.unfinished'))).toEqual([])
  expect((await again.list()).objects).toEqual([])
})

describe('a listing', () => {
  it('has the keys with a prefix in their order, as often as it takes', async () => {
    const key = fc
      .array(fc.stringMatching(/^[a-c][a-c-]{0,1}$/), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'))
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { maxLength: 12 }),
        fc.constantFrom('', 'a', 'a/', 'a-', 'b/a', 'c-/'),
        async (wanted, prefix) => {
          // No key can be the folder of another one.
          const keys = wanted.filter((one) => !wanted.some((other) => other.startsWith(`${one}/`)))
          const bucket = openFiles(join(root.path, `list-${++serial}`))
          for (const one of keys) {
            await bucket.put(one, bytes(one))
          }
          const expected = keys
            .filter((one) => one.startsWith(prefix))
            .toSorted((a, b) => (a < b ? -1 : 1))
          const { objects, truncated } = await bucket.list({ prefix })
          expect(truncated).toBe(false)
          expect(objects.map((one) => one.key)).toEqual(expected)
          expect(objects.map(({ size }) => size)).toEqual(expected.map(({ length }) => length))
          for (const cursor of expected) {
            const rest = await bucket.list({ prefix, cursor })
            expect(rest.objects.map((one) => one.key)).toEqual(
              expected.slice(expected.indexOf(cursor) + 1),
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is cut after a thousand keys', async () => {
    mkdirSync(join(folder, 'many'), { recursive: true })
    for (let at = 0; at < 1001; at++) {
      writeFileSync(join(folder, 'many', String(at).padStart(4, '0')), '')
    }
    const first = await files.list({ prefix: 'many/' })
    const { cursor = '' } = first as { cursor?: string }
    expect([first.objects.length, first.truncated, cursor]).toEqual([1000, true, 'many/0999'])
    const second = await files.list({ prefix: 'many/', cursor })
    expect([second.objects.map(({ key }) => key), second.truncated]).toEqual([['many/1000'], false])
  })
})
