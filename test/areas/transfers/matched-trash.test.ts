import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  deleteTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf } from '../transactions/booking.ts'
import { bringBack, DAY, erase, idsIn, purgeNow, work } from '../trash/trashing.ts'
import { converted, match, newFull, newHalves, revert, stored, unmatch } from './matched.ts'

const headersOf = ({ id }: { id: string }) =>
  rows<{ id: string }>('SELECT id FROM transactions WHERE owner_id = ? ORDER BY id', id)

describe('a matched transfer', () => {
  it('is alone in the trash, and still matched when it is restored', async () => {
    const { me, from, to } = await newFull()
    const before = await stored(me)
    const { body } = await match(me, from, to)
    await ok(deleteTransfer, { as: me, id: body.id })
    expect(await idsIn(me)).toEqual([body.id])
    expect(await differencesOf(me)).toEqual([])
    for (const { id } of [from, to]) {
      expect((await bringBack(me, 'transaction', id)).status).toBe(404)
      expect((await erase(me, 'transaction', id)).status).toBe(404)
    }
    expect((await bringBack(me, 'transfer', body.id)).status).toBe(200)
    await unmatch(me, body)
    expect(await stored(me)).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps its rows however long, and takes them along when it is erased', async () => {
    const { me, from, to } = await newFull()
    const { body } = await match(me, from, to)
    await rows('UPDATE transactions SET updated_at = 1 WHERE owner_id = ?', me.id)
    await purgeNow()
    expect(await headersOf(me)).toHaveLength(3)
    await ok(deleteTransfer, { as: me, id: body.id })
    await rows(
      'UPDATE transactions SET deleted_at = ? WHERE id = ?',
      Date.now() - 31 * DAY,
      body.id,
    )
    await purgeNow()
    expect(await headersOf(me)).toEqual([])
    expect(await rows('SELECT 1 FROM unbooked_entries WHERE owner_id = ?', me.id)).toEqual([])
    expect(await rows('SELECT 1 FROM transaction_tags WHERE transaction_id = ?', from.id)).toEqual(
      [],
    )
  })

  it.each(['leg', 'other'] as const)(
    'of one row goes with the account of its %s, and leaves what moved on the other, under the id of the row',
    async (which) => {
      const { me, one, two, out } = await newHalves()
      const row = await out()
      const before = await stored(me)
      const transfer = await converted(me, row, two)
      await ok(deleteTransfer, { as: me, id: transfer.id })
      expect(await idsIn(me)).toEqual([transfer.id])
      expect((await bringBack(me, 'transfer', transfer.id)).status).toBe(200)
      await revert(me, row)
      expect(await stored(me)).toEqual(before)
      await converted(me, row, two)
      const [gone, left] = which === 'leg' ? [one, two] : [two, one]
      await ok(deleteAccount, { as: me, id: gone.id })
      await erase(me, 'account', gone.id)
      await work(me.id)
      expect(await balanceOf(me, left)).toBe(which === 'leg' ? '50.00' : '-50.00')
      expect(await headersOf(me)).toEqual([{ id: row.id }])
      expect(await ok(getTransaction, { as: me, id: row.id })).toMatchObject({ kind: 'adjustment' })
      expect(await differencesOf(me)).toEqual([])
    },
  )

  it('goes with an account that is erased, and leaves the other its money', async () => {
    const { me, one, two, from, to } = await newFull()
    await match(me, from, to)
    await ok(deleteAccount, { as: me, id: one.id })
    await erase(me, 'account', one.id)
    await work(me.id)
    expect(await balanceOf(me, two)).toBe('50.00')
    expect(await headersOf(me)).toHaveLength(1)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is unmatched into one old row and a new one when the other was erased with its account', async () => {
    const { me, two, from, to } = await newFull()
    const third = await newAccount(me)
    const { body } = await match(me, from, to)
    await ok(updateTransfer, { as: me, id: body.id, json: { toAccountId: third.id } })
    await ok(deleteAccount, { as: me, id: two.id })
    await erase(me, 'account', two.id)
    await work(me.id)
    expect(await differencesOf(me)).toEqual([])
    const apart = await unmatch(me, body)
    expect(apart.from).toMatchObject({
      id: from.id,
      categoryId: from.categoryId,
      tagIds: from.tagIds,
    })
    expect(apart.to).toMatchObject({ kind: 'income', accountId: third.id, categoryId: null })
    expect(await ok(getTransaction, { as: me, id: apart.to.id })).toEqual(apart.to)
    expect((await call(getTransaction, { as: me, id: to.id })).status).toBe(404)
    expect(await differencesOf(me)).toEqual([])
  })

  it('gets a tag back that one of its rows had before, which keeps it then', async () => {
    const { me, from, to, tags } = await newFull()
    const before = await stored(me)
    await ok(deleteTag, { as: me, id: tags.mine })
    const { body } = await match(me, from, to)
    expect(body.from.tagIds).not.toContain(tags.mine)
    expect((await bringBack(me, 'tag', tags.mine)).status).toBe(200)
    expect((await ok(getTransfer, { as: me, id: body.id })).from.tagIds).toContain(tags.mine)
    await unmatch(me, body)
    expect(await stored(me)).toEqual(before)
  })

  it('leaves its rows the payee that they had when they were matched', async () => {
    const { me, out, into } = await newHalves()
    const payee = async (name: string) => ok(createPayee, { as: me, json: { name } })
    const [shop, bank] = [await payee('Shop'), await payee('Bank')]
    const [from, to] = [await out({ payeeId: shop.id }), await into()]
    await ok(deletePayee, { as: me, id: shop.id, query: { reassignTo: bank.id } })
    const before = await stored(me)
    const { body } = await match(me, from, to)
    expect((await bringBack(me, 'payee', shop.id)).status).toBe(200)
    await unmatch(me, body)
    expect(await stored(me)).toEqual(before)
  })

  it('shows in the reconciliation when its rows could not come back', async () => {
    const { me, from, to } = await newFull()
    await match(me, from, to)
    await rows('DELETE FROM unbooked_entries WHERE transaction_id = ? AND line = 2', from.id)
    await rows('UPDATE transactions SET deleted_at = 1 WHERE id = ?', to.id)
    const told = await differencesOf(me)
    expect(told.some((line) => line.includes(`${from.id} is matched`))).toBe(true)
    expect(told.some((line) => line.includes(`${to.id} is matched`))).toBe(true)
    await rows('DELETE FROM entries WHERE owner_id = ?', me.id)
    await rows('DELETE FROM transactions WHERE owner_id = ?', me.id)
  })
})
