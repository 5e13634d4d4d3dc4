import { expect, it } from 'vitest'
import {
  createTransfer,
  deleteTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { findings } from './ledger.ts'

/** An expense, a transfer between currencies, and one in the trash. */
async function newBooks() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me, { currency: 'JPY' })]
  const expense = await book(me, one)
  const ends = { fromAccountId: one.id, toAccountId: two.id, date: '2026-04-01' }
  const json = { ...ends, amount: '50', toAmount: '8000' }
  const [transfer, gone] = [
    await ok(createTransfer, { as: me, json }),
    await ok(createTransfer, { as: me, json }),
  ]
  await ok(deleteTransfer, { as: me, id: gone.id })
  const { id: category } = await newCategory(me)
  return { one: one.id, expense: expense.id, transfer: transfer.id, gone: gone.id, category }
}

type Books = Awaited<ReturnType<typeof newBooks>>

/** A category that is put on one line alone. */
interface Plant {
  name: string
  table?: 'entries' | 'unbooked_entries'
  on: 'expense' | 'transfer' | 'gone'
  line: number
  says?: string
}

const onOneSide = 'that on the other account none'
const plants: Plant[] = [
  { name: 'one side of a transfer', on: 'transfer', line: 1 },
  { name: 'the other side of a transfer', on: 'transfer', line: 2 },
  { name: 'a side of a transfer in the trash', table: 'unbooked_entries', on: 'gone', line: 2 },
  { name: 'the account line of an expense', on: 'expense', line: 1 },
  {
    ...{ name: 'the exchange', on: 'transfer', line: 3 },
    says: 'its side is exchange, its category of the kind expense',
  },
]

it.each(plants)(
  'finds a category on $name alone',
  async ({ table = 'entries', on, line, says }) => {
    const books: Books = await newBooks()
    const ids = [books.one, books.expense, books.transfer, books.gone]
    expect(await findings(ids)).toEqual([])
    const set = (category: string | null) =>
      rows(
        `UPDATE ${table} SET category_id = ? WHERE transaction_id = ? AND line = ?`,
        ...[category, books[on], line],
      )
    await set(books.category)
    const told = await findings(ids)
    await set(null)
    const said = says ?? `its category is ${books.category}, ${onOneSide}`
    expect(told).toEqual([expect.stringContaining(`entry ${books[on]}-${line}: ${said}`)])
    expect(await findings(ids)).toEqual([])
  },
)

it('finds lines on accounts of another owner than their transaction has', async () => {
  const { one, transfer } = await newBooks()
  const other = await newUser()
  const own = async (ownerId: unknown) =>
    rows('UPDATE transactions SET owner_id = ? WHERE id = ?', ownerId, transfer)
  const [before] = await rows<{ owner: string }>(
    'SELECT owner_id AS owner FROM transactions WHERE id = ?',
    transfer,
  )
  await own(other.id)
  const told = await findings([one, transfer])
  await own(before?.owner)
  expect(told).toEqual(
    [1, 2, 3, 4].map((line) => `entry ${transfer}-${line}: its transaction is another owner's`),
  )
  expect(await findings([one, transfer])).toEqual([])
})
