import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import {
  getBudget,
  getBudgetChart,
  getLineHistory,
  listBudgets,
  listLineTransactions,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  listMovements,
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  getBudgetLine,
  listBudgetLines,
  reorderBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  createBudgetTemplate,
  listBudgetTemplates,
  updateBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { assignTo, newBudget, newLine, periodOf } from '../budgets/budgets.fixtures.ts'
import { book, refusal } from '../transactions/booking.ts'
import { share } from './sharing.ts'

const SEPTEMBER = '2026-09-01'
const OPENED = { openingDate: '2026-01-01' }

/** An owner with a giro and a card, a viewer and a manager; `give` shares a budget with both. */
async function people() {
  const [owner, viewer, manager] = [await newUser(), await newUser(), await newUser()]
  const giro = await newAccount(owner, { ...OPENED, openingBalance: '500.00' })
  const card = await newAccount(owner, { ...OPENED, name: 'Secret Visa', type: 'creditCard' })
  const give = async (budget: { id: string }) => {
    await share(owner, budget, viewer, { resourceType: 'budget', permission: 'view' })
    await share(owner, budget, manager, { resourceType: 'budget', permission: 'manage' })
  }
  return { owner, viewer, manager, giro, card, give }
}

/** An envelope budget of both accounts, with a purchase by card. */
async function envelopes() {
  const made = await people()
  const { owner, giro, card } = made
  const budget = await newBudget(owner, {
    mode: 'envelope',
    accounts: 'chosen',
    accountIds: [giro.id, card.id],
    cards: [{ accountId: card.id, handling: 'payment' }],
  })
  const food = await newLine(owner, budget, 'Food')
  await book(owner, card, { date: '2026-09-15', amount: '20.00', categoryId: food.categoryId })
  const payment = (await ok(listBudgetLines, { as: owner, id: budget.id })).lines.find(
    ({ kind }) => kind === 'cardPayment',
  )
  if (!payment) {
    throw new Error('no payment line')
  }
  await assignTo(owner, budget, payment, SEPTEMBER, '5.00')
  await made.give(budget)
  return { ...made, budget, food, payment }
}

/** All that an answer about the budget could tell of its card. */
async function toldOf(as: Principal, { budget }: { budget: { id: string } }) {
  const { id } = budget
  const period = await periodOf(as, budget, SEPTEMBER)
  return {
    budget: await ok(getBudget, { as, id }),
    period,
    all: JSON.stringify([
      await ok(listBudgets, { as }),
      (await ok(listBudgetLines, { as, id })).lines,
      period.envelope?.lines,
      (await call(getBudgetChart, { as, id })).text,
    ]),
  }
}

describe('accounts of a shared budget that the receiver does not see', () => {
  it('are not named by the budget, its lines and its figures, but count in its sums', async () => {
    const { owner, viewer, manager, giro, card, budget, payment } = await envelopes()
    const own = await toldOf(owner, { budget })
    expect(own.all).toContain(card.name)
    for (const as of [viewer, manager]) {
      const told = await toldOf(as, { budget })
      expect(told.budget).toMatchObject({ accountIds: [], cards: [] })
      for (const secret of [giro.id, card.id, card.name, payment.id]) {
        expect(told.all).not.toContain(secret)
      }
      const { lines, ...sums } = told.period.envelope ?? { lines: [] }
      const { lines: ownLines, ...ownSums } = own.period.envelope ?? { lines: [] }
      expect(sums).toEqual(ownSums)
      expect(lines).toEqual(ownLines.filter(({ kind }) => kind === 'line'))
    }
    await share(owner, card, viewer)
    const seen = await toldOf(viewer, { budget })
    expect(seen.period).toEqual(own.period)
    expect(seen.budget).toMatchObject({
      accountIds: [card.id],
      cards: [{ accountId: card.id, handling: 'payment' }],
    })
  })

  it('have no payment line that the receiver could read, change or move money of', async () => {
    const { owner, manager, card, budget, food, payment } = await envelopes()
    const path = { id: budget.id, lineId: payment.id }
    const movements = async (as: Principal) =>
      (await ok(listMovements, { as, id: budget.id })).count
    expect([await movements(owner), await movements(manager)]).toEqual([1, 0])
    const acts = [
      () => call(getBudgetLine, { as: manager, path }),
      () => call(getLineHistory, { as: manager, path }),
      () => call(updateBudgetLine, { as: manager, path, json: { note: 'x' } }),
      () => call(deleteBudgetLine, { as: manager, path }),
      () => call(listLineTransactions, { as: manager, path, query: { period: SEPTEMBER } }),
    ]
    for (const act of acts) {
      expect(refusal(await act()).slice(0, 2)).toEqual([404, 'budgets.lineNotFound'])
    }
    const [moved] = (await ok(listMovements, { as: owner, id: budget.id })).movements
    const undo = (as: Principal) =>
      call(undoMovement, { as, path: { id: budget.id, movementId: moved?.id ?? '' } })
    expect(refusal(await undo(manager)).slice(0, 2)).toEqual([404, 'budgets.movementNotFound'])
    const into = { path: { id: budget.id, lineId: food.id }, query: { reassignTo: payment.id } }
    expect(refusal(await call(deleteBudgetLine, { as: manager, ...into }))).toEqual([
      ...[400, 'budgets.unknownLine', 'reassignTo'],
    ])
    const move = () =>
      call(moveMoney, {
        as: manager,
        path: { id: budget.id, period: SEPTEMBER },
        json: { from: payment.id, to: food.id, amount: '1.00' },
      })
    expect(refusal(await move())).toEqual([400, 'budgets.unknownLine', 'from'])
    await share(owner, card, manager)
    expect((await move()).status).toBe(201)
    expect(await movements(manager)).toBe(2)
  })

  it('leave the items of their payment lines in templates untold, but kept', async () => {
    const { owner, manager, budget, food, payment } = await envelopes()
    const { id } = budget
    const items = [food, payment].map(({ id: lineId }) => ({ lineId, amount: '1.00' }))
    const template = await ok(createBudgetTemplate, { as: owner, id, json: { name: 'T', items } })
    const changed = { lineId: food.id, amount: '2.00' }
    const itemsOf = async (as: Principal) =>
      (await ok(listBudgetTemplates, { as, id })).templates[0]?.items
    expect(await itemsOf(manager)).toEqual(items.slice(0, 1))
    const path = { id, templateId: template.id }
    const after = await ok(updateBudgetTemplate, { as: manager, path, json: { items: [changed] } })
    expect(after.items).toEqual([changed])
    expect(await itemsOf(owner)).toEqual([changed, items[1]])
  })

  it('keep those items while the card is in the trash', async () => {
    const { owner, manager, card, budget, food, payment } = await envelopes()
    const { id } = budget
    const items = [food, payment].map(({ id: lineId }) => ({ lineId, amount: '1.00' }))
    const template = await ok(createBudgetTemplate, { as: owner, id, json: { name: 'T', items } })
    const itemsOf = async (as: Principal) =>
      (await ok(listBudgetTemplates, { as, id })).templates[0]?.items
    await ok(deleteAccount, { as: owner, id: card.id })
    expect(await itemsOf(manager)).toEqual(items.slice(0, 1))
    expect(await itemsOf(owner)).toEqual(items.slice(0, 1))
    const path = { id, templateId: template.id }
    const changed = { lineId: food.id, amount: '2.00' }
    await ok(updateBudgetTemplate, { as: manager, path, json: { items: [changed] } })
    await ok(restoreFromTrash, { as: owner, path: { kind: 'account', id: card.id } })
    expect(await itemsOf(owner)).toEqual([changed, items[1]])
  })

  it('hide no line that is below their payment lines, and name none of these', async () => {
    const { owner, viewer, manager, budget, food, payment } = await envelopes()
    const { id } = budget
    const group = await newLine(owner, budget, 'Group', { scope: { kind: 'category', ids: [] } })
    await assignTo(owner, budget, food, SEPTEMBER, '7.00')
    const put = (as: Principal, line: { id: string }, json: object) =>
      ok(updateBudgetLine, { as, path: { id, lineId: line.id }, json })
    const parentsFor = async (as: Principal) => {
      const { lines } = await ok(listBudgetLines, { as, id })
      return Object.fromEntries(lines.map((line) => [line.id, line.parentLineId]))
    }
    await put(owner, payment, { parentLineId: group.id })
    await put(owner, food, { parentLineId: payment.id })
    const stored = { [group.id]: null, [payment.id]: group.id, [food.id]: payment.id }
    expect(await parentsFor(owner)).toEqual(stored)
    for (const as of [viewer, manager]) {
      expect(await parentsFor(as)).toEqual({ [group.id]: null, [food.id]: group.id })
      const { lines } = (await periodOf(as, budget, SEPTEMBER)).envelope ?? { lines: [] }
      const below = lines.find(({ lineId }) => lineId === group.id)?.withBelow
      expect(below).toMatchObject({ assigned: '7.00', activity: '-20.00' })
    }
    // Whoever sends back what was told moves nothing.
    await put(manager, food, { name: 'Groceries', parentLineId: group.id })
    await ok(reorderBudgetLines, {
      ...{ as: manager, id },
      json: { lineIds: [food.id, group.id], parents: { [food.id]: group.id } },
    })
    expect(await parentsFor(owner)).toEqual(stored)
    await put(manager, food, { parentLineId: null })
    expect(await parentsFor(owner)).toEqual({ ...stored, [food.id]: null })
  })

  it('tell no day of a private row whose currency has no rate', async () => {
    const { owner, viewer, budget } = await envelopes()
    const { id } = await newAccount(owner, { ...OPENED, name: 'Dollars', currency: 'USD' })
    const { accountIds } = await ok(getBudget, { as: owner, id: budget.id })
    await ok(updateBudget, { as: owner, id: budget.id, json: { accountIds: [...accountIds, id] } })
    await book(owner, { id }, { date: '2026-09-17', amount: '3.00', private: true })
    const { unconverted } = await periodOf(viewer, budget, SEPTEMBER)
    const told = unconverted.find(({ amount }) => amount === '-3.00')
    expect(told).toMatchObject({ lineId: null, from: '2026-09-01', to: '2026-09-30' })
  })

  it('are counted by no line that a manager makes or changes, and named to none', async () => {
    const { owner, viewer, manager, giro, card, give } = await people()
    const budget = await newBudget(owner, { mode: 'limit' })
    const { id } = budget
    const line = (as: Principal, ids: string[]) =>
      call(createBudgetLine, {
        as,
        id,
        json: { name: 'Giro', amount: '1.00', scope: { kind: 'account', ids } },
      })
    const both = [giro.id, card.id].toSorted()
    const made = await ok(createBudgetLine, {
      as: owner,
      id,
      json: { name: 'Both', amount: '1.00', scope: { kind: 'account', ids: both } },
    })
    await give(budget)
    const path = { id, lineId: made.id }
    const scoped = (ids: string[]) =>
      call(updateBudgetLine, { as: manager, path, json: { scope: { kind: 'account', ids } } })
    const unseen = [400, 'budgets.unknownAccount', 'scope.ids.0']
    expect(refusal(await line(manager, [giro.id]))).toEqual(unseen)
    expect(refusal(await line(manager, [someId('acc')]))).toEqual(unseen)
    expect(refusal(await scoped([giro.id]))).toEqual(unseen)
    const scopeOf = async (as: Principal) => (await ok(getBudgetLine, { as, path })).scope.ids
    expect(await scopeOf(viewer)).toEqual([])
    await share(owner, giro, manager)
    expect(await scopeOf(manager)).toEqual([giro.id])
    expect((await line(manager, [giro.id])).status).toBe(201)
    expect((await scoped([giro.id])).status).toBe(200)
    expect(await scopeOf(owner)).toEqual(both)
    // A line that is of accounts no more has none when its owner chooses accounts again.
    const change = (as: Principal, kind: 'everything' | 'account', ids?: string[]) =>
      ok(updateBudgetLine, { as, path, json: { scope: { kind, ...(ids ? { ids } : {}) } } })
    await change(manager, 'everything')
    await change(owner, 'account', [giro.id])
    expect(await scopeOf(owner)).toEqual([giro.id])
  })

  it('are handled as cards by the owner alone', async () => {
    const { owner, manager, card, budget } = await envelopes()
    await share(owner, card, manager)
    const cards = [{ accountId: card.id, handling: 'cash' as const }]
    const handle = (as: Principal) => call(updateBudget, { as, id: budget.id, json: { cards } })
    expect(refusal(await handle(manager))).toEqual([403, 'budgets.mayNotManage'])
    expect((await handle(owner)).status).toBe(200)
  })
})
