import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { listBudgetAlerts } from '../../../src/areas/planning/budgets/alerts/alerts.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/watch.usecases.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { testPorts } from '../../support/ports.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const sweep = () => watchBudgets(systemContext(env, 'sweep', { ...testPorts, now: () => NOW }))

async function newLimit() {
  const me = await newUser({})
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', thresholds: [80, 90, 100] })
  const { categoryId } = await newLine(me, budget, 'Food', { amount: '400.00' })
  const spend = (amount: string) => book(me, account, { amount, categoryId, date: '2026-11-05' })
  return { me, budget, spend }
}

const told = async (as: Principal, { id }: { id: string }) =>
  (await ok(listBudgetAlerts, { as, id })).alerts.map(({ threshold }) => threshold).toReversed()

it('tells each threshold once, when exactly so much is spent', async () => {
  const { me, budget, spend } = await newLimit()
  const steps = [
    ['319.00', []],
    ['1.00', [80]],
    ['41.00', [80, 90]],
    ['39.00', [80, 90, 100]],
  ] as const
  for (const [amount, expected] of steps) {
    await spend(amount)
    await sweep()
    expect((await told(me, budget)).toSorted()).toEqual([...expected].toSorted())
  }
  await spend('0.01')
  await Promise.all([sweep(), sweep()])
  await sweep()
  expect(await told(me, budget)).toContain('over')
  const notified = await rows('SELECT * FROM notifications WHERE user_id = ?', me.id)
  expect(notified).toHaveLength(4)
})

it('writes one row when 20 bookings at once pass a threshold', async () => {
  const { me, budget, spend } = await newLimit()
  await Promise.all(Array.from({ length: 20 }, () => spend('16.50')))
  await Promise.all([sweep(), sweep(), sweep()])
  await sweep()
  expect(await told(me, budget)).toEqual([80])
})
