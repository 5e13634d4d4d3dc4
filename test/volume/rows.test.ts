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

it('reads a page of a register by what is on it, also deep in 20,000 transactions', async () => {
  const me = await newUser()
  const { id } = await newAccount(me)
  await bookMany(me.id, id, 20_000)
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const first = await fetchRaw(`/account/${id}/details?limit=50`, { headers })
  const page = (await first.json()) as { transactions: { runningBalance: string }[]; count: number }
  expect(page.count).toBe(20_000)
  expect(page.transactions).toHaveLength(50)
  // The sums over all that match are one pass over an index; the page reads what its days hold.
  const onOneDay = 20_000 / 700
  expect(costOf(first.headers).rowsRead).toBeLessThan(20_000 + 50 * (onOneDay + 20))
}, 60_000)
