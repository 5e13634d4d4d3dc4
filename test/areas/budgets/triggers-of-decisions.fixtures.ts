import { mergeCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  closeBudgetPeriod,
  reopenBudgetPeriod,
  shareBudgetToGroup,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newGroup } from '../groups/groups.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { assignTo, newLine } from './budgets.fixtures.ts'
import { makeAt } from './checkpoint.fixtures.ts'
import { shareWith } from './household.fixtures.ts'
import {
  START,
  OLD,
  OLD_PERIOD,
  monthly,
  envelopes,
  limits,
  rate,
  updated,
  setPolicy,
  setScope,
  type Row,
} from './checkpoint-scenes.fixtures.ts'

const period = (budget: { id: string }, nominal: string) => ({ id: budget.id, period: nominal })

const spentOn = ({ categoryId }: { categoryId: string }) => ({
  date: OLD,
  amount: '3.00',
  categoryId,
})

/** The same for what is decided about a budget. */
export const DECIDED: Row[] = [
  [
    'shares_insert',
    'the first share, which hides private transactions',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await book(me, account, { ...spentOn(food), private: true })
      const friend = await newUser()
      return { me, budget, change: () => share(me, budget, friend, { resourceType: 'budget' }) }
    },
  ],
  [
    'shares_delete',
    'the end of the last share',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await book(me, account, { ...spentOn(food), private: true })
      const { id } = await share(me, budget, await newUser(), { resourceType: 'budget' })
      return { me, budget, change: () => ok(deleteShare, { as: me, id }) }
    },
  ],
  [
    'budget_amounts_insert',
    'an amount',
    async () => {
      const { me, budget, food } = await envelopes()
      return { me, budget, change: () => assignTo(me, budget, food, OLD_PERIOD, '5.00') }
    },
  ],
  [
    'budget_amounts_update',
    'another amount',
    async () => {
      const { me, budget, food } = await envelopes()
      await assignTo(me, budget, food, OLD_PERIOD, '5.00')
      return { me, budget, change: () => assignTo(me, budget, food, OLD_PERIOD, '6.00') }
    },
  ],
  [
    'budget_closings_insert',
    'closing a period that was booked into since it was read',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await setPolicy(me, budget, food, 'surplus', START)
      await assignTo(me, budget, food, '2025-02-01', '20.00')
      const path = period(budget, START)
      const meanwhile = async () => {
        await book(me, account, { date: START, categoryId: food.categoryId })
        await makeAt(budget)
      }
      return {
        me,
        budget,
        change: () => serviceWith({ meanwhile }).call(closeBudgetPeriod, { as: me, path }),
      }
    },
  ],
  [
    'budget_closings_delete',
    'reopening a period that was booked into',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await setPolicy(me, budget, food, 'surplus', START)
      await assignTo(me, budget, food, '2025-02-01', '20.00')
      const path = period(budget, START)
      await ok(closeBudgetPeriod, { as: me, path })
      await book(me, account, { date: START, categoryId: food.categoryId })
      const json = { reason: 'A receipt' }
      return { me, budget, change: () => ok(reopenBudgetPeriod, { as: me, path, json }) }
    },
  ],
  [
    'budget_line_changes_insert',
    'another policy',
    async () => {
      const { me, budget, food } = await envelopes()
      await setPolicy(me, budget, food, 'both', '2025-07-01')
      return { me, budget, change: () => setPolicy(me, budget, food, 'surplus') }
    },
  ],
  [
    'budget_line_changes_update',
    'another policy from the same period',
    async () => {
      const { me, budget, food } = await envelopes()
      await assignTo(me, budget, food, OLD_PERIOD, '10.00')
      await setPolicy(me, budget, food, 'none')
      return { me, budget, change: () => setPolicy(me, budget, food, 'surplus') }
    },
  ],
  [
    'budget_line_scopes_insert',
    'another category of a line',
    async () => {
      const { me, account, budget, food } = await envelopes()
      const other = await newCategory(me)
      await book(me, account, { date: OLD, categoryId: other.id })
      return { me, budget, change: () => setScope(me, budget, food, [food.categoryId, other.id]) }
    },
  ],
  [
    'budget_line_scopes_delete',
    'a category less of a line',
    async () => {
      const { me, budget, food } = await envelopes()
      const other = await newCategory(me)
      await setScope(me, budget, food, [food.categoryId, other.id])
      return { me, budget, change: () => setScope(me, budget, food, [other.id]) }
    },
  ],
  [
    'budget_line_scopes_update',
    'a category that the one of a line is merged into',
    async () => {
      const { me, account, budget } = await envelopes()
      const fun = await newLine(me, budget, 'Fun')
      const other = await newCategory(me)
      await book(me, account, { date: OLD, categoryId: other.id })
      const json = { categoryId: fun.categoryId }
      return { me, budget, change: () => ok(mergeCategory, { as: me, id: other.id, json }) }
    },
  ],
  [
    'budgets_update',
    'other days of weekends',
    async () => {
      const { me, account, budget, food } = await envelopes({ day: '05' })
      // A Friday before the weekend on which the next period would begin.
      await book(me, account, { date: '2026-09-04', categoryId: food.categoryId })
      await setPolicy(me, budget, food, 'surplus', '2026-01-05')
      await assignTo(me, budget, food, '2026-09-05', '20.00')
      const json = { period: { ...monthly('05'), weekend: 'before' } }
      const periods = ['2026-06-05', '2026-11-05']
      return { me, budget, periods, change: updated(me, budget, json) }
    },
  ],
  [
    'budgets_update',
    'other periods',
    async () => {
      const { me, account, budget, food } = await envelopes()
      const { categoryId } = food
      await setPolicy(me, budget, food, 'surplus')
      await book(me, account, { date: '2026-08-20', amount: '10.00', categoryId })
      await book(me, account, { kind: 'income', date: '2026-09-10', amount: '10.00', categoryId })
      const json = { period: monthly('15') }
      const periods = ['2026-05-15', '2026-10-15']
      return { me, budget, periods, change: updated(me, budget, json) }
    },
  ],
  [
    'budgets_update',
    'counting transfers',
    async () => {
      const { me, account, budget } = await limits('everything')
      const depot = await newAccount(me, { onBudget: false, openingDate: '2024-12-01' })
      const sides = { fromAccountId: account.id, toAccountId: depot.id }
      await ok(createTransfer, {
        as: me,
        json: { ...sides, date: OLD, amount: '30.00', categoryId: (await newCategory(me)).id },
      })
      return { me, budget, change: updated(me, budget, { countTransfers: true }) }
    },
  ],
  [
    'budgets_update',
    'a later start',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await book(me, account, { date: '2025-01-03', categoryId: food.categoryId })
      return { me, budget, change: updated(me, budget, { startsOn: '2025-07-01' }) }
    },
  ],
  [
    'budgets_update',
    'another handling of a card',
    async () => {
      const { me, budget, food } = await envelopes()
      const card = await newAccount(me, { type: 'creditCard', openingDate: '2024-12-01' })
      await book(me, card, { date: OLD, categoryId: food.categoryId })
      const cards = [{ accountId: card.id, handling: 'cash' }]
      return { me, budget, change: updated(me, budget, { cards }) }
    },
  ],
  [
    'budgets_update',
    'leaving out what is pending',
    async () => {
      const { me, account, budget, food } = await envelopes()
      await book(me, account, { date: OLD, categoryId: food.categoryId, status: 'pending' })
      return { me, budget, change: updated(me, budget, { countPending: false }) }
    },
  ],
  [
    'budgets_update',
    'another currency',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      await rate(me)
      return { me, budget, change: updated(me, budget, { currency: 'USD' }) }
    },
  ],
  [
    'budgets_update',
    'a group that it is shared with',
    async () => {
      const { me, account, budget, food } = await envelopes()
      const group = await newGroup(me)
      await shareWith(me, account, group.id)
      await book(me, account, { date: OLD, categoryId: food.categoryId, private: true })
      const json = { groupId: group.id }
      return { me, budget, change: () => ok(shareBudgetToGroup, { as: me, id: budget.id, json }) }
    },
  ],
]
