import { afterEach, describe, expect, it, vi } from 'vitest'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { listRecurring } from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { copyBudget, listBudgets } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  getBudgetLine,
  listBudgetLines,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  setLineTarget,
  snoozeLineTarget,
} from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { call, ok, rows, type Principal } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { backedUp, emptied, restored } from '../backups/restoring.ts'
import { join, newGroup } from '../groups/groups.ts'
import { newItem, today } from '../recurring/recurring.fixtures.ts'
import { share } from '../sharing/sharing.ts'
import { refusal } from '../transactions/booking.ts'
import { envelopeRow, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { shareWith, takeBack } from './household.fixtures.ts'

afterEach(() => {
  vi.useRealTimers()
})

const PERIOD = '2026-06-01'
const JUNE = { schedule: { unit: 'month', anchor: '2026-06-20' }, from: PERIOD } as const

const aim = (as: Principal, path: { id: string; lineId: string }, ...items: { id: string }[]) =>
  call(setLineTarget, {
    ...{ as, path },
    json: { type: 'schedule', recurringIds: items.map(({ id }) => id) },
  })

describe('a target by recurring items', () => {
  it('of a group is the same for all, and ends with the share of the account', async () => {
    today('2026-06-10')
    const [ada, group] = await newUser({ name: 'Ada' }).then(
      async (me) => [me, await newGroup(me)] as const,
    )
    const ben = await join(group.id, ada, 'member')
    const viewer = await join(group.id, ada, 'viewer')
    const joint = await newAccount(ada, { currency: 'EUR' })
    const own = await newAccount(ada, { currency: 'EUR' })
    await shareWith(ada, joint, group.id)
    const budget = await newBudget(ada, { mode: 'envelope', groupId: group.id })
    const line = await newLine(ada, budget, 'Home')
    const path = { id: budget.id, lineId: line.id }
    const rent = await newItem(ada, joint, JUNE)
    const secret = await newItem(ada, joint, { ...JUNE, transaction: { private: true } })
    const refused = [secret, await newItem(ada, own, JUNE)]
    for (const item of refused) {
      expect(refusal(await aim(ada, path, item))).toEqual([
        ...[400, 'budgets.unknownItem', 'recurringIds.0'],
      ])
    }
    expect((await aim(ben, path, rent)).status).toBe(200)
    const seen = await Promise.all([ada, ben, viewer].map((as) => periodOf(as, budget, PERIOD)))
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await envelopeRow(viewer, budget, line, PERIOD)).toMatchObject({ needed: '50.00' })
    await takeBack(ada, joint)
    expect(await envelopeRow(ben, budget, line, PERIOD)).toMatchObject({ needed: '0.00' })
    expect((await ok(getBudgetLine, { as: ben, path })).target).toMatchObject({ recurringIds: [] })
    await shareWith(ada, joint, group.id)
    expect(await envelopeRow(ben, budget, line, PERIOD)).toMatchObject({ needed: '50.00' })
  })

  it('of a shared budget names no item on accounts that the receiver does not see', async () => {
    today('2026-06-10')
    const [me, friend] = [await newUser(), await newUser()]
    const account = await newAccount(me, { currency: 'EUR' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Home')
    const path = { id: budget.id, lineId: line.id }
    const rent = await newItem(me, account, JUNE)
    const anywhere = await newItem(me, account, {
      ...{ ...JUNE, mode: 'expect' },
      transaction: { accountId: null, currency: 'EUR' },
    })
    const secret = await newItem(me, account, { ...JUNE, transaction: { private: true } })
    expect((await aim(me, path, rent, anywhere, secret)).status).toBe(200)
    expect(await envelopeRow(me, budget, line, PERIOD)).toMatchObject({ needed: '150.00' })
    await share(me, budget, friend, { resourceType: 'budget', permission: 'manage' })
    // Nobody but the owner sees the other two.
    for (const as of [me, friend]) {
      expect(await envelopeRow(as, budget, line, PERIOD)).toMatchObject({ needed: '50.00' })
    }
    const idsFor = async (as: Principal) =>
      (await ok(getBudgetLine, { as, path })).target?.recurringIds
    expect([await idsFor(me), await idsFor(friend)]).toEqual([[rent.id], []])
    expect(refusal(await aim(friend, path, rent))).toEqual([
      ...[400, 'budgets.unknownItem', 'recurringIds.0'],
    ])
    const json = { period: 'current' }
    const snoozed = await ok(snoozeLineTarget, { as: friend, path, json })
    expect(snoozed.target).toMatchObject({ recurringIds: [], snoozedIn: PERIOD })
    expect(await idsFor(me)).toEqual([rent.id])
  })

  it('converts the amounts at the rate of today, and knows none without a rate', async () => {
    today('2026-06-10')
    const me = await newUser({ baseCurrency: 'EUR' })
    const account = await newAccount(me, { currency: 'EUR' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Home')
    const path = { id: budget.id, lineId: line.id }
    const items = [await newItem(me, account, JUNE)]
    // An item on any own account may have a currency that no account inside has.
    items.push(
      await newItem(me, account, {
        ...{ ...JUNE, mode: 'expect' },
        transaction: { accountId: null, currency: 'USD', amount: '20.05' },
      }),
    )
    expect((await aim(me, path, ...items)).status).toBe(200)
    const row = () => envelopeRow(me, budget, line, PERIOD)
    expect(await row()).toMatchObject({ needed: null, targetStatus: null })
    const rate = (date: string, text: string) =>
      ok(createExchangeRate, { as: me, json: { from: 'USD', to: 'EUR', date, rate: text } })
    await rate('2026-06-01', '0.85')
    // 17.0425
    expect(await row()).toMatchObject({ needed: '67.04', targetStatus: 'underfunded' })
    await rate('2026-06-10', '0.875')
    // 17.54375
    expect(await row()).toMatchObject({ needed: '67.54' })
  })

  it('goes into copies and backups, and names the restored items', async () => {
    today('2026-06-10')
    const me = await newUser()
    const account = await newAccount(me, { currency: 'EUR' })
    const budget = await newBudget(me, { mode: 'envelope' })
    const line = await newLine(me, budget, 'Home')
    const item = await newItem(me, account, JUNE)
    await aim(me, { id: budget.id, lineId: line.id }, item)
    const copy = await ok(copyBudget, { as: me, id: budget.id, json: { name: 'Copy' } })
    const [copied] = (await ok(listBudgetLines, { as: me, id: copy.id })).lines
    expect(copied?.target).toMatchObject({ recurringIds: [item.id] })
    const { archive } = await backedUp(me)
    await emptied(me)
    const other = await newUser()
    for (const as of [me, other]) {
      await restored(as, archive)
      const { recurring } = await ok(listRecurring, { as })
      const { budgets } = await ok(listBudgets, { as })
      const back = budgets.find(({ name }) => name === budget.name) ?? budget
      const [shown] = (await ok(listBudgetLines, { as, id: back.id })).lines
      expect(shown?.target).toMatchObject({ recurringIds: recurring.map(({ id }) => id) })
      const { envelope } = await periodOf(as, back, '2026-07-01')
      expect(envelope?.lines).toMatchObject([{ needed: '50.00' }])
    }
    expect(await rows('SELECT id FROM recurring WHERE id = ?', item.id)).toHaveLength(1)
  })

  it('of a payment line needs what is transferred to the card', async () => {
    today('2026-06-10')
    const me = await newUser()
    const account = await newAccount(me, { currency: 'EUR' })
    const card = await newAccount(me, { currency: 'EUR', type: 'creditCard' })
    const budget = await newBudget(me, { mode: 'envelope' })
    await ok(createBudgetLine, {
      ...{ as: me, id: budget.id },
      json: { name: 'None', scope: { kind: 'category', ids: [] } },
    })
    const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
    const payment = lines.find(({ kind }) => kind === 'cardPayment') ?? { id: '' }
    const item = await newItem(me, account, {
      ...JUNE,
      transaction: {
        ...{ kind: 'transfer', accountId: undefined, amount: '250' },
        ...{ fromAccountId: account.id, toAccountId: card.id },
      },
    })
    expect((await aim(me, { id: budget.id, lineId: payment.id }, item)).status).toBe(200)
    expect(await envelopeRow(me, budget, payment, PERIOD)).toMatchObject({ needed: '250.00' })
  })
})
