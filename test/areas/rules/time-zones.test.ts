import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { updateProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { dateInZone } from '../../../src/domain/calendar.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

// The days of these two are never the same: they are 25 hours apart.
const [EAST, WEST] = ['Pacific/Kiritimati', 'Pacific/Niue']

// Time stands still, so that no midnight of theirs falls into the test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('names of periods go by the time zone of the owner, also once it has changed', async () => {
  const me = await newUser({ timeZone: EAST })
  const account = await newAccount(me, { openingDate: '2020-01-01' })
  await newRule(me, { condition: { field: 'date', op: 'is', value: 'today' } })
  const [east, west] = [EAST, WEST].map((zone) => dateInZone(Date.now(), zone)) as [string, string]
  const noteOn = async (date: string) => (await book(me, account, { date })).note
  for (const _ of [1, 2]) {
    expect([await noteOn(east), await noteOn(west)]).toEqual(['checked', null])
  }
  await ok(updateProfile, { as: me, json: { timeZone: WEST } })
  expect([await noteOn(east), await noteOn(west)]).toEqual([null, 'checked'])
  const { results } = await ok(runRules, {
    as: me,
    json: { filter: { from: west, to: east }, withReviewed: true },
  })
  expect(results).toHaveLength(3)
})
