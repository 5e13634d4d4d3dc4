import { expect, it } from 'vitest'
import { parseSearch, searchAll } from '../../../src/areas/insight/search/search.routes.ts'
import { listSavedViews } from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { call, type Principal } from '../../support/api.ts'
import { storePayees } from './names.fixtures.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'

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
