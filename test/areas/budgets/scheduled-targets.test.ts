import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  deleteRecurring,
  updateOccurrence,
  updateRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { assignMoney } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { getBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  setLineTarget,
  snoozeLineTarget,
} from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newItem, settle, today } from '../recurring/recurring.fixtures.ts'
import { book, refusal } from '../transactions/booking.ts'
import { assignTo, envelopeRow, newBudget, newLine } from './budgets.fixtures.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function plan() {
  today('2026-06-10')
  const me = await newUser()
  const account = await newAccount(me, {
    ...{ currency: 'EUR', openingBalance: '10000', openingDate: '2026-01-01' },
  })
  const budget = await newBudget(me, { mode: 'envelope' })
  const line = await newLine(me, budget, 'Bills')
  const path = { id: budget.id, lineId: line.id }
  const item = (amount: string, schedule: object, wanted: object = {}) =>
    newItem(me, account, {
      ...{ schedule: { unit: 'month', ...schedule } as never, from: '2026-06-01', mode: 'expect' },
      ...wanted,
      transaction: { amount, categoryId: line.categoryId },
    })
  const target = (...items: { id: string }[]) =>
    ok(setLineTarget, {
      ...{ as: me, path },
      json: { type: 'schedule', recurringIds: items.map(({ id }) => id) },
    })
  const row = (period = '2026-06-01') => envelopeRow(me, budget, line, period)
  const needed = async (...periods: string[]) =>
    Promise.all(periods.map(async (period) => (await row(`2026-${period}-01`)).needed))
  const assign = (period: string, amount: string) =>
    assignTo(me, budget, line, `2026-${period}-01`, amount)
  return { me, account, budget, line, path, item, target, row, needed, assign }
}

describe('a target by recurring items', () => {
  it('needs what is due in the period, and saves for what comes later', async () => {
    const { item, target, needed, assign, row } = await plan()
    const rent = await item('1200', { anchor: '2026-06-28' })
    const week = await item('10', { unit: 'week', anchor: '2026-06-05' })
    const tax = await item('310', { unit: 'year', anchor: '2026-12-15' })
    const set = await target(rent, week, tax)
    expect(set.target).toMatchObject({
      type: 'schedule',
      recurringIds: [rent.id, week.id, tax.id].toSorted(),
    })
    // 1200.00, four Fridays, and 310.00 in seven months.
    expect(await needed('06')).toEqual(['1284.29'])
    await assign('06', '1284.29')
    expect(await row()).toMatchObject({ needed: '0.00', targetStatus: 'funded' })
    // What June still pays is not there for July: of its five Fridays and the rent nothing is covered yet.
    expect(await needed('07')).toEqual(['1294.29'])
  })

  it('is refused for what the line cannot count', async () => {
    const { me, account, budget, line, path, item } = await plan()
    const other = await newUser()
    const foreign = await newItem(other, await newAccount(other))
    const off = await newAccount(me, { currency: 'EUR', onBudget: false })
    const good = await item('5', { anchor: '2026-06-28' })
    const wrong = [
      foreign,
      await newItem(me, off),
      await newItem(me, account, { schedule: null }),
      await newItem(me, account, { transaction: { kind: 'income' } }),
      { id: someId('rec') },
    ]
    for (const { id } of wrong) {
      const json = { type: 'schedule' as const, recurringIds: [good.id, id] }
      const refused = await call(setLineTarget, { as: me, path, json })
      expect(refusal(refused)).toEqual([400, 'budgets.unknownItem', 'recurringIds.1'])
    }
    for (const recurringIds of [[], [good.id, good.id], null]) {
      const json = { type: 'schedule' as const, recurringIds }
      const refused = await call(setLineTarget, { as: me, path, json })
      expect(refusal(refused).slice(0, 2)).toEqual([400, 'request.invalid'])
    }
    expect((await envelopeRow(me, budget, line, '2026-06-01')).needed).toBeNull()
  })

  it('does not ask twice for what was paid, early or late', async () => {
    const { me, account, item, target, needed, assign, line } = await plan()
    const bill = await item('50', { anchor: '2026-05-20' }, { from: '2026-05-01' })
    await target(bill)
    // The one of May is late: both are needed.
    expect(await needed('05', '06', '07')).toEqual(['50.00', '100.00', '50.00'])
    await assign('06', '100')
    expect(await needed('06', '07')).toEqual(['0.00', '50.00'])
    const paid = async (date: string, nominal: string) => {
      const { id } = await book(me, account, { date, amount: '50', categoryId: line.categoryId })
      const json = { transactionIds: [id] }
      const at = { id: bill.id, date: nominal }
      await ok(updateOccurrence, { as: me, path: at, json })
    }
    await paid('2026-06-08', '2026-05-20')
    expect(await needed('05', '06', '07')).toEqual(['50.00', '0.00', '50.00'])
    await paid('2026-06-09', '2026-06-20')
    await paid('2026-06-09', '2026-07-20')
    // July was paid in June.
    expect(await needed('06', '07')).toEqual(['50.00', '25.00'])
    await assign('06', '150')
    expect(await needed('06', '07', '08')).toEqual(['0.00', '25.00', '50.00'])
  })

  it('follows an item that goes on, rests or goes to the trash', async () => {
    const { me, item, target, needed, path } = await plan()
    const rent = await item('1200', { anchor: '2026-06-28' })
    await target(rent)
    const changed = await ok(updateRecurring, {
      ...{ as: me, id: rent.id },
      json: {
        from: '2026-08-28',
        transaction: { ...rent.transaction, amount: '1250' } as never,
      },
    })
    expect(changed).toMatchObject({ previousId: rent.id })
    expect(await needed('06', '07', '08')).toEqual(['1200.00', '1200.00', '1250.00'])
    const json = { skipped: true }
    await ok(updateOccurrence, { as: me, path: { id: rent.id, date: '2026-06-28' }, json })
    expect(await needed('06', '07')).toEqual(['600.00', '1200.00'])
    await ok(updateRecurring, { as: me, id: changed.id, json: { active: false } })
    expect(await needed('07', '08')).toEqual(['1200.00', '0.00'])
    await ok(deleteRecurring, { as: me, id: rent.id })
    const get = () => ok(getBudgetLine, { as: me, path })
    expect((await get()).target).toMatchObject({ recurringIds: [] })
    expect(await needed('07')).toEqual(['0.00'])
    await ok(snoozeLineTarget, { as: me, path, json: { period: 'current' } })
    await ok(restoreFromTrash, { as: me, path: { kind: 'recurring', id: rent.id } })
    expect((await get()).target).toMatchObject({ recurringIds: [rent.id] })
    await ok(updateRecurring, { as: me, id: rent.id, json: { active: true } })
    expect(await needed('07')).toEqual(['1200.00'])
  })

  it('is assigned by its priority, and books by themselves change nothing', async () => {
    const { me, budget, item, target, needed, row } = await plan()
    const bill = await item('80', { anchor: '2026-06-10' }, { mode: 'post' })
    await target(bill)
    await settle(me)
    expect(await row()).toMatchObject({ needed: '80.00', activity: '-80.00' })
    const { items } = await ok(assignMoney, {
      ...{ as: me, path: { id: budget.id, period: '2026-06-01' } },
      json: { method: 'underfunded' },
    })
    expect(items).toMatchObject([{ before: '0.00', after: '80.00' }])
    expect(await needed('06', '07')).toEqual(['0.00', '80.00'])
  })
})
