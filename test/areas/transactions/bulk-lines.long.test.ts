import { expect, it } from 'vitest'
import { selectedRows } from '../../../src/areas/money/transactions/bulk/selection.usecases.ts'
import { read } from '../../../src/platform/database/database.ts'
import { contextOf } from '../../support/context.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { expenseOn, refusal } from './booking.ts'
import { changeAll, createAll, removeAll, times, verdicts } from './bulk.ts'

// Transactions have up to 101 lines each, so of 500 there may be more than a Worker has memory for.

const PARTS = 100
const LINES = PARTS + 1
const MOST_LINES = 5000

async function manyParts(count: number) {
  const me = await newUser()
  const account = await newAccount(me)
  const splits = times(PARTS, () => ({ amount: '1' }))
  const ids: string[] = []
  for (let left = count; left > 0; left -= 40) {
    const some = times(Math.min(left, 40), () => expenseOn(account, { amount: '100', splits }))
    const { body } = await createAll(me, some)
    ids.push(...body.results.map(({ transaction }) => transaction?.id ?? ''))
  }
  return { me, account, ids }
}

it('reads no more lines than one request works on, and refuses', async () => {
  const { me, account, ids } = await manyParts(80)
  const ctx = await contextOf(me, 'transactions.write')
  const filter = { accountId: account.id }
  for (const selection of [{ ids }, { filter }, { filter: { kind: 'expense' as const } }]) {
    const [rows] = await read({ ...ctx }, selectedRows(ctx, selection))
    expect(rows).toHaveLength(Math.ceil(MOST_LINES / LINES))
    for (const dryRun of [true, false]) {
      const changed = await changeAll(me, { ...selection, changes: { note: 'x' }, dryRun })
      const removed = await removeAll(me, { ...selection, dryRun })
      expect(refusal(changed)).toEqual([400, 'transactions.tooManyLines'])
      expect(refusal(removed)).toEqual([400, 'transactions.tooManyLines'])
    }
  }
})

it('does not count lines that the caller does not see', async () => {
  const { ids: unseen } = await manyParts(60)
  const { me, ids } = await manyParts(1)
  const sent = { ids: [...unseen, ...ids], changes: { note: 'x' }, dryRun: true }
  const told = verdicts(await changeAll(me, sent))
  expect(told.at(-1)).toBe('changed')
  expect(new Set(told.slice(0, -1)).size).toBe(1)
})
