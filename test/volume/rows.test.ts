import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { fetchRaw } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'

/** Books many small expenses at once, past the service: only their number matters. */
async function bookMany(userId: string, accountId: string, count: number): Promise<void> {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const date = "date('2024-01-01', '+' || (i % 700) || ' days')"
  const entry = (line: number, end: string, sign: number) =>
    env.DB.prepare(
      `INSERT INTO entries (transaction_id, line, owner_id, account_id, "end", date, amount_minor, currency, status)
      ${numbers} SELECT 'txn_' || ?2 || i, ${line}, ?1, ?2, '${end}', ${date}, ${sign} * (i % 90 + 1), 'EUR', 'cleared' FROM n`,
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

it('reads as many rows for the home page and the account list with 100,000 transactions as with 100', async () => {
  const me = await newUser()
  const accounts = await Promise.all([newAccount(me), newAccount(me), newAccount(me)])
  const paths = ['/account', '/account/home-page', '/account/home-page?currency=USD']
  const measure = () => Promise.all(paths.map((path) => rowsReadBy(me, path)))

  await bookMany(me.id, accounts[0].id, 100)
  const withFew = await measure()
  await bookMany(me.id, accounts[1].id, 99_900)
  const withMany = await measure()

  expect(withMany).toEqual(withFew)
  expect(Math.max(...withMany)).toBeLessThanOrEqual(3 * accounts.length + 20)
}, 60_000)

it('reads a page of 50 out of 100,000 by what is on it, the first page and the last', async () => {
  const me = await newUser()
  const { id } = await newAccount(me)
  await bookMany(me.id, id, 100_000)
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const get = async (path: string) => {
    const response = await fetchRaw(path, { headers })
    const body = (await response.json()) as {
      transactions: object[]
      count: number
    }
    return { ...body, read: costOf(response.headers).rowsRead }
  }
  for (const path of [`/account/${id}/details`, `/transaction?accountId=${id}`, '/transaction']) {
    const separator = path.includes('?') ? '&' : '?'
    const first = await get(`${path}${separator}limit=50`)
    // The oldest day, read from its newest row on, stands for the last page.
    const last = await get(`${path}${separator}limit=50&to=2024-01-01`)
    expect([first.count, last.count], path).toEqual([100_000, 142])
    expect([first.transactions.length, last.transactions.length], path).toEqual([50, 50])
    expect(Math.max(first.read, last.read), path).toBeLessThanOrEqual(250)
  }
}, 60_000)

it('tells the balance after each row the same from every page, however it is filtered', async () => {
  const me = await newUser()
  const { id } = await newAccount(me)
  await bookMany(me.id, id, 3_000)
  const headers = { Authorization: `Bearer ${me.accessToken}` }
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
}, 60_000)
