import { expect, it } from 'vitest'
import { storeArchivedFile } from '../../../src/areas/files/attachments/upload.usecases.ts'
import { rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { newUser } from '../../support/world.ts'
import { download, file } from './filing.ts'

it('stores a file of an archive under a key of its own, whatever id it has', async () => {
  const [victim, other] = [await newUser(), await newUser()]
  const theirs = await file(victim)
  const before = (await download(victim, theirs)).text
  const [row = {}] = await rows<Record<string, string | number>>(
    'SELECT id, file_name, content_type, size FROM attachments WHERE id = ?',
    theirs.id,
  )
  const owner = await contextOf(other, 'attachments.write')
  const bytes = new TextEncoder().encode('%PDF-1.4 forged')
  async function* pieces() {
    yield bytes
  }
  const keys = [
    (await storeArchivedFile(owner, row, pieces()))['object_key'],
    (await storeArchivedFile(owner, row, pieces()))['object_key'],
    (await storeArchivedFile(owner, row, undefined))['object_key'],
  ]
  const [named] = await rows<{ key: string }>(
    'SELECT object_key AS key FROM attachments WHERE id = ?',
    theirs.id,
  )
  expect(new Set([...keys, named?.key]).size).toBe(4)
  expect((await download(victim, theirs)).text).toBe(before)
})
