import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  deleteBudget,
  getBudgetSummary,
  listBudgetAlerts,
  listBudgets,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { listBudgetPeriods } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { leaveGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { testPorts } from '../../support/ports.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { assignTo, MONTHLY, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { bookSeptember, newCouple } from './household.fixtures.ts'

const JANUARY = '2026-01-01'
const date = '2026-01-10'

const summaryOf = async (as: Principal, on?: string) =>
  (await ok(getBudgetSummary, { as, query: on === undefined ? {} : { on } })).budgets

/** Looks for thresholds as if it was then. */
const sweepAt = (day: string) =>
  watchBudgets(
    systemContext(env, 'sweep', { ...testPorts, now: () => Date.parse(`${day}T12:00:00Z`) }),
  )

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '1000', openingDate: JANUARY })
  const envelopes = await newBudget(me, { mode: 'envelope', name: 'Envelopes' })
  const limits = await newBudget(me, { mode: 'limit', name: 'Limits', color: '#2e7d32' })
  const [food, fun] = [await newLine(me, envelopes, 'Food'), await newLine(me, envelopes, 'Fun')]
  const everything = { scope: { kind: 'everything' as const, ids: [] } }
  const all = await newLine(me, limits, 'All', { ...everything, amount: '300', thresholds: [50] })
  await assignTo(me, envelopes, food, JANUARY, '400')
  await book(me, account, { date, amount: '350', categoryId: food.categoryId })
  await book(me, account, { date, amount: '20.50', categoryId: fun.categoryId })
  return { me, account, envelopes, limits, food, fun, all }
}

describe('the summary', () => {
  it('has the sums of the period of each budget, and the lines that are overspent', async () => {
    const { me, envelopes, limits, fun, all } = await newBooks()
    const found = await summaryOf(me, date)
    expect(found.map(({ id, name, mode, color }) => [id, name, mode, color])).toEqual([
      [envelopes.id, 'Envelopes', 'envelope', null],
      [limits.id, 'Limits', 'limit', '#2e7d32'],
    ])
    for (const { id, period } of found) {
      const { periods } = await ok(listBudgetPeriods, { as: me, id, query: { on: date } })
      expect([period]).toEqual(periods)
    }
    expect(found.map(({ overspentLines }) => overspentLines)).toEqual([
      [{ lineId: fun.id, name: 'Fun', overspent: '20.50' }],
      [{ lineId: all.id, name: 'All', overspent: '70.50' }],
    ])
    expect(found[0]?.period.envelope?.overspent).toBe('20.50')
  })

  it('has what was noticed in the period, and in no other', async () => {
    const { me, account, envelopes, limits, fun } = await newBooks()
    await sweepAt('2026-01-20')
    await book(me, account, { date: '2026-02-10', amount: '200', categoryId: fun.categoryId })
    await sweepAt('2026-02-20')
    const told = async (on: string) =>
      (await summaryOf(me, on)).map(({ id, alerts }) => [id, alerts.length])
    expect(await told(date)).toEqual([
      [envelopes.id, 1],
      [limits.id, 2],
    ])
    expect(await told('2026-03-31')).toEqual([
      [envelopes.id, 0],
      [limits.id, 0],
    ])
    const [, ofLimits] = await summaryOf(me, '2026-02-01')
    const query = { period: '2026-02-01' }
    expect(ofLimits?.alerts).toEqual(
      (await ok(listBudgetAlerts, { as: me, id: limits.id, query })).alerts,
    )
    expect(ofLimits?.alerts).toHaveLength(1)
  })

  it('is of the current periods, or of those nearest to a day', async () => {
    const { me, envelopes } = await newBooks()
    const late = await newBudget(me, { mode: 'limit', startsOn: '2190-05-01' })
    const begun = addDays(new Date().toISOString().slice(0, 10), -30)
    const days = await newBudget(me, {
      mode: 'limit',
      period: { ...MONTHLY, unit: 'day' },
      startsOn: begun,
    })
    const named = async (on?: string) =>
      Object.fromEntries((await summaryOf(me, on)).map(({ id, period }) => [id, period.period]))
    const current = await named()
    for (const budget of [envelopes, late, days]) {
      expect(current[budget.id]).toBe((await periodOf(me, budget, 'current')).period)
    }
    const { period } = await periodOf(me, envelopes, 'current')
    expect(current[envelopes.id]).toBe(period)
    expect(await named('2025-06-15')).toMatchObject({
      [envelopes.id]: JANUARY,
      [late.id]: '2190-05-01',
      [days.id]: begun,
    })
    expect(await named('2027-12-31')).toMatchObject({ [envelopes.id]: '2027-12-01' })
    expect(await named(addDays(begun, 700))).toMatchObject({ [days.id]: addDays(begun, 599) })
  })

  it('has the budgets in their order, without archived and deleted ones, in pages', async () => {
    const me = await newUser()
    const budgets = []
    for (let at = 0; at < 5; at++) {
      budgets.push(await newBudget(me, { mode: 'limit', order: 5 - at }))
    }
    const [archived = { id: '' }, deleted = { id: '' }] = budgets
    await ok(updateBudget, { as: me, id: archived.id, json: { archived: true } })
    await ok(deleteBudget, { as: me, id: deleted.id })
    const listed = await ok(listBudgets, { as: me, query: { archived: 'false' } })
    const first = await ok(getBudgetSummary, { as: me, query: { limit: 2 } })
    expect([first.count, first.budgets.length]).toEqual([3, 2])
    const query = { limit: 2, cursor: first.nextCursor ?? '' }
    const second = await ok(getBudgetSummary, { as: me, query })
    expect(second.nextCursor).toBeNull()
    expect([...first.budgets, ...second.budgets].map(({ id }) => id)).toEqual(
      listed.budgets.map(({ id }) => id),
    )
  })

  it('takes one trip for any number of budgets, and has none of somebody without any', async () => {
    const { me } = await newBooks()
    for (let more = 0; more < 5; more++) {
      await newBudget(me, { mode: 'envelope' })
    }
    const answer = await call(getBudgetSummary, { as: me })
    expect([answer.body.budgets.length, tripsOf(answer)]).toEqual([7, 1])
    expect(await ok(getBudgetSummary, { as: await newUser() })).toEqual({
      budgets: [],
      count: 0,
      nextCursor: null,
    })
  })

  it('is the same for all of a group, and lost with it', async () => {
    const couple = await newCouple()
    await bookSeptember(couple)
    const { ada, ben, viewer, group, joint, budget } = couple
    const found = await summaryOf(ada, '2026-09-30')
    expect(found.map(({ id, groupId }) => [id, groupId])).toEqual([[budget.id, group.id]])
    expect(found[0]?.period.limit?.spent).toBe('159.49')
    for (const as of [ben, viewer]) {
      expect(await summaryOf(as, '2026-09-30')).toEqual(found)
    }
    const personal = await newBudget(ada, { mode: 'limit' })
    const token = await giveToken(ada, ['budgets.read'], [joint.id])
    expect((await summaryOf(token)).map(({ id }) => id)).toEqual([personal.id])
    await ok(leaveGroup, { as: ben, id: group.id })
    expect(await summaryOf(ben)).toEqual([])
  })

  it('is refused for a day that is none, and for more than a page has', async () => {
    const me = await newUser()
    const refused = async (query: Record<string, string>) =>
      refusal(await call(getBudgetSummary, { as: me, query }))
    expect(await refused({ on: '2026-02-30' })).toEqual([400, 'request.invalid', 'on'])
    expect(await refused({ limit: '21' })).toEqual([400, 'request.invalid', 'limit'])
    expect(await refused({ mode: 'limit' })).toEqual([400, 'request.invalid', 'mode'])
    expect(await refused({ cursor: 'x' })).toEqual([400, 'request.invalidCursor', 'cursor'])
  })
})
