import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  listOccurrences,
  postOccurrences,
  updateOccurrence,
  updateRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { bookedOn, newItem, settle, today } from './recurring.fixtures.ts'

// What one request does between what another one reads and what it writes.

beforeEach(() => today('2026-03-20'))
afterEach(() => void vi.useRealTimers())

const DAY = '2026-03-15'

async function scene(mode: 'ask' | 'post' = 'ask') {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2024-01-01' })
  const item = await newItem(me, account, { mode, from: '2026-03-01' })
  const json = { items: [{ recurringId: item.id, nominalDate: DAY }] }
  const path = { id: item.id, date: DAY }
  return { me, account, item, json, path }
}

it.each([{ changes: { amount: '65' } }, { date: '2026-03-25' }, { skipped: true }])(
  'does not change an occurrence that was booked, by %j',
  async (changed) => {
    const { me, account, item, json, path } = await scene()
    const beside = serviceWith({ meanwhile: () => ok(postOccurrences, { as: me, json }) })
    const { status } = await beside.call(updateOccurrence, { as: me, path, json: changed })
    expect(status).toBe(409)
    const { occurrences } = await ok(listOccurrences, { as: me, id: item.id })
    expect(occurrences[0]).toMatchObject({ status: 'paid', date: DAY, changes: null })
    expect(await bookedOn(me, account)).toEqual([`${DAY} 50.00`])
  },
)

it('keeps both of two changes of an occurrence, or refuses one', async () => {
  const { me, item, path } = await scene()
  const first = { as: me, path, json: { changes: { amount: '65' } } }
  const beside = serviceWith({ meanwhile: () => ok(updateOccurrence, first) })
  const second = { as: me, path, json: { changes: { note: 'Late' } } }
  expect((await beside.call(updateOccurrence, second)).status).toBe(409)
  await ok(updateOccurrence, second)
  const { occurrences } = await ok(listOccurrences, { as: me, id: item.id })
  expect(occurrences[0]?.changes).toEqual({ amount: '65', note: 'Late' })
})

it('does not book an occurrence of an item that went on as another', async () => {
  const { me, account, item, json } = await scene('post')
  const split = () =>
    ok(updateRecurring, { as: me, id: item.id, json: { from: '2026-04-15', mode: 'ask' } })
  const later = { items: [{ recurringId: item.id, nominalDate: '2026-04-15' }] }
  const beside = serviceWith({ meanwhile: split })
  expect((await beside.call(postOccurrences, { as: me, json: later })).status).toBe(409)
  expect((await call(postOccurrences, { as: me, json: later })).status).toBe(400)
  await ok(postOccurrences, { as: me, json })
  await settle(me)
  expect(await bookedOn(me, account)).toEqual([`${DAY} 50.00`])
})
