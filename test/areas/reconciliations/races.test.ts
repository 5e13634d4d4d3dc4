import { expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { rounds } from '../../support/rounds.ts'
import { newUser } from '../../support/world.ts'
import { change, refusal } from '../transactions/booking.ts'
import { finish, look, MARCH, newMarch, start, tick, undo } from './reconciling.ts'

// Example 12, with requests that really run at once.

const ROUNDS = rounds(3, 100)

it('of two that finish at once, one does', async () => {
  const me = await newUser()
  const { everyday, coffee } = await newMarch(me)
  const session = await start(me, everyday, MARCH)
  await tick(me, session, { tick: [coffee.id] })
  for (let round = 0; round < ROUNDS; round++) {
    const both = await Promise.all([finish(me, session), finish(me, session)])
    const refused = both.filter(({ status }) => status !== 200)
    expect(refused.map(refusal)).toEqual([[409, 'reconciliations.notOpen']])
    const undone = await Promise.all([undo(me, session), undo(me, session)])
    expect(undone.filter(({ status }) => status !== 200).map(refusal)).toEqual([
      [409, 'reconciliations.notFinished'],
    ])
  }
  const told = await rows(
    `SELECT type FROM log_entries WHERE resource_id = ? AND type = 'reconciliation.finished'`,
    session.id,
  )
  expect(told).toHaveLength(ROUNDS)
})

it('a row is changed before a session is finished, or it is reconciled by then', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const me = await newUser()
    const { everyday, coffee, shop } = await newMarch(me)
    const session = await start(me, everyday, MARCH)
    await tick(me, session, { tick: [coffee.id] })
    const finishing = () => finish(me, session)
    const changing = () => change(me, shop, { amount: '57.20' })
    const [finished, changed] =
      round % 2 === 0
        ? await Promise.all([finishing(), changing()])
        : (await Promise.all([changing(), finishing()])).toReversed()
    const { reconciledBalance } = await ok(getAccountByID, { as: me, id: everyday.id })
    if (finished?.status === 200) {
      seen.add('finished')
      expect([changed?.status, reconciledBalance]).toEqual([409, '2149.80'])
      expect(['transactions.reconciled', 'request.conflict']).toContain(changed?.error.code)
    } else {
      seen.add('changed')
      expect([changed?.status, reconciledBalance]).toEqual([200, '1000.00'])
      expect(finished?.error).toMatchObject({
        code: 'reconciliations.difference',
        error: expect.stringContaining('10.00 EUR'),
      })
      expect(await look(me, session)).toMatchObject({ state: 'open', difference: '10.00' })
    }
  }
  expect(seen.size).toBeGreaterThan(0)
})
