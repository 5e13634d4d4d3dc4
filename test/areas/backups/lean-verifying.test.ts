import { expect, it } from 'vitest'
import { inspect } from '../../../src/areas/data-rights/backups/verifying/inspection.usecases.ts'
import { newUser } from '../../support/world.ts'
import { contentsOf } from './archives.ts'
import { type Files, packed, text, withManifest } from './packing.ts'
import { backedUp } from './restoring.ts'

const inspected = async (files: Files) => {
  const archive = await packed(files)
  const read = (from: number, length: number) =>
    Promise.resolve(new Blob([archive.slice(from, from + length)]).stream())
  return inspect(read, archive.length, Date.now())
}

const ownFiles = async () => {
  const me = await newUser()
  return contentsOf(me, (await backedUp(me)).id)
}

it('an archive keeps nothing long in memory, whatever its lists say', async () => {
  const long = 'x'.repeat(100_000)
  const files = await ownFiles()
  const { known, faults } = await inspected(
    withManifest(files, {
      'tags.ndjson': `{"id":"${long}"}\n`,
      'payees.ndjson': `{"id":"${long}"}\n`,
      'data/tags.ndjson': `{"${long}":1}\n`,
    }),
  )
  expect(JSON.stringify([[...known.tags], [...known.payees], faults]).length).toBeLessThan(10_000)
  expect(faults.map(({ member, code }) => `${member} ${code}`)).toEqual(
    expect.arrayContaining(['tags.ndjson malformedLine', 'payees.ndjson malformedLine']),
  )
})

it.each([
  [
    'names a list that objects have by themselves',
    { counts: { __proto__: null, constructor: -1 } },
  ],
  ['counts what cannot be counted', { counts: { tags: 1e300 } }],
  ['says no moment', { createdAt: '2026 (hello)' }],
  ['has a version that no archive has', { formatVersion: 1 }],
])('a manifest is none where it %s', async (_, more) => {
  const files = await ownFiles()
  await expect(inspected(withManifest(files, {}, more))).rejects.toMatchObject({
    code: 'backups.notABackup',
  })
})

it('a member whose name stands in every object is an unknown one', async () => {
  const files = await ownFiles()
  const manifest = JSON.parse(text(files['manifest.json'])) as { files: object[] }
  const added = { path: '__proto__.ndjson', size: 0, sha256: '' }
  const { faults } = await inspected({
    ...withManifest(files, {}, { files: [...manifest.files, added] }),
  })
  expect(faults).toContainEqual(expect.objectContaining({ member: '__proto__.ndjson' }))
})
