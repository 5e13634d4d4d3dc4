import { describe, expect, it } from 'vitest'
import { getRestore, listRestores } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { takeBackDeadRestores } from '../../../src/areas/data-rights/backups/restoring/running.usecases.ts'
import { createTag, deleteTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { eraseFromTrash, listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { download as downloadFile, file } from '../attachments/filing.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { contentsOf } from './archives.ts'
import { text } from './packing.ts'
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

/** What two users see, without ids, stamps and what others share. */
async function seenBy(as: Principal): Promise<string> {
  const query = { limit: 200 }
  const { accounts } = await ok(getUserAccounts, { as })
  const own = accounts.filter(({ permission }) => permission === 'owner')
  const ids = new Set(own.map(({ id }) => id))
  const { transactions } = await ok(listTransactions, { as, query })
  const { items } = await ok(listTrash, { as, query })
  const seen = [own, transactions.filter(({ accountId }) => ids.has(accountId)), items]
  return JSON.stringify(seen).replaceAll(
    /\b[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}(?:-\d+)?|"share\w*":[^,}]*/g,
    '*',
  )
}

describe('a backup that is restored', () => {
  it('gives another user beside the first the same data under new ids', async () => {
    const me = await newOwner()
    await file(me, { query: { linkKind: 'account', linkId: me.one } })
    const { archive, hash } = await backedUp(me)
    const other = await newUser()
    const report = await restored(other, archive)
    expect(report).toMatchObject({ state: 'done', error: null, archiveHash: hash })
    const again = await backedUp(other)
    expect(again.hash).toBe(report.contentHash)
    expect(again.hash).not.toBe(hash)
    expect(await seenBy(other)).toBe(await seenBy(me))
    const { to } = report.idMap.find(({ from }) => from === me.one) ?? { to: '' }
    const { accounts } = await ok(getUserAccounts, { as: other })
    expect(accounts.map(({ id }) => id)).toContain(to)
    expect((await backedUp(me)).hash).toBe(hash)
  })

  it('keeps all ids and has the same hash where the data of the same user is gone', async () => {
    const me = await newOwner()
    const bill = await file(me, { query: { linkKind: 'account', linkId: me.one } })
    const { archive, hash, id } = await backedUp(me)
    const before = await contentsOf(me, id)
    await emptied(me)
    const dry = await restored(me, archive, { dryRun: 'true' })
    expect(dry).toMatchObject({ state: 'done', dryRun: true, archiveHash: hash, contentHash: null })
    expect(await rowsOf(me)).toEqual({})
    const report = await restored(me, archive)
    expect(report).toMatchObject({ state: 'done', idMap: [], error: null, contentHash: hash })
    const again = await backedUp(me)
    expect(again.hash).toBe(hash)
    const after = await contentsOf(me, again.id)
    // Who it is and since when, what is shared with others, what happened, and an import that was under way.
    const others = ['profile', 'shares', 'groups', 'auditLog', 'accountHistory', 'manifest']
    others.push('currencies', 'preferences', 'imports')
    const changed = Object.keys(after).filter((path) => text(after[path]) !== text(before[path]))
    const names = changed.map((path) => path.replace(/\.\w+$/, ''))
    expect(names.filter((name) => !others.includes(name))).toEqual([])
    expect((await downloadFile(me, bill)).status).toBe(200)
    for await (const { found } of compareLedger(contextWith())) {
      expect(Object.values(found).flat()).toEqual([])
    }
    const logged = await rows<{ content: string }>(
      `SELECT e.content FROM log_events e JOIN log_commits c ON c.number = e.commit_number
        WHERE c.type = 'backup.restored' AND e.resource_id = ?`,
      report.id,
    )
    expect(logged[0]?.content).toContain(hash)
    // What is restored is like what was never away.
    const { items } = await ok(listTrash, { as: me })
    expect(items.length).toBeGreaterThan(2)
  })

  it('is for nobody else, nor for a token of some accounts', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    const { id: backupId, archive } = await backedUp(me)
    expect((await sendRestore(other, new Uint8Array(), { backupId })).error).toMatchObject({
      code: 'backups.unknownBackup',
    })
    const { id } = await restored(other, archive)
    expect((await call(getRestore, { as: me, id })).status).toBe(404)
    expect((await ok(listRestores, { as: me })).restores).toEqual([])
    expect((await ok(listRestores, { as: other })).restores.map((one) => one.id)).toEqual([id])
    const as = await giveToken(me, ['backups.read', 'backups.write'], [account.id])
    for (const { error } of [
      await sendRestore(as, archive),
      await call(listRestores, { as }),
      await call(getRestore, { as, id }),
    ]) {
      expect(error.code).toBe('backups.tokenIsRestricted')
    }
  })

  it('is restored once for an Idempotency-Key, and one at a time', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await newAccount(me)
    const { archive } = await backedUp(me)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await sendRestore(other, archive, {}, headers)
    await heldBack(first.body.job.id)
    expect((await sendRestore(other, archive)).error.code).toBe('backups.restoreUnderWay')
    expect((await finishRestore(other, first.body.id)).state).toBe('done')
    const again = await sendRestore(other, archive, {}, headers)
    expect(again.body).toEqual(first.body)
    expect((await ok(getUserAccounts, { as: other })).count).toBe(1)
    const { status, error } = await sendRestore(other, archive)
    expect([status, error.code]).toEqual([409, 'backups.notEmpty'])
    expect(error.error).toContain('accounts')
  })

  it('is taken back when something is changed meanwhile, and leaves that', async () => {
    const me = await newOwner()
    const { archive } = await backedUp(me)
    const other = await newUser()
    const { body } = await sendRestore(other, archive)
    await heldBack(body.job.id)
    await ok(createTag, { as: other, json: { name: 'mine' } })
    const report = await finishRestore(other, body.id)
    expect(report).toMatchObject({
      state: 'failed',
      error: { code: 'backups.changedMeanwhile' },
    })
    expect((await ok(listTags, { as: other })).tags.map(({ name }) => name)).toEqual(['mine'])
    expect(await rowsOf(other)).toEqual({ tags: 1 })
  })

  it('is taken back once its task is given up, leaves what is new, and can be restored again', async () => {
    const me = await newOwner()
    const { archive } = await backedUp(me)
    const other = await newUser()
    const { body } = await sendRestore(other, archive)
    // All rows are there by then.
    await finishRestore(other, body.id, 2)
    const before = await rowsOf(other)
    expect(Object.keys(before).length).toBeGreaterThan(10)
    await rows("UPDATE tasks SET state = 'cancelled' WHERE id = ?", (await taskOf(body.id)) ?? '')
    expect((await ok(getRestore, { as: other, id: body.id })).state).toBe('takingBack')
    expect((await sendRestore(other, archive)).error.code).toBe('backups.restoreUnderWay')
    const { id } = await ok(createTag, { as: other, json: { name: 'mine' } })
    await takeBackDeadRestores(contextWith())
    expect(await finishRestore(other, body.id)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.interrupted' },
    })
    expect(await rowsOf(other)).toEqual({ tags: 1 })
    expect((await ok(listTags, { as: other })).tags.map((tag) => tag.id)).toEqual([id])
    await ok(deleteTag, { as: other, id })
    await ok(eraseFromTrash, { as: other, id, path: { kind: 'tag' } })
    expect(await restored(other, archive)).toMatchObject({ state: 'done', error: null })
  })
})
