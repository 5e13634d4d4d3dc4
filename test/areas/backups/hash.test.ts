import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeBackupJob } from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import { deleteBackup, getBackup } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { ok } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { exported, newHousehold } from '../exports/exports.fixtures.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { ask, contentsOf, make } from './archives.ts'

const DAY = 24 * 60 * 60 * 1000

const hashOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

it('has one hash of the data, which does not depend on when the backup is made', async () => {
  const me = await newOwner()
  const made = await make(me)
  const files = await contentsOf(me, made.id)
  // Rows and files: what lists say depends on who is asked, and on what others share.
  const isData = (path: string) => /^(?:data|files)\//.test(path) && path !== 'files/avatar'
  const lines = Object.keys(files)
    .filter(isData)
    .map((path) => `${path} ${hashOf(files[path] ?? '')}`)
    .toSorted()
  expect(lines.length).toBeGreaterThan(20)
  expect(made.manifest?.contentHash).toBe(hashOf(lines.join('\n')))
  await ok(deleteBackup, { as: me, id: made.id })
  for (const days of [0, 1, 40, 400]) {
    const { id } = await ask(me)
    await makeBackupJob.run(contextWith({ now: Date.now() + days * DAY }), { backupId: id }, [])
    const later = await ok(getBackup, { as: me, id })
    expect(later.manifest?.contentHash, `${days} days later`).toBe(made.manifest?.contentHash)
    await ok(deleteBackup, { as: me, id })
  }
  await ok(createTag, { as: me, json: { name: 'another' } })
  expect((await make(me)).manifest?.contentHash).not.toBe(made.manifest?.contentHash)
})

it('has a table and a journal of the own transactions, and says what each file is', async () => {
  const { me } = await newHousehold()
  const { id } = await make(me)
  const files = await contentsOf(me, id)
  const text = (path: string) => new TextDecoder().decode(files[path])
  expect(text('readable/transactions.csv')).toBe(await exported(me, { format: 'csv' }))
  expect(text('readable/journal.hledger')).toBe(await exported(me, { format: 'hledger' }))
  const readme = text('README.txt')
  expect(readme.split('\n').length).toBeLessThanOrEqual(41)
  // What belongs to budgets is told as one, and so is what belongs to imports.
  const kinds = Object.keys(files).flatMap((path) => /^(\w+)\.ndjson$/.exec(path)?.[1] ?? [])
  const untold = kinds.filter(
    (kind) => !/^(budget|import)[A-Z]/.test(kind) && !readme.includes(kind),
  )
  expect(untold).toEqual([])
})
