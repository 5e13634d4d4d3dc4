import { beforeAll, describe, expect, it } from 'vitest'
import { undoWipe, wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import {
  backedUp,
  emptied,
  finishRestore,
  heldBack,
  restored,
  sendRestore,
} from '../backups/restoring.ts'
import { refusal } from '../transactions/booking.ts'
import { newOwner } from './owners.fixtures.ts'

// A restore keeps the dates of the archive, so a wipe that was asked for before would erase what it adds.

const WIPE_SCHEDULED = [409, 'backups.wipeScheduled']
const RESTORE_UNDER_WAY = [409, 'user.restoreUnderWay']

let archive: Uint8Array

beforeAll(async () => {
  const { archive: made } = await backedUp(await newOwner())
  archive = made
})

const wipe = (as: TestUser) =>
  call(wipeData, { as, json: { kinds: ['accounts'], password: as.password } })
const setWipe = ({ id }: TestUser, state: string) =>
  rows('UPDATE tasks SET state = ? WHERE dedupe_key = ?', state, `user.wipe ${id}`)

describe('a restore', () => {
  it.each([
    ['into no data', {}],
    ['into data', { mode: 'merge' as const }],
  ])('%s is refused while a wipe is scheduled or runs', async (_, query) => {
    const me = await newUser()
    expect((await wipe(me)).status).toBe(202)
    for (const state of ['queued', 'running', 'failed', 'dead']) {
      await setWipe(me, state)
      expect(refusal(await sendRestore(me, archive, query))).toEqual(WIPE_SCHEDULED)
    }
    expect(await rows('SELECT id FROM restores WHERE owner_id = ?', me.id)).toEqual([])
    await setWipe(me, 'queued')
    await ok(undoWipe, { as: me })
    expect(await restored(me, archive, query)).toMatchObject({ state: 'done', error: null })
  })

  it('that only checks an archive is not refused by a wipe', async () => {
    const me = await newUser()
    expect((await wipe(me)).status).toBe(202)
    expect(await restored(me, archive, { dryRun: 'true' })).toMatchObject({ error: null })
  })

  it('is not refused by the wipe of somebody else', async () => {
    const [me, other] = [await newUser(), await newUser()]
    expect((await wipe(other)).status).toBe(202)
    expect(await restored(me, archive)).toMatchObject({ state: 'done', error: null })
  })
})

describe('a wipe', () => {
  it('is refused until a restore has ended', async () => {
    const me = await newUser()
    const { body } = await sendRestore(me, archive)
    await heldBack(body.job.id)
    expect(refusal(await wipe(me))).toEqual(RESTORE_UNDER_WAY)
    expect(await finishRestore(me, body.id, 2)).toMatchObject({ state: 'comparing' })
    expect(refusal(await wipe(me))).toEqual(RESTORE_UNDER_WAY)
    expect(await finishRestore(me, body.id)).toMatchObject({ state: 'done' })
    expect((await wipe(me)).status).toBe(202)
    await emptied(me)
  })

  it('and a restore are never both asked for', async () => {
    const me = await newUser()
    const sent = await Promise.all([wipe(me), sendRestore(me, archive)])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([202, 409])
  })
})
