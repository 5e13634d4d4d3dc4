import { describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { ok, type Principal } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { backedUp, restored } from './restoring.ts'

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

describe('a backup that is merged', () => {
  it('into a user without data is what restoring makes of it', async () => {
    const me = await newOwner()
    await file(me, { query: { linkKind: 'account', linkId: me.one } })
    const { archive } = await backedUp(me)
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
    const me = await newOwner()
    await file(me, { query: { linkKind: 'account', linkId: me.one } })
    const { archive, hash } = await backedUp(me)
    const report = await restored(me, archive, merge)
    expect(report).toMatchObject({ state: 'done', error: null, contentHash: hash })
    expect(addedIn(report)).toEqual({})
    expect((await backedUp(me)).hash).toBe(hash)
  })

  it('into other data leaves all of it as it is', async () => {
    const [me, other] = [await newOwner(), await newOwner()]
    const { archive } = await backedUp(me)
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
})
