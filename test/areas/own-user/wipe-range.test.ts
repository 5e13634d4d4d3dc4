import { expect, it } from 'vitest'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/own-user.public.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { ledgerData } from '../../../src/ledger/ledger.data.ts'
import { refuseIf } from '../../../src/platform/premises.ts'
import { changedMeanwhile } from '../../../src/platform/refusals.ts'
import { sql } from 'drizzle-orm'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'

it('transactions are erased also where all of one sign would leave the range of amounts', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const pair = (['income', 'expense'] as const).map((kind) => ({
    ...{ kind, accountId: account.id, amount: '90000000000000.00' },
    // Those of one sign come before those of the other wherever they are read by their days.
    date: kind === 'income' ? '2026-01-01' : '2026-01-02',
  }))
  const transactions = Array.from({ length: 150 }, () => pair).flat()
  await ok(createTransactions, { as: me, json: { transactions } })
  await ok(createTransactions, { as: me, json: { transactions } })
  const scope = { ownerId: me.id, before: Number.MAX_SAFE_INTEGER }
  const guard = refuseIf(sql`false`, changedMeanwhile)
  const kinds = [...(ledgerData.erase ?? [])]
  const runs: boolean[] = []
  for (let run = 0; run < 20 && runs.at(-1) !== true; run++) {
    runs.push(await eraseInSteps(contextWith(), { scope, kinds, guard }))
  }
  expect(runs.at(-1)).toBe(true)
  expect(runs.length).toBeGreaterThan(1)
  expect(await rows('SELECT id FROM transactions WHERE owner_id = ?', me.id)).toEqual([])
  const [left] = await rows<{ balance: number }>(
    'SELECT balance_minor AS balance FROM account_balances WHERE account_id = ?',
    account.id,
  )
  expect(left?.balance).toBe(0)
})
