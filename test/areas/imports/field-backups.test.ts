import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  cancelImport,
  commitImport,
  setImportMapping,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { call, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { settled, upload } from './importing.ts'

const FOLDER = join(import.meta.dirname, '../../support/field')

/** Books a file on an account, or gives it up where questions are open. */
async function ended(me: TestUser, fileName: string, accountId: string): Promise<string> {
  const bytes = readFileSync(join(FOLDER, fileName))
  const whole = await upload(me, bytes, { fileName })
  const sent = whole.status < 300 ? whole : await upload(me, bytes, { fileName, accountId })
  const { id } = sent.body
  const { accounts } = await settled(me, id)
  const accountMap = Object.fromEntries(accounts.map(({ foreign }) => [foreign, accountId]))
  if (accounts.some((one) => one.accountId === null)) {
    await call(setImportMapping, { as: me, id, json: { accountMap } })
  }
  const { state } = await settled(me, id)
  await (state === 'previewed'
    ? call(commitImport, { as: me, id, json: { force: true } })
    : call(cancelImport, { as: me, id }))
  return (await settled(me, id)).state
}

const countOf = async ({ id }: TestUser) =>
  (await rows('SELECT id FROM imports WHERE owner_id = ?', id)).length

it('a backup can be restored after any file, whatever is stored of it', async () => {
  const me = await newUser()
  const { id } = await newAccount(me, { currency: 'EUR' })
  const names = readdirSync(FOLDER)
  const states: string[] = []
  for (const name of names) {
    states.push(await ended(me, name, id))
  }
  const times = Map.groupBy(states, (state) => state)
  expect([...times.keys()].toSorted()).toEqual(['cancelled', 'done'])
  expect(times.get('done')?.length).toBeGreaterThan(30)
  const heir = await newUser()
  const { archive } = await backedUp(me)
  expect(await restored(heir, archive)).toMatchObject({ state: 'done', error: null })
  expect([await countOf(heir), names.length > 40]).toEqual([names.length, true])
})
