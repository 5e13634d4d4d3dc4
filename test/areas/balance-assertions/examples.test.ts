import { beforeAll, describe, expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, change } from '../transactions/booking.ts'
import { lock } from '../period-locks/locking.ts'
import { assert, assertionsOf, checkOf } from './asserting.ts'

// Examples 8 and 9, and what example 11 says of the assertion of a lock.

describe('assertions at the edges of a day', () => {
  let me: TestUser
  let everyday: { id: string }

  beforeAll(async () => {
    me = await newUser()
    everyday = await newAccount(me, { openingBalance: '100', openingDate: '2026-03-30' })
    await book(me, everyday, { date: '2026-03-31', amount: '40', status: 'cleared' })
    await book(me, everyday, {
      ...{ kind: 'income', date: '2026-03-31', amount: '15', status: 'uncleared' },
    })
  })

  const day = { date: '2026-03-31' }

  it.each([
    [{ ...day, when: 'startOfDay', amount: '100.00' }, '100.00', true, '0.00'],
    [{ ...day, when: 'endOfDay', amount: '75.00' }, '75.00', true, '0.00'],
    [{ ...day, when: 'endOfDay', amount: '60.00' }, '75.00', false, '15.00'],
    [{ ...day, amount: '74.50', tolerance: '0.50' }, '75.00', true, '0.50'],
    [{ ...day, amount: '74.49', tolerance: '0.50' }, '75.00', false, '0.51'],
    [{ ...day, of: 'cleared', amount: '60.00' }, '60.00', true, '0.00'],
    [{ ...day, of: 'reconciled', amount: '0' }, '0.00', true, '0.00'],
  ] as const)('%o', async (wanted, actual, isOk, difference) => {
    // Each for itself, as there is one per day, edge and sum.
    await rows('DELETE FROM balance_assertions WHERE account_id = ?', everyday.id)
    const made = await assert(me, everyday, wanted)
    expect(made.result).toEqual({ ok: isOk, actual, difference })
    const [listed] = await assertionsOf(me, everyday, { ok: isOk })
    expect(listed).toEqual(made)
    expect(await assertionsOf(me, everyday, { ok: !isOk })).toEqual([])
    const { failingAssertions } = await ok(getAccountByID, { as: me, id: everyday.id })
    expect(failingAssertions).toBe(isOk ? 0 : 1)
  })
})

it('what was booked and changed since an assertion explains why it fails', async () => {
  const me = await newUser()
  const everyday = await newAccount(me, { openingBalance: '500', openingDate: '2026-01-01' })
  await book(me, everyday, { date: '2026-02-10', amount: '70' })
  const changed = await book(me, everyday, { date: '2026-02-20', amount: '10' })
  const holding = await assert(me, everyday, { date: '2026-01-31', amount: '500' })
  const failing = await assert(me, everyday, { date: '2026-02-28', amount: '420' })
  expect(failing.result.ok).toBe(true)
  expect(await checkOf(me, everyday)).toMatchObject({
    ...{ number: 2, failed: 0, firstFailing: null, suspects: [], explained: null },
    lastOk: { id: failing.id },
  })
  const late = await book(me, everyday, { date: '2026-02-14', amount: '30' })
  expect((await change(me, changed, { amount: '15' })).status).toBe(200)
  expect((await change(me, changed, { note: 'Two of them' })).status).toBe(200)
  const checked = await checkOf(me, everyday)
  expect(checked).toMatchObject({
    ...{ accountId: everyday.id, number: 2, failed: 1, explained: true },
    lastOk: { id: holding.id, result: { ok: true, difference: '0.00' } },
    firstFailing: {
      id: failing.id,
      result: { ok: false, actual: '385.00', difference: '-35.00' },
    },
  })
  expect(checked.suspects).toMatchObject([
    { id: changed.id, date: '2026-02-20', moved: '-5.00', actorId: me.id },
    { id: late.id, date: '2026-02-14', moved: '-30.00', actorId: me.id },
  ])
})

it('the assertion of a lock tells what was forced upon it, and goes with the lock', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const row = await book(me, account, { date: '2025-06-10', amount: '5', status: 'reconciled' })
  const { id } = await lock(me, { require: ['reconciled', 'assertionsOk'] })
  const [stated, ...others] = await assertionsOf(me, account)
  expect(others).toEqual([])
  expect(stated).toMatchObject({
    ...{ date: '2025-12-31', when: 'endOfDay', of: 'balance', amount: '-5.00', source: 'lock' },
    result: { ok: true },
  })
  expect((await change(me, row, { amount: '6', force: true })).status).toBe(200)
  const [failing] = await assertionsOf(me, account)
  expect(failing?.result).toEqual({ ok: false, actual: '-6.00', difference: '-1.00' })
  expect((await checkOf(me, account)).suspects).toMatchObject([{ id: row.id, moved: '-1.00' }])
  expect((await change(me, row, { amount: '5', force: true })).status).toBe(200)
  const [again] = await assertionsOf(me, account)
  expect(again?.result.ok).toBe(true)
  expect(id).toMatch(/^plk_/)
})
