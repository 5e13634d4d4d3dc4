import { expect, it } from 'vitest'
import { parseSearch, searchAll } from '../../../src/areas/insight/search/search.routes.ts'
import { listSavedViews } from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { storePayees } from './names.fixtures.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory } from '../transactions/booking.ts'

const OTHERS = 50
const PAYEES = 40

/** A user with payees, and something that is booked. */
async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  await storePayees(me.id, PAYEES)
  await book(me, account, { description: 'Market' })
  return me
}

const rowsRead = async (as: Principal) => {
  const answers = [
    await call(searchAll, { as, query: { q: 'market' } }),
    await call(searchAll, { as, query: { q: 'mar', kinds: 'payee' } }),
    await call(parseSearch, { as, json: { q: 'payee:"market 1"' } }),
    await call(listSavedViews, { as }),
  ]
  return answers.map(({ status, headers }) => [status, costOf(headers).rowsRead])
}

it('reads no more rows where many others have as much than where one has', async () => {
  const me = await household()
  await household()
  const before = await rowsRead(me)
  for (let other = 0; other < OTHERS; other += 1) {
    await household()
  }
  expect(await rowsRead(me)).toEqual(before)
  // Each payee is counted, read and sorted.
  expect(before[2]?.[1]).toBeLessThan(4 * PAYEES)
})

it('reads no more rows by ids of others, however much these stand on', async () => {
  const [owner, stranger] = [await newUser(), await newUser()]
  await newAccount(stranger)
  const account = await newAccount(owner)
  const { id: payeeId } = await ok(createPayee, { as: owner, json: { name: 'Shop' } })
  const { id: tagId } = await ok(createTag, { as: owner, json: { name: 'trip' } })
  const { id: categoryId } = await newCategory(owner)
  const labels = { payeeId, tagIds: [tagId], categoryId }
  const rowsOfEach = async () => {
    const costs: number[] = []
    const lists = [{ accountId: account.id }, { payeeId }, { tagId }, { categoryId }]
    for (const query of lists.flatMap((one) => [one, { ...one, totals: 'true' }])) {
      costs.push(costOf((await call(listTransactions, { as: stranger, query })).headers).rowsRead)
    }
    return costs
  }
  await book(owner, account, labels)
  const before = await rowsOfEach()
  for (let at = 0; at < 20; at += 1) {
    await book(owner, account, labels)
  }
  expect(await rowsOfEach()).toEqual(before)
})
