import { expect, it } from 'vitest'
import { createPayee, deletePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { emptyTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { newCategory } from '../categories/trees.ts'
import { bringBack, dropTransaction, erase, newBooks, trashOf } from './trashing.ts'

// What an archive of an earlier version may have brought into the trash.

type Image = { row: Record<string, unknown> } & Record<string, unknown>

const SPOIL: [string, (image: Image) => unknown][] = [
  ['nothing', () => ({})],
  ['null', () => null],
  ['a list', () => []],
  ['no row', ({ row: _, ...rest }) => rest],
  ['a row that is a text', (image) => ({ ...image, row: 'x' })],
  ['no lines', ({ lines: _, ...rest }) => rest],
  ['lines that are a text', (image) => ({ ...image, lines: 'x' })],
  ['lines of a text', (image) => ({ ...image, lines: { txn_x: 'x' } })],
  ['a version that is a text', (image) => ({ ...image, row: { ...image.row, version: 'x' } })],
  ['a name that is an object', (image) => ({ ...image, row: { ...image.row, name: {} } })],
  ['a very long name', (image) => ({ ...image, row: { ...image.row, name: 'x'.repeat(101) } })],
  ['another id', (image) => ({ ...image, row: { ...image.row, id: 'x' } })],
  ['another owner', (image) => ({ ...image, row: { ...image.row, ownerId: 'usr_x' } })],
  ['a field too many', (image) => ({ ...image, row: { ...image.row, rowid: 1 } })],
  ['a row without a name', (image) => ({ ...image, row: { ...image.row, name: undefined } })],
]

const DROPPED = {
  tag: async (as: Principal) => {
    const { id } = await ok(createTag, { as, json: { name: 'Trip' } })
    await ok(deleteTag, { as, id })
    return id
  },
  payee: async (as: Principal) => {
    const { id } = await ok(createPayee, { as, json: { name: 'Baker', aliases: ['BKR'] } })
    await ok(deletePayee, { as, id })
    return id
  },
  category: async (as: Principal) => {
    const { id } = await newCategory(as)
    await ok(deleteCategory, { as, id })
    return id
  },
}

it.each(Object.entries(DROPPED))(
  'a %s with a damaged image stays in the trash',
  async (kind, drop) => {
    const me = await newUser()
    const id = await drop(me)
    const [stored] = await rows<{ image: string }>(
      'SELECT image FROM trashed_rows WHERE id = ?',
      id,
    )
    const image = JSON.parse(stored?.image ?? '') as Image
    for (const [what, spoil] of SPOIL) {
      const spoilt = JSON.stringify(spoil(image))
      await rows('UPDATE trashed_rows SET image = ? WHERE id = ?', spoilt, id)
      const { items } = await trashOf(me)
      expect(items, what).toMatchObject([{ kind, id, version: expect.any(Number) }])
      for (const act of [bringBack, erase]) {
        const { status, error } = await act(me, kind as keyof typeof DROPPED, id)
        expect([status, error.code], what).toEqual([409, 'trash.damaged'])
      }
    }
    await rows('UPDATE trashed_rows SET image = ? WHERE id = ?', JSON.stringify(image), id)
    expect((await bringBack(me, kind as keyof typeof DROPPED, id)).status).toBe(200)
  },
)

it.each([
  ['an amount of zero', 'amount_minor = 0'],
  ['a date that is none', "date = 'x'"],
  ['a payee of its own', "payee_raw = 'x'"],
])('a transaction with %s stays in the trash', async (_, change) => {
  const { me, spend } = await newBooks()
  const { id } = await spend({})
  await dropTransaction(me, { id })
  await rows(`UPDATE unbooked_entries SET ${change} WHERE transaction_id = ?`, id)
  const { status, error } = await bringBack(me, 'transaction', id)
  expect([status, error.code]).toEqual([409, 'trash.damaged'])
  expect((await erase(me, 'transaction', id)).status).toBe(200)
})

it('a damaged image goes with the rest of the trash', async () => {
  const me = await newUser()
  const id = await DROPPED.tag(me)
  await rows("UPDATE trashed_rows SET image = '{}' WHERE id = ?", id)
  await ok(emptyTrash, { as: me })
  expect((await trashOf(me)).items).toEqual([])
})
