import { expect, it } from 'vitest'
import { sealLog } from '../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { createTransactions } from '../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { ok, rows } from '../support/api.ts'
import { rounds } from '../support/rounds.ts'
import { contextWith } from '../support/service.ts'
import { newAccount, newUser } from '../support/world.ts'

// What a transaction costs in bytes says how many people fit into one database: all indexes, the log and its seals are
// counted. Before the log kept only what no row says, it was 3,528 posted alone and 6,386 in bulk.

const ALONE = rounds(100, 400)
const IN_BULK = rounds(500, 1500)

const MOST_ALONE = 2200
const MOST_IN_BULK = 2000

const storedBytes = async (): Promise<number> => {
  const [stored] = await rows<{ bytes: number }>('SELECT sum(pgsize - unused) AS bytes FROM dbstat')
  return stored?.bytes ?? 0
}

it('takes few bytes for a transaction, alone and in bulk', async () => {
  const me = await newUser()
  const { id: accountId } = await newAccount(me)
  const expense = (n: number) => ({
    kind: 'expense' as const,
    accountId,
    date: `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    amount: `${n + 1}.00`,
    description: `Groceries at the corner shop ${n}`,
  })
  const bytesOf = async (count: number, book: () => Promise<void>) => {
    const before = await storedBytes()
    await book()
    await sealLog(contextWith())
    return ((await storedBytes()) - before) / count
  }
  const alone = await bytesOf(ALONE, async () => {
    for (let n = 0; n < ALONE; n++) {
      await ok(createTransaction, { as: me, json: expense(n) })
    }
  })
  const inBulk = await bytesOf(IN_BULK, async () => {
    for (let from = 0; from < IN_BULK; from += 500) {
      const transactions = Array.from({ length: 500 }, (_, n) => expense(from + n))
      await ok(createTransactions, { as: me, json: { transactions } })
    }
  })
  expect(alone).toBeLessThan(MOST_ALONE)
  expect(inBulk).toBeLessThan(MOST_IN_BULK)
})
