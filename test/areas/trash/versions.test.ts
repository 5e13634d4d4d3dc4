import { describe, expect, it } from 'vitest'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, updateTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser } from '../../support/world.ts'
import { newCategory, refusal } from '../transactions/booking.ts'
import {
  bringBack,
  dropAccount,
  dropTransaction,
  dropTransfer,
  idsIn,
  type Kind,
  newBooks,
  trashOf,
} from './trashing.ts'

const eraseIf = (
  ifMatch: string,
  as: Principal,
  path: { kind: Kind; id: string },
  service = serviceWith({}),
) => service.call(eraseFromTrash, { as, path, headers: { 'If-Match': ifMatch } })

const versionIn = async (as: Principal, id: string) =>
  (await trashOf(as)).items.find((item) => item.id === id)?.version

/** One of each kind, in the trash. */
async function newTrash(): Promise<{ me: Principal; trash: { kind: Kind; id: string }[] }> {
  const { me, two, yen, spend, move } = await newBooks()
  const [transaction, transfer] = [await spend(), await move(two)]
  await dropTransaction(me, transaction)
  await dropTransfer(me, transfer)
  await dropAccount(me, yen)
  const category = await newCategory(me)
  await ok(deleteCategory, { as: me, id: category.id })
  const tag = await ok(createTag, { as: me, json: { name: 'Trip' } })
  await ok(deleteTag, { as: me, id: tag.id })
  const payee = await ok(createPayee, { as: me, json: { name: 'Shop' } })
  await ok(deletePayee, { as: me, id: payee.id })
  return {
    me,
    trash: [
      { kind: 'transaction', id: transaction.id },
      { kind: 'transfer', id: transfer.id },
      { kind: 'account', id: yen.id },
      { kind: 'category', id: category.id },
      { kind: 'tag', id: tag.id },
      { kind: 'payee', id: payee.id },
    ],
  }
}

describe('the version of what is in the trash', () => {
  it('is listed, and what has another one is not erased, whatever its kind', async () => {
    const { me, trash } = await newTrash()
    for (const item of trash) {
      const version = (await versionIn(me, item.id)) ?? 0
      expect(version, item.kind).toBeGreaterThan(0)
      const stale = await eraseIf(`"${version + 1}"`, me, item)
      expect(refusal(stale), item.kind).toEqual([412, 'request.stale'])
      expect(await idsIn(me), item.kind).toContain(item.id)
      expect((await eraseIf(`"${version}"`, me, item)).status, item.kind).toBeLessThan(300)
    }
    expect(await idsIn(me)).toEqual([])
  })

  it('is another one once it was restored and deleted again, also during the request', async () => {
    const me = await newUser()
    const { id } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    await ok(deleteTag, { as: me, id })
    const again = async () => {
      await bringBack(me, 'tag', id)
      await ok(updateTag, { as: me, id, json: { color: '#112233' } })
      await ok(deleteTag, { as: me, id })
    }
    const before = `"${await versionIn(me, id)}"`
    const service = serviceWith({ meanwhile: again })
    const path = { kind: 'tag', id } as const
    expect(refusal(await eraseIf(before, me, path, service))).toEqual([412, 'request.stale'])
    expect(refusal(await eraseIf(before, me, path))).toEqual([412, 'request.stale'])
    expect(refusal(await service.call(eraseFromTrash, { as: me, path }))).toEqual([
      409,
      'trash.changedMeanwhile',
    ])
    expect(await idsIn(me)).toEqual([id])
    expect((await call(eraseFromTrash, { as: me, path })).status).toBe(200)
  })

  it('is another one of a transaction, too, that was restored and deleted again during the request', async () => {
    const { me, spend } = await newBooks()
    const { id } = await spend()
    await dropTransaction(me, { id })
    const again = async () => {
      await bringBack(me, 'transaction', id)
      await dropTransaction(me, { id })
    }
    const path = { kind: 'transaction', id } as const
    const service = serviceWith({ meanwhile: again })
    expect(refusal(await service.call(eraseFromTrash, { as: me, path }))).toEqual([
      409,
      'trash.changedMeanwhile',
    ])
    expect(await idsIn(me)).toEqual([id])
    expect((await call(eraseFromTrash, { as: me, path })).status).toBe(200)
  })
})
