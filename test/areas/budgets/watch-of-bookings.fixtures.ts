import {
  updateCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee, mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import {
  closeBudgetPeriod,
  reopenBudgetPeriod,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newGroup } from '../groups/groups.ts'
import { book, change, newCategory } from '../transactions/booking.ts'
import { assignTo, newBudget, newLine } from './budgets.fixtures.ts'
import type { Row } from './checkpoint-scenes.fixtures.ts'
import { shareWith } from './household.fixtures.ts'

// Budgets in which a change of something makes a line reach a threshold of November 2026.

export const MONTH = '2026-11-01'
export const DAY = '2026-11-05'

/** A limit of 100.00 with a threshold of 80 %, of which 50.00 are spent. */
export async function limit(
  wanted: { groupId?: string; currency?: string; spent?: string } = {},
  as?: TestUser,
) {
  const { groupId, currency = 'EUR', spent = '50.00' } = wanted
  const me = as ?? (await newUser({ baseCurrency: 'EUR' }))
  const account = await newAccount(me, { currency, openingDate: '2026-01-01' })
  if (groupId !== undefined) {
    await shareWith(me, account, groupId)
  }
  const budget = await newBudget(me, {
    ...{ mode: 'limit', policy: 'none', thresholds: [80] },
    ...(groupId === undefined ? {} : { groupId }),
  })
  const line = await newLine(me, budget, 'Food', { amount: '100.00' })
  const spend = (amount: string, more: object = {}) =>
    book(me, account, { amount, date: DAY, categoryId: line.categoryId, ...more })
  await spend(spent)
  return { me, account, budget, line, spend }
}

/** A limit of 100.00 on what has a label. */
async function labelled(kind: 'tag' | 'payee') {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2026-01-01' })
  const create = (name: string) =>
    ok(kind === 'tag' ? createTag : createPayee, { as: me, json: { name } })
  const [first, second] = [await create('First'), await create('Second')]
  const budget = await newBudget(me, { mode: 'limit', policy: 'none', thresholds: [80] })
  const scope = { kind, ids: [first.id] }
  await ok(createBudgetLine, {
    as: me,
    id: budget.id,
    json: { name: 'Line', amount: '100.00', scope },
  })
  const { id: categoryId } = await newCategory(me)
  const spend = (more: object) =>
    book(me, account, { amount: '90.00', date: DAY, categoryId, ...more })
  const withLabel = ({ id }: { id: string }) =>
    kind === 'tag' ? { tagIds: [id] } : { payeeId: id }
  return { me, budget, spend, first, second, withLabel }
}

const setLine = (me: TestUser, { id }: { id: string }, line: { id: string }, json: object) =>
  ok(updateBudgetLine, { as: me, path: { id, lineId: line.id }, json })

const setLimit = (me: TestUser, { id }: { id: string }, line: { id: string }, amount: string) =>
  ok(setAllocation, { as: me, path: { id, period: MONTH, lineId: line.id }, json: { amount } })

/** For each trigger that marks budgets as something is booked or labelled, changes of what it looks after. */
export const WATCHED: Row[] = [
  [
    'entries_insert',
    'a booking',
    async () => {
      const { me, budget, spend } = await limit()
      return { me, budget, change: () => spend('40.00') }
    },
  ],
  [
    'entries_delete',
    'a refund that is deleted',
    async () => {
      const { me, budget, spend } = await limit({ spent: '90.00' })
      const refund = await spend('40.00', { kind: 'income' })
      return { me, budget, change: () => ok(deleteTransaction, { as: me, id: refund.id }) }
    },
  ],
  [
    'entries_update',
    'a category',
    async () => {
      const { me, account, budget, line } = await limit()
      const spent = await book(me, account, { amount: '40.00', date: DAY })
      const { categoryId } = line
      return { me, budget, change: () => change(me, spent, { categoryId }) }
    },
  ],
  [
    'transactions_private',
    'a booking that is private no more',
    async () => {
      const me = await newUser()
      const group = await newGroup(me)
      const { budget, spend } = await limit({ groupId: group.id }, me)
      const spent = await spend('40.00', { private: true })
      return { me, budget, change: () => change(me, spent, { private: false }) }
    },
  ],
  ...(['tag', 'payee'] as const).flatMap((kind): Row[] => {
    const table = kind === 'tag' ? 'transaction_tags' : 'transaction_payees'
    const none = kind === 'tag' ? { tagIds: [] } : { payeeId: null }
    return [
      [
        `${table}_insert`,
        `a ${kind}`,
        async () => {
          const { me, budget, spend, first, withLabel } = await labelled(kind)
          const spent = await spend({})
          return { me, budget, change: () => change(me, spent, withLabel(first)) }
        },
      ],
      [
        `${table}_delete`,
        `a refund that loses its ${kind}`,
        async () => {
          const { me, budget, spend, first, withLabel } = await labelled(kind)
          await spend(withLabel(first))
          const refund = await spend({ ...withLabel(first), kind: 'income', amount: '40.00' })
          return { me, budget, change: () => change(me, refund, none) }
        },
      ],
      [
        `${table}_update`,
        `a ${kind} that another one is merged into`,
        async () => {
          const { me, budget, spend, first, second, withLabel } = await labelled(kind)
          await spend(withLabel(second))
          const merge = () =>
            kind === 'tag'
              ? ok(mergeTag, { as: me, id: first.id, json: { tagId: second.id } })
              : ok(mergePayees, { as: me, id: first.id, json: { payeeIds: [second.id] } })
          return { me, budget, change: merge }
        },
      ],
    ]
  }),
  [
    'budgets_update',
    'other thresholds',
    async () => {
      const { me, budget } = await limit()
      const json = { thresholds: [40] }
      return { me, budget, change: () => ok(updateBudget, { as: me, id: budget.id, json }) }
    },
  ],
  [
    'budget_lines_update',
    'other thresholds of a line',
    async () => {
      const { me, budget, line } = await limit()
      return { me, budget, change: () => setLine(me, budget, line, { thresholds: [40] }) }
    },
  ],
  [
    'budget_amounts_insert',
    'a lower limit of the period',
    async () => {
      const { me, budget, line } = await limit()
      return { me, budget, change: () => setLimit(me, budget, line, '60.00') }
    },
  ],
  [
    'budget_amounts_update',
    'another limit of the period',
    async () => {
      const { me, budget, line } = await limit()
      await setLimit(me, budget, line, '90.00')
      return { me, budget, change: () => setLimit(me, budget, line, '60.00') }
    },
  ],
  [
    'budget_line_changes_insert',
    'a lower limit from a period on',
    async () => {
      const { me, budget, line } = await limit()
      const json = { amount: '60.00', from: MONTH }
      return { me, budget, change: () => setLine(me, budget, line, json) }
    },
  ],
  [
    'budget_line_changes_update',
    'another limit from the same period',
    async () => {
      const { me, budget, line } = await limit()
      await setLine(me, budget, line, { amount: '90.00', from: MONTH })
      const json = { amount: '60.00', from: MONTH }
      return { me, budget, change: () => setLine(me, budget, line, json) }
    },
  ],
  [
    'budget_line_scopes_insert',
    'another category of a line',
    async () => {
      const { me, budget, line, spend } = await limit()
      const other = await newCategory(me)
      await spend('40.00', { categoryId: other.id })
      const scope = { kind: 'category', ids: [line.categoryId, other.id] }
      return { me, budget, change: () => setLine(me, budget, line, { scope }) }
    },
  ],
  [
    'budget_line_scopes_delete',
    'a category less of the line below it',
    async () => {
      const { me, account } = await limit()
      const budget = await newBudget(me, { mode: 'envelope' })
      const [food, out] = [await newLine(me, budget, 'Eating'), await newLine(me, budget, 'Out')]
      const json = { parentId: food.categoryId }
      await ok(updateCategory, { as: me, id: out.categoryId, json })
      await book(me, account, { amount: '40.00', date: DAY, categoryId: out.categoryId })
      await assignTo(me, budget, out, MONTH, '40.00')
      const other = await newCategory(me)
      await setLine(me, budget, out, {
        scope: { kind: 'category', ids: [out.categoryId, other.id] },
      })
      const scope = { kind: 'category', ids: [other.id] }
      return { me, budget, change: () => setLine(me, budget, out, { scope }) }
    },
  ],
  [
    'budget_line_scopes_update',
    'a category that the one of the line is merged into',
    async () => {
      const { me, budget, line, spend } = await limit()
      const [own, other] = [await newCategory(me), await newCategory(me)]
      await setLine(me, budget, line, {
        scope: { kind: 'category', ids: [line.categoryId, own.id] },
      })
      await spend('40.00', { categoryId: other.id })
      const json = { categoryId: own.id }
      return { me, budget, change: () => ok(mergeCategory, { as: me, id: other.id, json }) }
    },
  ],
  [
    'budget_closings_delete',
    'a late refund that counts in its own period again',
    async () => {
      const me = await newUser()
      const account = await newAccount(me, { openingDate: '2026-09-01' })
      const budget = await newBudget(me, {
        mode: 'envelope',
        startsOn: '2026-10-01',
        policy: 'none',
      })
      const { categoryId } = await newLine(me, budget, 'Food')
      const path = { id: budget.id, period: '2026-10-01' }
      await ok(closeBudgetPeriod, { as: me, path })
      const late = { amount: '40.00', kind: 'income', date: '2026-10-05', categoryId } as const
      await book(me, account, late)
      await book(me, account, { amount: '40.00', date: DAY, categoryId })
      const json = { reason: 'A receipt' }
      return { me, budget, change: () => ok(reopenBudgetPeriod, { as: me, path, json }) }
    },
  ],
]
