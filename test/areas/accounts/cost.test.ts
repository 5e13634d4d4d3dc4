import { expect, it } from 'vitest'
import { getHomePage } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, call, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'

import { tripsOf } from '../transactions/booking.ts'

const MEMBERS = 8
const EACH = 5

/** Eight people, each with five accounts that it shares with all, who count all of them. */
async function household() {
  const people = await Promise.all(Array.from({ length: MEMBERS }, () => newUser()))
  const [first, ...others] = people
  if (!first) {
    throw new Error('household: nobody came')
  }
  const groupId = await storeGroup([
    [first, 'owner'],
    ...others.map((user) => [user, 'member'] as const),
  ])
  for (const owner of people) {
    for (let at = 1; at <= EACH; at++) {
      const currency = ['EUR', 'JPY', 'BHD'][at % 3] ?? 'EUR'
      const { id } = await newAccount(owner, { currency, openingBalance: '10' })
      await storeShare(id, { groupId })
    }
  }
  await rows(
    `INSERT INTO account_choices (user_id, account_id, include_in_totals, updated_at)
      SELECT m.user_id, s.account_id, 1, 0 FROM group_members m JOIN shares s ON s.group_id = m.group_id
      WHERE m.group_id = ? AND m.user_id <> s.owner_id`,
    groupId,
  )
  return { people, first, groupId }
}

it('shows a household of 8 with 40 shared accounts on the home page of each in one trip', async () => {
  const { people, first } = await household()
  const pages = await Promise.all(people.map((as) => ok(getHomePage, { as })))
  const idsOf = (page: (typeof pages)[number]) => page.budgetAccounts.map(({ id }) => id).toSorted()
  expect(pages.map((page) => page.budgetAccounts.length)).toEqual(people.map(() => MEMBERS * EACH))
  expect(new Set(pages.map((page) => idsOf(page).join())).size).toBe(1)
  expect(pages.map(({ totalsByCurrency }) => totalsByCurrency)).toEqual(
    people.map(() => pages[0]?.totalsByCurrency),
  )
  const own = pages[0]?.budgetAccounts.filter(({ permission }) => permission === 'owner')
  expect(own?.length).toBe(EACH)
  for (const query of [{}, { currency: 'EUR' }]) {
    const answer = await call(getHomePage, { as: first, query })
    const [, read] = /(\d+) read/.exec(answer.headers.get('Server-Timing') ?? '') ?? []
    expect(tripsOf(answer)).toBe(1)
    // Shares, memberships and choices are looked up for each, and shares again for the currencies that rates are
    // read of; nothing grows with what is booked.
    expect(Number(read)).toBeLessThan(MEMBERS * EACH * 15)
  }
})
