import { expect, it } from 'vitest'
import { createSystemRates } from '../../../src/areas/money/exchange-rates/system/system.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteBudget,
  listBudgetAlerts,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { oneOfEach } from '../../support/rounds.ts'
import { newAdmin } from '../../support/world.ts'
import { erase, work } from '../trash/trashing.ts'
import { newBudget } from './budgets.fixtures.ts'
import { without } from './triggers.fixtures.ts'
import { limit } from './watch-of-bookings.fixtures.ts'
import { SCENES, sweep, toldAfter } from './watch-triggers.fixtures.ts'

it('every trigger that marks budgets has a change here that needs it', async () => {
  const triggers = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_watch' ORDER BY name",
  )
  const needed = new Set(SCENES.map(([trigger]) => `${trigger}_watch`))
  expect([...needed, 'accounts_delete_watch'].toSorted()).toEqual(triggers.map(({ name }) => name))
})

// One scene of each trigger; the others are in watch-triggers.long.test.ts.
it.each(oneOfEach(SCENES, ([trigger]) => trigger))(
  '%s: a threshold is told after %s',
  async (_, __, scene) => {
    expect(await toldAfter(scene)).toBeGreaterThan(0)
  },
)

it('a new budget is looked at', async () => {
  const { me } = await limit()
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', lines: 'leaves' })
  await sweep()
  expect(await ok(listBudgetAlerts, { as: me, id: budget.id })).toMatchObject({
    alerts: [{ threshold: 'over', total: '0.00', spent: '50.00' }],
  })
})

const marked = (ids: string[]) =>
  rows(
    'SELECT id FROM budget_watch WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  )

it('marks go with what they are of', async () => {
  const erased = async () => {
    const { me, account, budget, spend } = await limit()
    await ok(deleteBudget, { as: me, id: budget.id })
    await spend('1.00')
    await ok(deleteAccount, { as: me, id: account.id })
    await erase(me, 'budget', budget.id)
    await erase(me, 'account', account.id)
    await work(me.id, Date.now())
    return marked([budget.id, account.id])
  }
  expect(await erased()).toEqual([])
  expect(await without('accounts_delete_watch', erased)).toHaveLength(1)
})

it('new rates of the system mark all budgets with other currencies, some at a time', async () => {
  const { budget } = await limit({ currency: 'PLN' })
  const { budget: own } = await limit()
  await sweep()
  await rows(
    `INSERT INTO budgets SELECT 'bud_copy' || value, owner_id, group_id, created_by, name || value, name_key || value, mode,
        currency, unit, unit_count, anchor, weekend, first_period, first_day, starts_on, time_zone, accounts, account_ids,
        cards, strict, count_pending, count_transfers, income_in_next_period, thresholds, note, archived, sort_order, color,
        icon, version, created_at, updated_at, deleted_at
      FROM budgets, json_each(?) WHERE budgets.id = ?`,
    JSON.stringify(Array.from({ length: 250 }, (_, at) => 1000 + at)),
    budget.id,
  )
  await rows('DELETE FROM budget_watch')
  const rates = [{ from: 'PLN', to: 'EUR', date: '2026-09-01', rate: '0.2' }]
  await ok(createSystemRates, { as: await newAdmin(), json: { rates } })
  await sweep()
  const [found] = await rows<{ copies: number; own: number; rates: number }>(
    `SELECT sum(id GLOB 'bud_copy*') AS copies, sum(id = ?) AS own, sum(id GLOB 'rates*') AS rates FROM budget_watch`,
    own.id,
  )
  expect(found).toEqual({ copies: 250, own: 0, rates: 0 })
})
