/**
 * The peer of `npm run bench:ledger`: Actual's own engine, in this process, holding what the service holds. Told by
 * messages what to do, it answers how many milliseconds that took. Filling it takes minutes, so `ACTUAL_DATA` may name
 * a folder that keeps it filled.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  amountOf,
  ACCOUNTS,
  ASSIGNED,
  CATEGORIES,
  dateOf,
  MONTH,
  MONTHS,
  type Measure,
  SEARCHED,
  TOTAL,
  wordsOf,
} from './ledger-data.ts'

interface Query {
  filter: (conditions: object) => Query
  orderBy: (order: object[]) => Query
  limit: (rows: number) => Query
  offset: (rows: number) => Query
  select: (what: string) => Query
}

/** What is used of `@actual-app/api`. */
interface Actual {
  init: (options: { dataDir: string }) => Promise<unknown>
  loadBudget: (id: string) => Promise<void>
  getCategories: () => Promise<{ id: string; name: string }[]>
  runImport: (name: string, fill: () => Promise<void>) => Promise<void>
  createAccount: (account: object, opening: number) => Promise<string>
  createCategoryGroup: (group: object) => Promise<string>
  createCategory: (category: object) => Promise<string>
  addTransactions: (account: string, rows: object[], options: object) => Promise<unknown>
  getAccounts: () => Promise<{ id: string; name: string }[]>
  getAccountBalance: (id: string) => Promise<number>
  getTransactions: (account: string, from: string, to: string) => Promise<object[]>
  q: (table: string) => Query
  aqlQuery: (query: Query) => Promise<{ data: object[] }>
  batchBudgetUpdates: (update: () => Promise<void>) => Promise<void>
  setBudgetAmount: (month: string, category: string, amount: number) => Promise<void>
  getBudgetMonth: (month: string) => Promise<object>
}

const folder = process.env['ACTUAL_API'] ?? ''
const api = createRequire(join(folder, 'package.json'))('@actual-app/api') as Actual
const dataDir = mkdtempSync(join(tmpdir(), 'coffer-bench-actual-'))
// It tells of every step; the parent's table is what is to be read.
console.log = () => undefined
await api.init({ dataDir })

const OPTIONS = { learnCategories: false, runTransfers: false }
const accounts: string[] = []
const categories: string[] = []
const account = (n: number) => accounts[n % ACCOUNTS] ?? ''
const row = (n: number) => ({
  date: dateOf(n),
  amount: -amountOf(n),
  payee_name: `Shop ${n % 100}`,
  notes: wordsOf(n),
  category: categories[n % categories.length],
  cleared: true,
})

const kept = process.env['ACTUAL_DATA']
if (kept !== undefined && existsSync(kept)) {
  cpSync(kept, dataDir, { recursive: true })
  await api.loadBudget(readdirSync(dataDir)[0] ?? '')
  const named =
    (word: string) =>
    ({ name }: { name: string }) =>
      name.startsWith(word)
  const inOrder = (found: { id: string; name: string }[]) =>
    found.toSorted((a, b) => Number(a.name.split(' ')[1]) - Number(b.name.split(' ')[1]))
  accounts.push(...inOrder(await api.getAccounts()).map(({ id }) => id))
  const all = (await api.getCategories()).filter(named('Category'))
  categories.push(...inOrder(all).map(({ id }) => id))
} else {
  await api.runImport('bench', fill)
  if (kept !== undefined) {
    // Its settings are written a while after they change.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    cpSync(dataDir, kept, { recursive: true })
  }
}

async function fill(): Promise<void> {
  for (let n = 0; n < ACCOUNTS; n++) {
    accounts.push(await api.createAccount({ name: `Account ${n}` }, 0))
  }
  const group_id = await api.createCategoryGroup({ name: 'Bench' })
  for (let n = 0; n < CATEGORIES; n++) {
    categories.push(await api.createCategory({ name: `Category ${n}`, group_id }))
  }
  const numbers = Array.from({ length: TOTAL }, (_, n) => n)
  for (const [at, id] of accounts.entries()) {
    const own = numbers.filter((n) => n % ACCOUNTS === at).map(row)
    for (let first = 0; first < own.length; first += 1000) {
      await api.addTransactions(id, own.slice(first, first + 1000), OPTIONS)
    }
  }
  await api.batchBudgetUpdates(async () => {
    for (const month of MONTHS) {
      for (const category of categories) {
        await api.setBudgetAmount(month, category, ASSIGNED)
      }
    }
  })
}

const NEWEST = MONTHS.at(-1) ?? ''

const newest = (conditions: object) =>
  api
    .q('transactions')
    .filter(conditions)
    .orderBy([{ date: 'desc' }])
    .limit(50)
    .select('*')

const MEASURES: Record<Measure, (n: number) => Promise<unknown>> = {
  'account list': async () => {
    for (const { id } of await api.getAccounts()) {
      await api.getAccountBalance(id)
    }
  },
  'single balance': (n) => api.getAccountBalance(account(n)),
  'page of 50, first': (n) => api.aqlQuery(newest({ account: account(n) })),
  'page of 50, last': (n) =>
    api.aqlQuery(newest({ account: account(n) }).offset(TOTAL / ACCOUNTS - 50)),
  'month of one account': (n) => api.getTransactions(account(n), MONTH.from, MONTH.to),
  'filtered search': () => api.aqlQuery(newest({ notes: { $like: `%${SEARCHED}%` } })),
  'single insert': (n) => api.addTransactions(account(n), [row(n)], OPTIONS),
  'bulk of 500': (n) =>
    api.addTransactions(
      account(n),
      Array.from({ length: 500 }, (_, at) => row(500 * n + at)),
      OPTIONS,
    ),
  'month of a budget': () => api.getBudgetMonth(NEWEST),
  'old insert, then that month': async (n) => {
    await api.addTransactions(account(n), [row(n)], OPTIONS)
    await api.getBudgetMonth(NEWEST)
  },
}

process.on('message', ({ name, n }: { name: Measure; n: number }) => {
  const startedAt = performance.now()
  void MEASURES[name](n).then(() => process.send?.(performance.now() - startedAt))
})
process.once('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
})
process.send?.('ready')
