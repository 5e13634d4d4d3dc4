import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { mustBalanceWhere } from '../../../src/ledger/books/lines.queries.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newCashBack } from '../transactions/parts.fixtures.ts'
import { findings } from './ledger.ts'

type Found = Awaited<ReturnType<typeof newCashBack>>

/** Puts the lines of cash back in place again, of which some differ by an SQL expression for a column. */
async function plant({ whole }: Found, line: string, column: string, value: string): Promise<void> {
  const columns = (
    await rows<{ name: string }>("SELECT name FROM pragma_table_info('entries')")
  ).map(({ name }) => name)
  const selected = columns.map((name) =>
    name === column ? `iif(line IN (${line}), ${value}, ${name})` : name,
  )
  await rows('CREATE TABLE planted AS SELECT * FROM entries WHERE transaction_id = ?', whole.id)
  await rows('DELETE FROM entries WHERE transaction_id = ?', whole.id)
  await rows(
    `INSERT INTO entries (${columns.join(', ')}) SELECT ${selected.join(', ')} FROM planted`,
  )
  await rows('DROP TABLE planted')
}

/** What the guard of every commit that books says of a transaction. */
const guarded = ({ whole }: Found) =>
  commit(contextWith(), {
    changes: [withoutEvents([mustBalanceWhere(sql`transaction_id = ${whole.id}`)])],
    result: 'balanced',
  }).catch((error: { code: string }) => error.code)

it('has nothing to say of a part with both of its sides', async () => {
  const found = await newCashBack()
  expect(await guarded(found)).toBe('balanced')
  expect(await findings([found.whole.id, found.everyday.id, found.wallet.id])).toEqual([])
})

it.each([
  ['a missing pair', '4, 5', 'pair', 'NULL'],
  ['a pair that is the wrong line', '4, 5', 'pair', '2'],
  ['a wrong flow on the other account', '5', 'flow_minor', '29'],
  ['a flow in the wrong direction', '3', 'flow_minor', '30'],
  ['another amount on the other account', '4, 5', 'amount_minor', 'iif(line = 4, 2900, -2900)'],
  ['another account on the other side', '3', 'counter_account_id', 'account_id'],
  ['another category on the other account', '5', 'category_id', "'CATEGORY'"],
  ['a void side alone', '4, 5', 'status', "'void'"],
])('finds %s, in the commit and at night', async (_, line, column, value) => {
  const found = await newCashBack()
  const { whole, groceries } = found
  await plant(found, line, column, value.replace('CATEGORY', groceries.id))
  expect(await guarded(found)).toBe('ledger.unbalanced')
  expect(await findings([whole.id])).not.toEqual([])
  await rows('DELETE FROM entries WHERE transaction_id = ?', whole.id)
  await rows('DELETE FROM transactions WHERE id = ?', whole.id)
})

it.each([
  ['the part', '3, 4, 5', '3'],
  ['its other side', '4, 5', '3'],
  ['the lines of the whole', '1, 2, 3', '4'],
])('finds what is left when %s is lost', async (_, lost) => {
  const found = await newCashBack()
  const { whole } = found
  await rows(`DELETE FROM entries WHERE transaction_id = ? AND line IN (${lost})`, whole.id)
  expect(await guarded(found)).toBe('ledger.unbalanced')
  expect(await findings([whole.id])).not.toEqual([])
  await rows('DELETE FROM entries WHERE transaction_id = ?', whole.id)
  await rows('DELETE FROM transactions WHERE id = ?', whole.id)
})
