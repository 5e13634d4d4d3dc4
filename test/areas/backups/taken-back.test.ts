import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { beforeAll, expect, it } from 'vitest'
import {
  getPreferences,
  updatePreferences,
} from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { getImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  getOwnCurrencies,
  setOwnCurrencies,
} from '../../../src/areas/money/currencies/currencies.routes.ts'
import { ownedData } from '../../../src/platform/owned-data/owned-data.ts'
import { ok, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { csv, uploaded } from '../imports/importing.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { contentsOf } from './archives.ts'
import { type Files, packed, text, withManifest } from './packing.ts'
import { backedUp, finishRestore, heldBack, restored, sendRestore } from './restoring.ts'

// What a user chose before a restore that fails at its end.

let files: Files

beforeAll(async () => {
  const me = await newOwner()
  await ok(setOwnCurrencies, { as: me, json: { currencies: ['CHF', 'JPY'] } })
  files = await contentsOf(me, (await backedUp(me)).id)
})

/** An archive that fails when all of it is stored and compared: a line says that it moved another amount than it did. */
const unreadable = () =>
  packed(
    withManifest(files, {
      'data/entries.ndjson': text(files['data/entries.ndjson']).replace(
        /"flow_minor":-?\d+/,
        '"flow_minor":4711',
      ),
    }),
  )

const chosenBy = (as: TestUser) =>
  Promise.all([ok(getPreferences, { as }), ok(getOwnCurrencies, { as })])

it('comes back under versions that nobody has seen, or is gone again', async () => {
  const [user, other] = [await newUser(), await newUser()]
  await ok(updatePreferences, { as: user, json: { weekStart: 'saturday', hideAmounts: true } })
  await ok(setOwnCurrencies, { as: user, json: { currencies: ['USD'] } })
  const [before, nothing] = [await chosenBy(user), await chosenBy(other)]
  const { body } = await sendRestore(user, await unreadable())
  await heldBack(body.job.id)
  await finishRestore(user, body.id, 2)
  const [between] = await chosenBy(user)
  expect(between.weekStart).toBe('sunday')
  expect((await finishRestore(user, body.id)).state).toBe('failed')
  const after = await chosenBy(user)
  expect(after).toEqual(before.map((one) => ({ ...one, version: expect.any(Number) as number })))
  expect(after[0].version).toBeGreaterThan(Math.max(before[0].version, between.version))
  expect((await restored(other, await unreadable())).state).toBe('failed')
  expect(await chosenBy(other)).toEqual(nothing)
  const kept = await rows('SELECT replaced FROM restores WHERE owner_id = ?', user.id)
  expect(kept).toEqual([{ replaced: '{}' }])
})

/** All rows of a user, but those that tell of the restore itself, or that a reader stores later. */
async function allRowsOf({ id }: TestUser): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const table of ownedData().flatMap(({ tables }) => tables)) {
    const name = getTableName(table)
    const columns: Record<string, SQLiteColumn> = getTableColumns(table)
    const owner = columns['ownerId'] ?? columns['userId']
    if (owner && !['restores', 'restored_rows', 'notifications', 'downloaders'].includes(name)) {
      const some = await rows(`SELECT * FROM ${name} WHERE ${owner.name} = ?`, id)
      Object.assign(found, some.length > 0 ? { [name]: some } : {})
    }
  }
  return found
}

it('leaves all that was there before it: imports that are open, files that wait, exports', async () => {
  const user = await newUser()
  const sent = await uploaded(user, csv(['2026-03-10,TESCO,-12.30', '2026-03-13,TEA,-2.00']))
  await backedUp(user)
  const before = await allRowsOf(user)
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['archives', 'imports', 'sessions']))
  const report = await restored(user, await unreadable())
  expect(report).toMatchObject({ state: 'failed', error: { code: 'backups.brokenArchive' } })
  expect(await allRowsOf(user)).toEqual(before)
  // It can still be gone on with.
  expect((await ok(getImport, { as: user, id: sent.id })).questions).toHaveLength(1)
})

it('stays as the user changed it meanwhile', async () => {
  const user = await newUser()
  await ok(updatePreferences, { as: user, json: { weekStart: 'saturday' } })
  const { body } = await sendRestore(user, await unreadable())
  await heldBack(body.job.id)
  await finishRestore(user, body.id, 2)
  await ok(updatePreferences, { as: user, json: { weekStart: 'monday' } })
  expect((await finishRestore(user, body.id)).state).toBe('failed')
  expect((await ok(getPreferences, { as: user })).weekStart).toBe('monday')
})
