import { beforeAll, expect, it } from 'vitest'
import {
  getPreferences,
  updatePreferences,
} from '../../../src/areas/data-rights/own-user/preferences/preferences.routes.ts'
import {
  getOwnCurrencies,
  setOwnCurrencies,
} from '../../../src/areas/money/currencies/currencies.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'
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

/** An archive that fails when all of it is stored and compared: no list can show its template. */
const unreadable = () =>
  packed(
    withManifest(files, {
      'data/budget_templates.ndjson': text(files['data/budget_templates.ndjson']).replace(
        /"items":"(?:[^"\\]|\\.)*"/,
        '"items":"[{}]"',
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
