import { withoutEvents } from '../../../src/platform/log/events.ts'
import { is, Placeholder } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { eraseTransactionsOf } from '../../../src/ledger/ledger.public.ts'
import { restoreTransactions, trashTransactions } from '../../../src/ledger/trash/trash.queries.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { commit } from '../../../src/platform/database/database.ts'
import type { Statement } from '../../../src/platform/database/statements.ts'
import { ok, rows } from '../../support/api.ts'
import { planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { differencesOf } from './ledger.ts'

const write = (writes: Statement[]) =>
  commit(contextWith(), {
    changes: [withoutEvents(writes)],
    result: undefined,
  }).then(
    () => 'done',
    ({ code }: { code: string }) => code,
  )

/** An account with an expense in two parts, which has tags and an external id, and a transfer to yen. */
async function newBooks() {
  const me = await newUser()
  const [euro, yen] = [
    await newAccount(me, { openingBalance: '100' }),
    await newAccount(me, { currency: 'JPY' }),
  ]
  const category = await newCategory(me)
  const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
  const expense = await book(me, euro, {
    splits: [{ amount: '2.30', categoryId: category.id, tagIds: [tagId] }, { amount: '10' }],
    tagIds: [tagId],
    externalId: 'x',
    status: 'reconciled',
  })
  const json = {
    fromAccountId: euro.id,
    toAccountId: yen.id,
    date: '2026-04-01',
    amount: '50',
    toAmount: '8000',
    fee: { amount: '1', categoryId: category.id },
  }
  const transfer = await ok(createTransfer, { as: me, json })
  return { me, euro, category, expense: expense.id, transfer: transfer.id }
}

const TABLES = ['entries', 'account_balances', 'account_periods', 'flow_periods']

/** Everything that money is in, and all that is linked. */
const moneyOf = async ({ id }: TestUser) =>
  Promise.all([
    ...TABLES.map((table) =>
      rows(
        `SELECT * FROM ${table} WHERE account_id IN (SELECT id FROM accounts WHERE owner_id = ?)
          ORDER BY 1, 2, 3`,
        id,
      ),
    ),
    rows(
      `SELECT l.* FROM transaction_tags l JOIN tags g ON g.id = l.tag_id WHERE g.owner_id = ?
        ORDER BY 1, 2`,
      id,
    ),
  ])

const at = ({ id: ownerId }: TestUser, id: string, version: number) => ({ id, ownerId, version })

it('takes many out of every balance, and brings them back to the byte', async () => {
  const { me, expense, transfer } = await newBooks()
  const before = await moneyOf(me)
  expect(
    await write(trashTransactions(contextWith(), [at(me, expense, 1), at(me, transfer, 1)])),
  ).toBe('done')
  expect(
    await rows("SELECT 1 FROM entries WHERE owner_id = ? AND side <> 'opening'", me.id),
  ).toHaveLength(1)
  expect(await rows('SELECT 1 FROM unbooked_entries WHERE owner_id = ?', me.id)).toHaveLength(8)
  expect(await differencesOf(me)).toEqual([])
  expect(
    await write(restoreTransactions(contextWith(), [at(me, expense, 2), at(me, transfer, 2)])),
  ).toBe('done')
  expect(await moneyOf(me)).toEqual(before)
  expect(await rows('SELECT 1 FROM unbooked_entries WHERE owner_id = ?', me.id)).toEqual([])
  expect(await differencesOf(me)).toEqual([])
})

it('moves all that were named or none, each in the version that was read', async () => {
  const { me, expense, transfer } = await newBooks()
  const seen = [at(me, expense, 1), at(me, transfer, 2)]
  expect(await write(trashTransactions(contextWith(), seen))).toBe('request.conflict')
  expect(await write(restoreTransactions(contextWith(), [at(me, expense, 1)]))).toBe(
    'request.conflict',
  )
  expect(await rows('SELECT 1 FROM unbooked_entries WHERE owner_id = ?', me.id)).toEqual([])
  await write(trashTransactions(contextWith(), [at(me, expense, 1)]))
  expect(await write(trashTransactions(contextWith(), [at(me, expense, 2)]))).toBe(
    'request.conflict',
  )
})

const CATEGORISE =
  "UPDATE unbooked_entries SET category_id = (SELECT id FROM categories WHERE kind = 'expense' LIMIT 1)"

it.each([
  [
    'other amounts',
    'UPDATE unbooked_entries SET amount_minor = 1 WHERE transaction_id = ? AND line = 1',
  ],
  ['a missing line', 'DELETE FROM unbooked_entries WHERE transaction_id = ? AND line = 1'],
  ['no lines at all', 'DELETE FROM unbooked_entries WHERE transaction_id = ?'],
  ['a category of the account', `${CATEGORISE} WHERE transaction_id = ? AND line = 1`],
])('restores nothing from %s', async (_, sql) => {
  const { me, expense } = await newBooks()
  await write(trashTransactions(contextWith(), [at(me, expense, 1)]))
  const kept = await rows('SELECT * FROM unbooked_entries WHERE transaction_id = ?', expense)
  await rows(sql, expense)
  expect(await write(restoreTransactions(contextWith(), [at(me, expense, 2)]))).toBe(
    'ledger.unbalanced',
  )
  await rows('DELETE FROM unbooked_entries WHERE transaction_id = ?', expense)
  await rows(
    `INSERT INTO unbooked_entries SELECT ${Object.keys(kept[0] ?? {})
      .map((_column, index) => `value->>${index}`)
      .join(', ')} FROM json_each(?)`,
    JSON.stringify(kept.map((row) => Object.values(row as object))),
  )
  expect(await differencesOf(me)).toEqual([])
})

it('restores no transfer whose sides say different things', async () => {
  const { me, transfer } = await newBooks()
  await write(trashTransactions(contextWith(), [at(me, transfer, 1)]))
  const oneSide = 'WHERE transaction_id = ? AND line = 2'
  const restored = () => write(restoreTransactions(contextWith(), [at(me, transfer, 2)]))
  await rows(`${CATEGORISE} ${oneSide}`, transfer)
  expect(await restored()).toBe('ledger.unbalanced')
  await rows(`UPDATE unbooked_entries SET category_id = NULL ${oneSide}`, transfer)
  expect(await restored()).toBe('done')
  expect(await differencesOf(me)).toEqual([])
})

it('erases some in the trash and some that are not, with what hangs on them', async () => {
  const { me, expense, transfer } = await newBooks()
  await write(trashTransactions(contextWith(), [at(me, expense, 1)]))
  expect(await write(eraseTransactionsOf([expense, transfer], me.id))).toBe('done')
  for (const table of ['unbooked_entries', 'transaction_tags', 'entries']) {
    expect(
      await rows(`SELECT 1 FROM ${table} WHERE transaction_id IN (?, ?)`, expense, transfer),
    ).toEqual([])
  }
  expect(await differencesOf(me)).toEqual([])
})

it('finds everything by ids, however much there is', async () => {
  const { me, expense } = await newBooks()
  for (const statement of [
    ...trashTransactions(contextWith(), [at(me, expense, 1)]),
    ...restoreTransactions(contextWith(), [at(me, expense, 1)]),
    ...eraseTransactionsOf([expense], me.id),
  ]) {
    const { sql, params } = (
      statement as unknown as { getQuery: () => { sql: string; params: unknown[] } }
    ).getQuery()
    const bound = params.map((param) => (is(param, Placeholder) ? 1 : param))
    const plan = await planOf(sql, bound)
    expect(
      plan.filter((step) => /^SCAN (?!json_each|seen|CONSTANT)/.test(step)),
      sql,
    ).toEqual([])
  }
})
