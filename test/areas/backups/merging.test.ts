import { expireArchivesJob } from '../../../src/areas/data-rights/backups/backups.jobs.ts'
import { takeBackDeadRestores } from '../../../src/areas/data-rights/backups/restoring/running.usecases.ts'
import { createTag, deleteTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { again } from '../../support/again.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { newOwner, type Owner } from '../own-user/owners.fixtures.ts'
import {
  backedUp,
  emptied,
  finishRestore,
  heldBack,
  restored,
  rowsOf,
  sendRestore,
  taskOf,
} from './restoring.ts'

const merge = { mode: 'merge' } as const

async function requireSound(): Promise<void> {
  for await (const { found } of compareLedger(contextWith())) {
    expect(Object.values(found).flat()).toEqual([])
  }
}

const balancesOf = async (as: Principal) =>
  Object.fromEntries(
    (await ok(getUserAccounts, { as })).accounts
      .filter(({ permission }) => permission === 'owner')
      .map(({ id, name, balance }) => [id, [name, balance]]),
  )

const addedIn = ({ merged }: { merged: Record<string, { added: number }> | null }) =>
  Object.fromEntries(Object.entries(merged ?? {}).filter(([, { added }]) => added > 0))

/** Somebody with data, and an archive of it: no restore of it changes either. */
let me: Owner
let archive: Uint8Array
let hash: string

async function newArchived() {
  const owner = await newOwner()
  await file(owner, { query: { linkKind: 'account', linkId: owner.one } })
  return { owner, ...(await backedUp(owner)) }
}

beforeAll(async () => {
  const archived = await newArchived()
  me = archived.owner
  archive = archived.archive
  hash = archived.hash
})

/** Somebody with other data, beside them. */
const newOther = again(newOwner)

describe('a backup that is merged', () => {
  it('into a user without data is what restoring makes of it', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const plain = await restored(one, archive)
    const merged = await restored(other, archive, merge)
    expect(merged).toMatchObject({ state: 'done', error: null })
    expect(merged.counts).toEqual(plain.counts)
    expect((await backedUp(other)).hash).toBe(merged.contentHash)
    for (const [table, { mapped, skipped }] of Object.entries(merged.merged ?? {})) {
      expect([table, mapped, skipped]).toEqual([table, 0, 0])
    }
    const again = await restored(other, archive, merge)
    expect(again).toMatchObject({ state: 'done', contentHash: merged.contentHash })
    expect(addedIn(again)).toEqual({})
    // As is what was restored before.
    const late = await restored(one, archive, merge)
    expect([late.error, addedIn(late)]).toEqual([null, {}])
    await requireSound()
  })

  it('of the own data adds nothing', async () => {
    const report = await restored(me, archive, merge)
    expect(report).toMatchObject({ state: 'done', error: null, contentHash: hash })
    expect(addedIn(report)).toEqual({})
    expect((await backedUp(me)).hash).toBe(hash)
  })

  it('into other data leaves all of it as it is', async () => {
    const other = await newOther()
    const before = await balancesOf(other)
    const report = await restored(other, archive, merge)
    expect(report).toMatchObject({ state: 'done', error: null })
    expect(await balancesOf(other)).toMatchObject(before)
    expect((await backedUp(other)).hash).toBe(report.contentHash)
    const again = await restored(other, archive, merge)
    expect(addedIn(again)).toEqual({})
    expect(again.contentHash).toBe(report.contentHash)
    await requireSound()
  })

  it('tells what became of each id, also of those that existing rows stand for', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const of = async (as: Principal, name: string) =>
      (await ok(createTag, { as, json: { name } })).id
    const [both, mine] = [await of(one, 'Both'), await of(one, 'Mine')]
    const theirs = await of(other, 'Both')
    const { archive: tagged } = await backedUp(one)
    const { idMap } = await restored(other, tagged, merge)
    const added = (await ok(listTags, { as: other })).tags.find(({ name }) => name === 'Mine')
    const tags = idMap.filter(({ from }) => from.startsWith('tag_'))
    expect(tags).toEqual(
      expect.arrayContaining([
        { from: both, to: theirs },
        { from: mine, to: added?.id },
      ]),
    )
    expect(tags).toHaveLength(2)
    // What is merged again has become what it is.
    expect((await restored(other, tagged, merge)).idMap).toEqual(idMap)
  })

  it('keeps all ids and the hash where the data of the same user is gone', async () => {
    const gone = await newArchived()
    await emptied(gone.owner)
    const report = await restored(gone.owner, gone.archive, merge)
    expect(report).toMatchObject({ idMap: [], contentHash: gone.hash })
    expect((await backedUp(gone.owner)).hash).toBe(gone.hash)
  })

  it.each([1, 2, 3])('is taken back where it dies after %d of its tasks', async (most) => {
    const other = await newOther()
    const { hash: before } = await backedUp(other)
    const { body } = await sendRestore(other, archive, merge)
    await heldBack(body.job.id)
    await finishRestore(other, body.id, most)
    const task = (await taskOf(body.id)) ?? ''
    await rows("UPDATE tasks SET state = 'cancelled' WHERE id = ?", task)
    const { id } = await ok(createTag, { as: other, json: { name: 'mine' } })
    await takeBackDeadRestores(contextWith())
    expect(await finishRestore(other, body.id)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.interrupted' },
    })
    await ok(deleteTag, { as: other, id })
    await ok(eraseFromTrash, { as: other, id, path: { kind: 'tag' } })
    expect((await backedUp(other)).hash).toBe(before)
    await requireSound()
    await expireArchivesJob.run(contextWith(), {}, [])
    expect(await rows('SELECT 1 FROM restored_rows WHERE restore_id = ?', body.id)).toEqual([])
    expect(await restored(other, archive, merge)).toMatchObject({ state: 'done', error: null })
  })

  it('is taken back when something is changed meanwhile, and leaves that', async () => {
    const other = await newOther()
    const before = await rowsOf(other)
    const { body } = await sendRestore(other, archive, merge)
    await heldBack(body.job.id)
    await finishRestore(other, body.id, 2)
    await ok(createTag, { as: other, json: { name: 'mine' } })
    expect(await finishRestore(other, body.id)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.changedMeanwhile' },
    })
    expect(await rowsOf(other)).toEqual({ ...before, tags: (before['tags'] ?? 0) + 1 })
  })
})
