/**
 * The peer of `bench/reports.ts`: Actual's own engine, in this process. Asked for a report by a message, it sums up with one query of
 * its language, and tells what that took. Filling it takes minutes, so `ACTUAL_REPORTS_DATA` may name a folder that keeps it filled.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PAYEES } from './books.ts'
import { ACCOUNTS, TOTAL, wordsOf } from './ledger-data.ts'
import { type Asked, type PeerAnswer, questionOf, TEN_YEARS } from './report-data.ts'

interface Query {
  filter: (conditions: object) => Query
  groupBy: (what: unknown[]) => Query
  select: (what: unknown[]) => Query
}

interface Named {
  id: string
  name: string
}

/** What is used of `@actual-app/api`. */
interface Actual {
  init: (options: { dataDir: string }) => Promise<unknown>
  loadBudget: (id: string) => Promise<void>
  runImport: (name: string, fill: () => Promise<void>) => Promise<void>
  createAccount: (account: object, opening: number) => Promise<string>
  getCategoryGroups: () => Promise<{ id: string; is_income: boolean }[]>
  createCategoryGroup: (group: object) => Promise<string>
  createCategory: (category: object) => Promise<string>
  addTransactions: (account: string, rows: object[], options: object) => Promise<unknown>
  getCategories: () => Promise<Named[]>
  getPayees: () => Promise<Named[]>
  q: (table: string) => Query
  aqlQuery: (query: Query) => Promise<{ data: { key: string; month?: string; sum: number }[] }>
}

const folder = process.env['ACTUAL_API'] ?? ''
const api = createRequire(join(folder, 'package.json'))('@actual-app/api') as Actual
const dataDir = mkdtempSync(join(tmpdir(), 'coffer-bench-actual-'))
// It tells of every step; the parent's table is what is to be read.
console.log = () => undefined
await api.init({ dataDir })

const kept = process.env['ACTUAL_REPORTS_DATA']
if (kept !== undefined && existsSync(kept)) {
  cpSync(kept, dataDir, { recursive: true })
  await api.loadBudget(readdirSync(dataDir)[0] ?? '')
} else {
  await api.runImport('bench', fill)
  if (kept !== undefined) {
    // Its settings are written a while after they change.
    await setTimeout(3000)
    cpSync(dataDir, kept, { recursive: true })
  }
}

async function fill(): Promise<void> {
  const { expenses, incomes, bookedOf } = TEN_YEARS
  const spent = await api.createCategoryGroup({ name: 'Bench' })
  const earned = (await api.getCategoryGroups()).find(({ is_income }) => is_income)?.id
  const categories: string[] = []
  for (let n = 0; n < expenses + incomes; n++) {
    const is_income = n >= expenses
    const group_id = is_income ? earned : spent
    categories.push(await api.createCategory({ name: `Category ${n}`, group_id, is_income }))
  }
  const numbers = Array.from({ length: TOTAL }, (_, n) => n)
  for (let at = 0; at < ACCOUNTS; at++) {
    const id = await api.createAccount({ name: `Account ${at}` }, 0)
    const own = numbers.filter((n) => bookedOf(n).account === at)
    for (let first = 0; first < own.length; first += 1000) {
      const rows = own.slice(first, first + 1000).map((n) => {
        const { date, amount, category, payee } = bookedOf(n)
        return {
          ...{ date, amount: category < expenses ? -amount : amount, notes: wordsOf(n) },
          ...{ payee_name: `Shop ${payee}`, category: categories[category], cleared: true },
        }
      })
      await api.addTransactions(id, rows, { learnCategories: false, runTransfers: false })
    }
  }
}

const named = [...(await api.getCategories()), ...(await api.getPayees())]
const names = new Map(named.map(({ id, name }) => [id, name]))
if (named.filter(({ name }) => name.startsWith('Shop ')).length !== PAYEES) {
  throw new Error('the payees are not those of the service')
}

/** The groups are all that the report shows, which is fewer than its own pages group by. */
function queryOf(name: Asked): Query {
  const { by, from, to, isByMonth, spentMoreThan } = questionOf(name)
  const all = api
    .q('transactions')
    .filter({ $and: [{ date: { $gte: from } }, { date: { $lte: to } }] })
  const some = spentMoreThan === undefined ? all : all.filter({ amount: { $lt: -spentMoreThan } })
  const key = { $id: `$${by}` }
  const month = { $month: '$date' }
  return some
    .groupBy(isByMonth ? [month, key] : [key])
    .select([...(isByMonth ? [{ month }] : []), { key }, { sum: { $sum: '$amount' } }])
}

async function answer(name: Asked): Promise<PeerAnswer> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  const { data } = await api.aqlQuery(queryOf(name))
  const { user, system } = process.cpuUsage(before)
  return {
    ...{ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 },
    sums: data.map(({ month, key, sum }) => [`${month ?? ''} ${names.get(key)}`.trim(), sum]),
  }
}

process.on('message', (name: Asked) => {
  void answer(name).then((told) => process.send?.(told))
})
process.once('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
})
process.send?.('ready')
