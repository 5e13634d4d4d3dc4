import { expect, it } from 'vitest'
import '../../src/app.ts'
import { allOperations } from '../../src/http/registry.ts'
import { fetchRaw } from '../support/api.ts'
import { bookMany, costOf, samplesOf, sendSample } from '../support/samples.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'

it('costs one trip to the database for a read, and at most two for a write', async () => {
  const { me, samples } = await samplesOf()
  const costs: [string, number, number][] = []
  const order = Object.keys(samples)
  const operations = allOperations().toSorted(
    (a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId),
  )
  for (const operation of operations) {
    const sample = samples[operation.operationId]
    expect(sample, `a sample of ${operation.operationId}`).toBeDefined()
    const response = await sendSample(me, operation, sample ?? {})
    const failed = response.status < 300 ? '' : await response.text()
    expect(failed, operation.operationId).toBe('')
    costs.push([operation.operationId, operation.method === 'get' ? 1 : 2, costOf(response).trips])
  }
  const tooDear = costs.filter(([, budget, trips]) => !(trips <= budget))
  expect(tooDear).toEqual([])
  const offline = costs.filter(([, , trips]) => trips === 0).map(([operationId]) => operationId)
  expect(offline).toEqual(['getHealth', 'getVersion', 'getJwks'])
  expect(costs.length).toBe(order.length)
})

async function rowsReadBy(me: TestUser, path: string): Promise<number> {
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const response = await fetchRaw(path, { headers })
  expect(response.status).toBe(200)
  return costOf(response).rowsRead
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
  expect(costOf(first).rowsRead).toBeLessThan(20_000 + 50 * (onOneDay + 20))
}, 60_000)
