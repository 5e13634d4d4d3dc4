import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { listBudgetAlerts } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { checkBudgets } from '../../../src/areas/planning/budgets/checkpoints/checkpoints.usecases.ts'
import { makeCheckpointsJob } from '../../../src/areas/planning/budgets/budgets.jobs.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { testPorts } from '../../support/ports.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { undoneBy } from '../../support/undone.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'

// Rows that no request stores: what an archive of another version brought, or another hand.

const NOW = Date.UTC(2026, 10, 20, 12)
const HOUR = 60 * 60 * 1000

/** A budget whose line is spent to the last cent. */
async function newSpent() {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', thresholds: [50] })
  const line = await newLine(me, budget, 'Food', { amount: '10.00' })
  const { categoryId } = line
  await book(me, account, { amount: '10.00', categoryId, date: '2026-11-05' })
  return { me, budget, line }
}

type Spent = Awaited<ReturnType<typeof newSpent>>

/** What makes the budget of a user one that nothing can be worked out of. */
const POISONS: [string, (of: Spent) => Promise<unknown>][] = [
  [
    'thresholds that are no list',
    ({ line }) => rows("UPDATE budget_lines SET thresholds = '5' WHERE id = ?", line.id),
  ],
  [
    'periods of no days',
    ({ budget }) => rows('UPDATE budgets SET unit_count = 0 WHERE id = ?', budget.id),
  ],
  [
    'a time zone that there is not',
    ({ budget }) => rows("UPDATE budgets SET time_zone = 'Nowhere/Here' WHERE id = ?", budget.id),
  ],
]

const watch = (now: number) =>
  watchBudgets(systemContext(env, 'sweep', { ...testPorts, now: () => now }))

const alertsOf = async ({ me, budget }: Spent) =>
  (await ok(listBudgetAlerts, { as: me, id: budget.id })).count

beforeEach(() => rows('UPDATE budgets SET deleted_at = 1 WHERE deleted_at IS NULL'))

describe.each(POISONS)('a budget with %s', (_, poison) => {
  it('keeps nobody from being told of thresholds, now and later', async () => {
    const bad = await newSpent()
    await poison(bad)
    const good = await newSpent()
    const named = [{ work: 'budgets.watch', id: bad.budget.id }]
    expect(await undoneBy(() => watch(NOW))).toMatchObject(named)
    expect(await alertsOf(good)).toBe(1)
    const [mark] = await rows<{ due_at: number }>(
      'SELECT due_at FROM budget_watch WHERE id = ?',
      bad.budget.id,
    )
    expect(mark?.due_at).toBe(NOW + HOUR)
    const next = await newSpent()
    expect(await undoneBy(() => watch(NOW + 1))).toEqual([])
    expect(await alertsOf(next)).toBe(1)
    const later = await newSpent()
    expect(await undoneBy(() => watch(NOW + HOUR))).toMatchObject(named)
    expect(await alertsOf(later)).toBe(1)
  })
})

const checkpointsOf = async ({ budget }: Spent) =>
  (await rows('SELECT 1 FROM budget_checkpoints WHERE budget_id = ?', budget.id)).length

describe('a budget in no time zone', () => {
  it('keeps no other one from its checkpoints, tonight and tomorrow', async () => {
    const bad = await newSpent()
    await rows("UPDATE budgets SET time_zone = 'Nowhere/Here' WHERE id = ?", bad.budget.id)
    const good = await newSpent()
    const night = () => makeCheckpointsJob.run(contextWith({ now: NOW }), {}, [])
    const named = [{ work: 'budgets.checkpoint', id: bad.budget.id }]
    expect(await undoneBy(night)).toMatchObject(named)
    expect(await checkpointsOf(good)).toBeGreaterThan(0)
    const next = await newSpent()
    expect(await undoneBy(night)).toMatchObject(named)
    expect(await checkpointsOf(next)).toBeGreaterThan(0)
  })

  it('keeps no other one from being compared with the ledger', async () => {
    const bad = await newSpent()
    await rows("UPDATE budgets SET time_zone = 'Nowhere/Here' WHERE id = ?", bad.budget.id)
    const good = await newSpent()
    await makeCheckpointsJob.run(contextWith({ now: NOW }), { budgetId: good.budget.id }, [])
    const wrong = () =>
      rows(
        `UPDATE budget_checkpoints SET image = '{"after":{"carried":{"x":1},"late":{}}}'
          WHERE budget_id = ? AND period = (SELECT max(period) FROM budget_checkpoints WHERE budget_id = ?)`,
        good.budget.id,
        good.budget.id,
      )
    await wrong()
    let found: string[] = []
    const logged = await undoneBy(async () => {
      ;({ found } = await checkBudgets(contextWith({ now: NOW }), ''))
    })
    expect(logged).toMatchObject([{ work: 'budgets.check', id: bad.budget.id }])
    expect(found).toEqual([
      `budget ${bad.budget.id}: its figures cannot be calculated`,
      expect.stringContaining(`budget ${good.budget.id}: the checkpoint of`),
    ])
  })
})
