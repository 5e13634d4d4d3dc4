import { afterEach, expect, it } from 'vitest'
import { ledgerHooks } from '../../../src/areas/index.ts'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { rankOf } from '../../../src/domain/sharing.ts'
import {
  preparation,
  registerHooks,
  type TransferAccount,
} from '../../../src/ledger/ledger.public.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { balanceOf, book, expenseOn, newCategory, tripsOf } from '../transactions/booking.ts'
import { revert } from '../transfers/matched.ts'
import { differencesOf } from './ledger.ts'

afterEach(() => registerHooks(ledgerHooks))

/** A hook that names an account, as if it had read that. */
function name(transferAccount: TransferAccount): void {
  const prepare = () => preparation({ decide: () => () => ({ transferAccount }) })
  registerHooks([...ledgerHooks, { prepare }])
}

async function scene() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const read: TransferAccount = {
    ...{ id: two.id, ownerId: me.id, currency: 'EUR', status: 'open', rank: rankOf('owner') },
    ...{ lockedThrough: null, hardLockedThrough: null },
  }
  return { me, one, two, read }
}

it('an account that cannot be the other one leaves the draft as it is', async () => {
  const { me, one, read } = await scene()
  const others: [string, Partial<TransferAccount>][] = [
    ['itself', { id: one.id }],
    ['of another owner', { ownerId: (await newUser()).id }],
    ['of another currency', { currency: 'JPY' }],
    ['closed', { status: 'closed' }],
    ['only to be annotated', { rank: rankOf('annotate') }],
    ['under a soft lock', { lockedThrough: '2026-11-20' }],
  ]
  for (const [what, other] of others) {
    name({ ...read, ...other })
    expect((await book(me, one)).kind, what).toBe('expense')
  }
  name(read)
  const drafts = [
    { status: 'void' as const },
    { kind: 'adjustment' as const, amount: '-5' },
    { splits: [{ amount: '2.30' }, { amount: '10' }] },
  ]
  for (const draft of drafts) {
    expect((await book(me, one, draft)).kind).toBe(draft.kind ?? 'expense')
  }
  expect((await book(me, one, { force: true })).kind).toBe('transfer')
  expect(await differencesOf(me)).toEqual([])
})

it('an expense that became a transfer is found by its externalId, and is an expense again', async () => {
  const { me, one, two, read } = await scene()
  name(read)
  const { id: categoryId } = await newCategory(me)
  const { kind: _, ...json } = expenseOn(one, { externalId: 'x-1', categoryId })
  const first = await call(createExpense, { as: me, json })
  expect([first.status, tripsOf(first)]).toEqual([201, 2])
  expect(first.body).toMatchObject({ kind: 'transfer', counterAccountId: two.id, categoryId: null })
  const again = await call(createExpense, { as: me, json })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-12.30', '12.30'])
  const { body } = await revert(me, first.body)
  expect(body).toMatchObject({ from: { kind: 'expense', externalId: 'x-1' }, to: null })
  expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-12.30', '0.00'])
  expect((await ok(createExpense, { as: me, json })).id).toBe(body.from?.id)
})
