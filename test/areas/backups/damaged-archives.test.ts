import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { rounds, SEED } from '../../support/rounds.ts'
import { deflated } from '../../support/archives.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { randomFrom } from '../../support/random.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { contentsOf } from './archives.ts'
import { bytes, type Files, packed, text, withManifest } from './packing.ts'
import { backedUp, finishRestore, heldBack, restored, rowsOf, sendRestore } from './restoring.ts'

// What is sent to be restored, and is no archive as the service made it: a clear refusal, or a restore that failed.

let archive: Uint8Array
let hash: string
let files: Files
let user: TestUser

beforeAll(async () => {
  const me = await newOwner()
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  const made = await backedUp(me)
  ;({ archive, hash } = made)
  files = await contentsOf(me, made.id)
  user = await newUser()
})

const DIRECTORY = Buffer.from([0x50, 0x4b, 1, 2])

const changedAt = (place: number, write: (copy: Buffer, at: number) => void) => {
  const copy = Buffer.from(archive)
  write(copy, place < 0 ? copy.length + place : place)
  return copy
}

/** An archive with one more member of this name, which its manifest lists. */
function withMember(name: string): Files {
  const manifest = JSON.parse(text(files['manifest.json'])) as { files: object[] }
  const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  const listed = [...manifest.files, { path: name, size: 4, sha256 }]
  return {
    ...files,
    'manifest.json': bytes(JSON.stringify({ ...manifest, files: listed })),
    [name]: bytes('test'),
  }
}

describe('an archive is refused at once', () => {
  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['is cut off', () => archive.subarray(0, archive.length - 30), 'backups.brokenArchive'],
    ['lacks its beginning', () => archive.subarray(1000), 'backups.brokenArchive'],
    [
      'has more than 10,000 members',
      () => changedAt(-12, (copy, at) => copy.writeUInt16LE(10_001, at)),
      'backups.brokenArchive',
    ],
    [
      'unpacks to far more than it is',
      () => deflated({ ...files, 'readable/more.csv': bytes('x'.repeat(3_000_000)) }),
      'backups.brokenArchive',
    ],
    [
      'has members of more than 2 GiB',
      () =>
        changedAt(archive.length, (copy) => {
          let at = copy.indexOf(DIRECTORY)
          for (let left = 2; left > 0 && at >= 0; left--) {
            copy.writeUInt32LE(0x7fffffff, at + 20)
            copy.writeUInt32LE(0x7fffffff, at + 24)
            at = copy.indexOf(DIRECTORY, at + 1)
          }
        }),
      'backups.brokenArchive',
    ],
    ['has a path of a parent', () => packed(withMember('../../up')), 'backups.brokenArchive'],
    ['has a path of a root', () => packed(withMember('/etc/passwd')), 'backups.brokenArchive'],
    ['has a path of a drive', () => packed(withMember('C:\\x')), 'backups.brokenArchive'],
    ['has no manifest', () => packed({ 'a.txt': bytes('a') }), 'backups.notABackup'],
    [
      'is of a newer format',
      () => packed(withManifest(files, {}, { formatVersion: 3 })),
      'backups.newerVersion',
    ],
  ])('that %s', async (_, make, code) => {
    const before = (await env.FILES.list({ prefix: 'archives/' })).objects.length
    const { status, error } = await sendRestore(user, await make())
    expect([status, error.code]).toEqual([400, code])
    expect((await env.FILES.list({ prefix: 'archives/' })).objects.length).toBe(before)
  })

  it('that is larger than 50 MiB', async () => {
    const { status, error } = await sendRestore(user, new Uint8Array(50 * 1024 ** 2 + 1))
    expect([status, error.code]).toEqual([413, 'files.tooLarge'])
  })
})

it('a hash that is not that of the files is no reason to restore them', async () => {
  const forged = {
    ...(JSON.parse(text(files['manifest.json'])) as object),
    contentHash: 'f'.repeat(64),
  }
  const sent = await packed({ ...files, 'manifest.json': bytes(JSON.stringify(forged)) })
  expect(await restored(user, sent)).toMatchObject({
    state: 'failed',
    error: { code: 'backups.hashMismatch', member: 'manifest.json' },
  })
  expect(await rowsOf(user)).toEqual({})
})

it('bytes that were changed by chance are never restored as something else', async () => {
  const random = randomFrom(SEED)
  for (let round = 0; round < rounds(10, 2000); round++) {
    const damaged = Buffer.from(archive)
    const at = random.whole(0, damaged.length - 1)
    const inDirectory = damaged.indexOf(DIRECTORY)
    const place = random.chance(0.5) ? random.whole(inDirectory, damaged.length - 1) : at
    damaged[place] = random.whole(0, 255)
    const sent = random.chance(0.2) ? damaged.subarray(0, at) : damaged
    const said = `byte ${place} is ${damaged[place]}, cut at ${sent.length}, seed ${SEED}`
    const answer = await sendRestore(user, sent, { dryRun: 'true' })
    expect([202, 400], said).toContain(answer.status)
    if (answer.status === 202) {
      await heldBack(answer.body.job.id)
      const report = await finishRestore(user, answer.body.id)
      // A byte that says nothing of the data, such as one of a time.
      expect([report.state, report.archiveHash === hash], said).toSatisfy(
        ([state, isSame]) => state === 'failed' || isSame,
      )
    }
  }
})
