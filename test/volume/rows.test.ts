import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { ledgerChecks } from '../../src/ledger/integrity/checks.queries.ts'
import { deleteTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { book, newCategory } from '../areas/transactions/booking.ts'
import { read } from '../../src/platform/database/database.ts'
import { fetchRaw, ok, rows } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { contextWith } from '../support/service.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'

/** Books many small expenses at once, past the service: only their number matters. */
async function bookMany(
  userId: string,
  accountId: string,
  count: number,
  booked = 0,
): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${booked + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${booked + count})`
  const date = "date('2024-01-01', '+' || (i % 700) || ' days')"
  const entry = (line: number, end: string, sign: number) =>
    env.DB.prepare(
      `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, uncategorised)
      ${numbers} SELECT 'txn_' || ?2 || i, ${line}, ?1, ?2, '${end}', ${date}, ${sign} * (i % 90 + 1), 'EUR', 'cleared',
        '${end}' = 'account' FROM n`,
    ).bind(userId, accountId)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      ${numbers} SELECT 'txn_' || ?2 || i, ?1, 'expense', ${date}, 'user', ?1, 0, 0 FROM n`,
    ).bind(userId, accountId),
    entry(1, 'account', -1),
    entry(2, 'expense', 1),
  ])
}

async function rowsReadBy(me: TestUser, path: string): Promise<number> {
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const response = await fetchRaw(path, { headers })
  expect(response.status).toBe(200)
  return costOf(response.headers).rowsRead
}

/** Somebody with 101,400 transactions: every day there is has two rows in each of the first two accounts. */
let me: TestUser
let one: { id: string }
let two: { id: string }
const HOME = ['/account', '/account/home-page', '/account/home-page?currency=USD']
const SUMS = () => [
  '/category?view=tree&fromMonth=2024-01&toMonth=2025-12',
  `/account/${one.id}/balance?date=2025-06-15`,
  `/account/${two.id}/balance?date=2025-06-15`,
  `/account/${two.id}/balance-history?from=2024-01-01&to=2025-12-31`,
  '/report/net-worth?date=2025-06-15&currency=USD',
  '/report/net-worth/history?from=2024-01-01&to=2025-12-31&interval=month',
  '/report/income-statement?from=2024-01-01&to=2025-12-31&interval=month',
  '/report/income-statement?from=2024-12-09&to=2025-12-31&interval=week',
  '/report/spending?from=2024-01-01&to=2025-12-31&by=account',
  '/report/cash-flow?from=2024-01-01&to=2025-12-31&interval=month',
  '/trash',
  '/transaction?totals=true&limit=1',
  '/transaction?totals=true&limit=1&from=2024-05-05&to=2025-06-06',
  `/account/${two.id}/details?limit=1`,
]
const measure = async (paths: string[]) =>
  Promise.all(paths.map(async (path) => [path, await rowsReadBy(me, path)] as const))
/** What was read when there were 1,400 in each of the two. */
let withFew: Awaited<ReturnType<typeof measure>>

beforeAll(async () => {
  me = await newUser()
  ;[one, two] = [await newAccount(me), await newAccount(me), await newAccount(me)] as const
  const { id: food } = await newCategory(me)
  await book(me, one, { date: '2025-03-03', categoryId: food })
  const gone = await book(me, one, { date: '2025-03-04' })
  await ok(deleteTransaction, { as: me, id: gone.id })
  await bookMany(me.id, one.id, 1400)
  await bookMany(me.id, two.id, 1400)
  withFew = await measure([...HOME, ...SUMS()])
  await bookMany(me.id, two.id, 98_600, 1400)
}, 300_000)

it('reads as many rows for lists of accounts, sums, balances, net worth and the trash as with a few transactions', async () => {
  const withMany = await measure([...HOME, ...SUMS()])
  expect(withMany).toEqual(withFew)
  const ofHome = withMany.slice(0, HOME.length).map(([, read]) => read)
  expect(Math.max(...ofHome)).toBeLessThanOrEqual(3 * 3 + 24)
})

it('reads a page of 50 out of 100,000 by what is on it, the first page and the last', async () => {
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const get = async (path: string) => {
    const response = await fetchRaw(path, { headers })
    const body = (await response.json()) as {
      transactions: object[]
      count: number
      nextCursor: string | null
    }
    return { ...body, read: costOf(response.headers).rowsRead }
  }
  for (const [path, all, ofOldestDay] of [
    [`/account/${two.id}/details`, 100_000, 142],
    [`/account/${two.id}/transaction`, 100_000, 142],
    [`/transaction?accountId=${two.id}`, 100_000, 142],
    ['/transaction', 101_401, 144],
    ['/transaction?sort=date', 101_401, 144],
  ] as const) {
    const separator = path.includes('?') ? '&' : '?'
    const first = await get(`${path}${separator}limit=50`)
    // The pages of the oldest day are the last of all, whatever stands before them.
    const oldest = await get(`${path}${separator}limit=50&to=2024-01-01`)
    const next = (cursor: string | null) =>
      get(`${path}${separator}limit=50&to=2024-01-01&cursor=${encodeURIComponent(cursor ?? '')}`)
    const last = await next((await next(oldest.nextCursor)).nextCursor)
    expect([first.count, last.count], path).toEqual([all, ofOldestDay])
    expect([first, oldest, last].map(({ transactions }) => transactions.length)).toEqual([
      ...[50, 50, ofOldestDay - 100],
    ])
    expect(last.nextCursor).toBeNull()
    // A running balance follows from what is newer on the same day, which on the last page are a hundred.
    const newer = path.startsWith('/account') ? 100 : 0
    const read = [first.read, oldest.read, last.read - newer]
    // Of each of 51 rows five, and two more for how many bytes it holds; and ten of each account.
    const most = 7 * 51 + 3 * 10
    expect(Math.max(...read), `${path} reads ${read.join(', ')}`).toBeLessThanOrEqual(most)
  }
})

it('tells the balance after each row the same from every page, however it is filtered', async () => {
  const user = await newUser()
  const { id } = await newAccount(user)
  await bookMany(user.id, id, 3_000)
  const headers = { Authorization: `Bearer ${user.accessToken}` }
  const page = async (query: string) => {
    const response = await fetchRaw(`/account/${id}/details?limit=200${query}`, { headers })
    return (await response.json()) as {
      transactions: { id: string; runningBalance: string; signedAmount: string }[]
      nextCursor: string | null
    }
  }
  const pages = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
    pages.push(await page(cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`))
  }
  const all = pages.flatMap(({ transactions }) => transactions)
  expect(all).toHaveLength(3_000)
  const cents = (text: string) => Number(text.replace('.', ''))
  let balance = 0
  for (const row of all.toReversed()) {
    balance += cents(row.signedAmount)
    expect(cents(row.runningBalance)).toBe(balance)
  }
  const byId = new Map(all.map((row) => [row.id, row.runningBalance]))
  for (const query of ['&to=2025-03-03', '&from=2024-05-05&to=2024-05-09', '&status=cleared']) {
    for (const row of (await page(query)).transactions) {
      expect(row.runningBalance, query).toBe(byId.get(row.id))
    }
  }
})

it('compares the ledger with what is kept beside it by reading each row a few times', async () => {
  const [{ entries } = { entries: 0 }] = await rows<{ entries: number }>(
    'SELECT count(*) AS entries FROM entries',
  )
  const ctx = contextWith()
  const checks = Object.values(ledgerChecks).map((check) => check())
  expect((await read(ctx, ...checks)).flat()).toEqual([])
  expect(ctx.cost.rowsRead / entries).toBeLessThan(22)
})
