import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import {
  listBudgetAlerts,
  shareBudgetToGroup,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { tellExpiredJob } from '../../../src/areas/planning/budgets/budgets.jobs.ts'
import {
  createBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { testPorts } from '../../support/ports.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newGroup } from '../groups/groups.ts'
import { share } from '../sharing/sharing.ts'
import { book } from '../transactions/booking.ts'
import { assignTo, limitRow, newBudget, newLine } from './budgets.fixtures.ts'
import { categoryOf, newCouple, shareWith } from './household.fixtures.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MONTH = '2026-11-01'
const sweep = (now = NOW) =>
  watchBudgets(systemContext(env, 'sweep', { ...testPorts, now: () => now }))

async function newLimit() {
  const me = await newUser({})
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', thresholds: [80, 90, 100] })
  const line = await newLine(me, budget, 'Food', { amount: '400.00' })
  const { categoryId } = line
  const spend = (amount: string) => book(me, account, { amount, categoryId, date: '2026-11-05' })
  return { me, account, budget, line, spend }
}

type Limit = Awaited<ReturnType<typeof newLimit>>

const told = async (as: Principal, { id }: { id: string }) =>
  (await ok(listBudgetAlerts, { as, id })).alerts.map(({ threshold }) => threshold).toReversed()

it('tells each threshold once, when exactly so much is spent', async () => {
  const { me, account, budget, line } = await newLimit()
  const spend = (date: string, amount: string, more: object = {}) =>
    book(me, account, { amount, categoryId: line.categoryId, date, ...more })
  const raise = () =>
    ok(updateBudgetLine, {
      as: me,
      path: { id: budget.id, lineId: line.id },
      json: { amount: '500.00', from: MONTH },
    })
  const shown = []
  for (const [day, act] of [
    ['2026-11-03', (date: string) => spend(date, '319.00')],
    ['2026-11-05', (date: string) => spend(date, '1.00')],
    ['2026-11-08', (date: string) => spend(date, '20.00', { kind: 'income' })],
    ['2026-11-11', (date: string) => spend(date, '61.00')],
    ['2026-11-15', (date: string) => spend(date, '39.00')],
    ['2026-11-16', (date: string) => spend(date, '0.01')],
    ['2026-11-20', raise],
    ['2026-11-24', (date: string) => spend(date, '104.99')],
  ] as const) {
    await act(day)
    await sweep(Date.parse(`${day}T12:00:00Z`))
    const { total, spent, percent } = await limitRow(me, budget, line, MONTH)
    const { alerts } = await ok(listBudgetAlerts, { as: me, id: budget.id })
    const today = alerts.filter(({ at }) => at.startsWith(day))
    expect(today.every((one) => one.total === total && one.spent === spent)).toBe(true)
    shown.push([day.slice(5), total, spent, percent, today[0]?.threshold ?? 'none', today.length])
  }
  expect(shown).toEqual([
    ['11-03', '400.00', '319.00', 79, 'none', 0],
    ['11-05', '400.00', '320.00', 80, 80, 1],
    ['11-08', '400.00', '300.00', 75, 'none', 0],
    ['11-11', '400.00', '361.00', 90, 90, 1],
    ['11-15', '400.00', '400.00', 100, 100, 1],
    ['11-16', '400.00', '400.01', 100, 'over', 1],
    ['11-20', '500.00', '400.01', 80, 'none', 0],
    ['11-24', '500.00', '505.00', 101, 'none', 0],
  ])
})

it('lists alerts newest first, of a period or a line, and says so in the log', async () => {
  const { me, budget, line, spend } = await newLimit()
  await spend('330.00')
  await sweep(NOW)
  await spend('100.00')
  await sweep(NOW + 1000)
  const list = (query: Record<string, string | number>) =>
    ok(listBudgetAlerts, { as: me, id: budget.id, query })
  const { alerts, count } = await list({})
  expect(alerts.at(-1)).toEqual({
    ...{ lineId: line.id, period: MONTH, threshold: 80, total: '400.00', spent: '330.00' },
    ...{ currency: 'EUR', at: '2026-11-20T12:00:00.000Z' },
  })
  expect([count, alerts.map(({ threshold }) => threshold)]).toEqual([4, [100, 90, 'over', 80]])
  expect((await list({ lineId: line.id, period: MONTH })).count).toBe(4)
  expect((await list({ period: '2026-10-01' })).alerts).toEqual([])
  const first = await list({ limit: 3 })
  const rest = await list({ limit: 3, cursor: first.nextCursor ?? '' })
  expect([...first.alerts, ...rest.alerts]).toEqual(alerts)
  const told = await rows<{ type: string; content: string }>(
    "SELECT type, content FROM log_entries WHERE resource_id = ? AND type IN ('budget.thresholdReached', 'budget.overspent') ORDER BY number",
    budget.id,
  )
  const common = { lineId: line.id, period: MONTH, totalMinor: 40000 }
  expect(told.map(({ type, content }) => [type, JSON.parse(content) as unknown])).toEqual([
    ['budget.thresholdReached', { ...common, threshold: 80, spentMinor: 33000 }],
    ['budget.thresholdReached', { ...common, threshold: 90, spentMinor: 43000 }],
    ['budget.thresholdReached', { ...common, threshold: 100, spentMinor: 43000 }],
    ['budget.overspent', { ...common, threshold: 'over', spentMinor: 43000 }],
  ])
})

it('notifies everybody in the group, without amounts', async () => {
  const { ada, ben, viewer, joint, budget, groceries, food } = await newCouple()
  await sweep()
  await book(ada, joint, { date: '2026-11-05', amount: '400.01', categoryId: groceries.id })
  await sweep()
  await sweep()
  for (const { id } of [ada, ben, viewer]) {
    const notified = await rows<{ id: string; facts: string }>(
      'SELECT * FROM notifications WHERE user_id = ?',
      id,
    )
    expect(notified).toEqual([
      {
        ...{ id: expect.stringMatching(/^ntf_/), user_id: id, kind: 'budget.overspent' },
        ...{ resource_type: 'budget', resource_id: budget.id, account_id: null },
        facts: JSON.stringify({ lineId: food.id, period: MONTH, threshold: 0 }),
        group_key: `budget.overspent ${food.id}`,
        ...{ created_at: NOW, read_at: null, archived_at: null, mail_due: null },
      },
    ])
  }
})

it('tells once that more is spent than an envelope has', async () => {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const card = await newAccount(me, { type: 'creditCard', openingDate: '2026-01-01' })
  const budget = await newBudget(me, { mode: 'envelope', thresholds: [50] })
  const food = await newLine(me, budget, 'Food')
  await assignTo(me, budget, food, '2026-10-01', '30.00')
  await assignTo(me, budget, food, MONTH, '10.00')
  const spend = (on: { id: string }, amount: string) =>
    book(me, on, { amount, date: '2026-11-05', categoryId: food.categoryId })
  await spend(account, '30.00')
  await spend(card, '10.00')
  await sweep()
  expect(await told(me, budget)).toEqual([])
  await spend(card, '0.01')
  await sweep()
  await assignTo(me, budget, food, MONTH, '10.01')
  await sweep()
  await assignTo(me, budget, food, MONTH, '5.00')
  await sweep()
  const { alerts } = await ok(listBudgetAlerts, { as: me, id: budget.id })
  expect(alerts).toMatchObject([
    { lineId: food.id, period: MONTH, threshold: 'over', total: '40.00', spent: '40.01' },
  ])
})

it('looks again at a group whose share expired, the night after', async () => {
  const { ada, joint, ben, card, budget, groceries, essen } = await newCouple()
  await book(ada, joint, { date: '2026-11-05', amount: '450.00', categoryId: groceries.id })
  const refund = { date: '2026-11-05', amount: '100.00', categoryId: essen.id } as const
  await book(ben, card, { ...refund, kind: 'income' })
  await sweep()
  expect(await told(ada, budget)).toEqual([])
  await rows('UPDATE shares SET expires_at = ? WHERE account_id = ?', NOW + 1, card.id)
  await sweep(NOW)
  await sweep(NOW + 1)
  expect(await told(ada, budget)).toEqual([])
  const night = NOW + 24 * 60 * 60 * 1000
  await tellExpiredJob.run(contextWith({ now: night }), {}, [])
  await sweep(night)
  expect(await told(ada, budget)).toEqual(['over'])
})

it('looks again at budgets of people whose shares expired, the night after', async () => {
  const [owner, receiver] = [await newUser(), await newUser()]
  const { ben, viewer, card, essen } = await newCouple()
  const account = await newAccount(owner, { openingDate: '2026-01-01' })
  const theirs = await categoryOf(owner, 'Food')
  await share(owner, account, receiver)
  const refund = { kind: 'income', date: '2026-11-05', amount: '100.00' } as const
  const found: [TestUser, { id: string }][] = []
  for (const [as, of, shared, categoryId] of [
    [receiver, owner, account, theirs.id],
    [viewer, ben, card, essen.id],
  ] as const) {
    const own = await newAccount(as, { openingDate: '2026-01-01' })
    const mine = await categoryOf(as, 'Food')
    await book(as, own, { date: '2026-11-05', amount: '450.00', categoryId: mine.id })
    await book(of, shared, { ...refund, categoryId })
    const accountIds = [own.id, shared.id]
    const budget = await newBudget(as, {
      ...{ mode: 'limit', policy: 'none', accounts: 'chosen', accountIds },
    })
    const scope = { kind: 'category' as const, ids: [mine.id, categoryId] }
    const json = { name: 'Food', amount: '400.00', scope }
    await ok(createBudgetLine, { as, id: budget.id, json })
    found.push([as, budget])
  }
  await sweep()
  await rows(
    'UPDATE shares SET expires_at = ? WHERE account_id IN (?, ?)',
    ...[NOW + 1, account.id, card.id],
  )
  await sweep(NOW)
  await sweep(NOW + 1)
  const all = () => Promise.all(found.map(([as, budget]) => told(as, budget)))
  expect(await all()).toEqual([[], []])
  const night = NOW + 24 * 60 * 60 * 1000
  await tellExpiredJob.run(contextWith({ now: night }), {}, [])
  await sweep(night)
  expect(await all()).toEqual([['over'], ['over']])
})

it.each([
  [
    'a person',
    async ({ me, budget }: Limit) => {
      const give = async () => share(me, budget, await newUser(), { resourceType: 'budget' })
      await give()
      return give
    },
  ],
  [
    'a group',
    async ({ me, account, budget }: Limit) => {
      const give = async () => {
        const group = await newGroup(me)
        await ok(shareBudgetToGroup, { as: me, id: budget.id, json: { groupId: group.id } })
        return group
      }
      await shareWith(me, account, (await give()).id)
      return give
    },
  ],
])('forgets sums with private rows when the budget first goes to %s', async (_, giveTo) => {
  const limit = await newLimit()
  const { me, account, budget, line, spend } = limit
  const alerts = async () =>
    (await ok(listBudgetAlerts, { as: me, id: budget.id })).alerts.map(({ spent }) => spent)
  await spend('320.00')
  const hidden = { amount: '60.00', categoryId: line.categoryId, private: true }
  await book(me, account, { ...hidden, date: '2026-11-05' })
  await sweep()
  expect(await alerts()).toEqual(['380.00', '380.00'])
  const giveAgain = await giveTo(limit)
  expect(await alerts()).toEqual([])
  await sweep()
  expect(await alerts()).toEqual(['320.00'])
  await giveAgain()
  expect(await alerts()).toEqual(['320.00'])
})

it('writes one row when 20 bookings at once pass a threshold', async () => {
  const { me, budget, spend } = await newLimit()
  await Promise.all(Array.from({ length: 20 }, () => spend('16.50')))
  await Promise.all([sweep(), sweep(), sweep()])
  await sweep()
  expect(await told(me, budget)).toEqual([80])
  for (const table of ['budget_alerts WHERE budget_id', 'notifications WHERE resource_id']) {
    expect(await rows(`SELECT 1 FROM ${table} = ?`, budget.id), table).toHaveLength(1)
  }
})
