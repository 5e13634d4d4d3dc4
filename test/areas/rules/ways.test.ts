import { expect, it } from 'vitest'
import { TABLE_COLUMNS } from '../../../src/areas/money/transaction-views/tables.contract.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { newCategory } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'
import { rowFrom, type SentRow, twentyRules } from './twenty.ts'

/** The words and labels of a row, by the names of labels. */
interface Words {
  description: string
  note: string
  status: 'cleared' | 'uncleared'
  category?: string
}

type Row = SentRow & Partial<Words>

interface Account {
  id: string
  name: string
}

const asDraft = ({ category, ...row }: Row, { id: accountId }: Account) => ({
  ...{ ...row, accountId },
  ...(category === undefined ? {} : { categoryName: category }),
})

/** The rows as the table that the service itself exports. */
function tableOf(rows: Row[], { name: account }: Account): string {
  const lines = rows.map(({ kind, amount, ...row }, at) => {
    const signed = kind === 'expense' ? `-${amount}` : amount
    const cells: Record<string, string> = {
      ...{ id: `txn_${at}`, kind, account, currency: 'EUR', amount: signed },
      // Without one, a row of a file is cleared.
      status: 'uncleared',
      ...row,
    }
    return TABLE_COLUMNS.map((column) => cells[column] ?? '').join(',')
  })
  return csv(lines, TABLE_COLUMNS.join(','))
}

const WAYS: Record<string, (me: TestUser, account: Account, rows: Row[]) => Promise<unknown>> = {
  'one by one': async (me, account, rows) => {
    for (const row of rows) {
      await ok(createTransaction, { as: me, json: asDraft(row, account) })
    }
  },
  'in bulk': (me, account, rows) =>
    ok(createTransactions, {
      as: me,
      json: { transactions: rows.map((row) => asDraft(row, account)) },
    }),
  'from a file': async (me, account, rows) => {
    const { id } = await uploaded(me, tableOf(rows, account), { fileName: 'transactions.csv' })
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: rows.length } })
  },
}

/** The transactions of an account in the order of their rows, with the rules that the log names. */
async function resultsOn(me: TestUser, { id: accountId }: Account) {
  const { transactions } = await ok(listTransactions, { as: me, query: { accountId, limit: 200 } })
  const events = new Map(
    (await eventsOf(...transactions.map(({ id }) => id))).map(({ id, content }) => [id, content]),
  )
  return transactions
    .toSorted((one, other) => ((one.externalId ?? '') < (other.externalId ?? '') ? -1 : 1))
    .map(({ id, ...view }) => ({
      ...{ externalId: view.externalId, kind: view.kind, status: view.status },
      ...{ payeeId: view.payeeId, categoryId: view.categoryId, tagIds: view.tagIds },
      ...{ description: view.description, note: view.note, reviewed: view.reviewed },
      ...{ signedAmount: view.signedAmount, counterAccountId: view.counterAccountId },
      splits: view.splits.map(({ id: _, ...part }) => part),
      rules: (events.get(id) as { ruleIds?: string[] } | null)?.ruleIds ?? [],
    }))
}

/** Books the rows in each way, each on an account of its own. */
async function booked(me: TestUser, rows: Row[]) {
  const results = []
  for (const [name, way] of Object.entries(WAYS)) {
    const account = await newAccount(me, { name })
    await way(me, account, rows)
    results.push(await resultsOn(me, account))
  }
  expect(results.map(({ length }) => length)).toEqual(results.map(() => rows.length))
  expect(await differencesOf(me)).toEqual([])
  return results
}

it('rows that say nothing of what rules change become the same in every way', async () => {
  const me = await newUser()
  const { rules } = await twentyRules(me)
  const random = randomFrom(SEED)
  const rows = Array.from({ length: rounds(100, 200) }, (_, at) => rowFrom(random, at))
  const [one, bulk, file] = await booked(me, rows)
  expect(bulk).toEqual(one)
  expect(file).toEqual(one)
  const used = new Set(one?.flatMap((row) => row.rules))
  expect(rules.filter(({ id }) => !used.has(id)).map(({ name }) => name)).toEqual([])
})

/** Rows that say all that rules change. */
function saying(random: Random, at: number, category: { name: string }): Row {
  const row = rowFrom(random, at)
  return {
    ...row,
    ...{ description: `Words ${at}`, note: `Note ${at}` },
    status: random.pick(['cleared', 'uncleared'] as const),
    // An income with it is a refund.
    ...(random.chance(0.5) ? { category: category.name } : {}),
  }
}

it('rows that say it all become the same in every way by rules that overwrite', async () => {
  const me = await newUser()
  const { home } = await twentyRules(me, { overwrite: true })
  const random = randomFrom(SEED + 1)
  const rows = Array.from({ length: rounds(100, 200) }, (_, at) => saying(random, at, home))
  const [one, bulk, file] = await booked(me, rows)
  expect(bulk).toEqual(one)
  expect(file).toEqual(one)
})

it('what a request says stays by other rules, and what a file says is replaced', async () => {
  const me = await newUser()
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const condition = { field: 'payeeRaw', op: 'contains', value: 'amzn' }
  const changes = { categoryId: food.id, note: 'by rule', description: 'Amazon', status: 'pending' }
  await newRule(me, { condition, changes: { ...changes, reviewed: true } })
  const said = { description: 'Words', note: 'Note', status: 'cleared' as const }
  const row = { ...rowFrom(randomFrom(SEED), 0), payeeRaw: 'AMZN', kind: 'expense' as const }
  const silent = { ...row, externalId: 'silent' }
  const results = await booked(me, [silent, { ...row, ...said, category: home.name }])
  const byRule = { ...changes, reviewed: true }
  const stays = { ...said, categoryId: home.id, reviewed: true }
  expect(results).toMatchObject([
    [byRule, stays],
    [byRule, stays],
    [byRule, byRule],
  ])
})
