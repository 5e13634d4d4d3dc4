import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  shareAccountToGroup,
  unshareAccountFromGroup,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { join, newGroup } from '../groups/groups.ts'
import { book } from '../transactions/booking.ts'
import { newBudget } from './budgets.fixtures.ts'

export const categoryOf = (as: TestUser, name: string) =>
  ok(createCategory, { as, json: { name, kind: 'expense' } })

/** Shares an account with a group, so that its members may book on it. */
export const shareWith = (as: TestUser, { id }: { id: string }, groupId: string) =>
  ok(shareAccountToGroup, { as, id, json: { groupId, permission: 'write' } })

export const takeBack = (as: TestUser, { id }: { id: string }) =>
  ok(unshareAccountFromGroup, { as, id })

/**
 * Ada and Ben with a group that both share an account with, a viewer, and a limit budget of the group: Food covers Groceries of
 * Ada and Essen of Ben, Home covers Home of Ada, Overall covers everything.
 */
export async function newCouple() {
  const ada = await newUser({ name: 'Ada' })
  const group = await newGroup(ada)
  const ben = await join(group.id, ada, 'member', await newUser({ name: 'Ben' }))
  const viewer = await join(group.id, ada, 'viewer')
  const joint = await newAccount(ada, { name: 'Joint', openingDate: '2026-01-01' })
  const card = await newAccount(ben, { name: 'Card', openingDate: '2026-01-01' })
  await shareWith(ada, joint, group.id)
  await shareWith(ben, card, group.id)
  const [groceries, home, gifts] = [
    await categoryOf(ada, 'Groceries'),
    await categoryOf(ada, 'Home'),
    await categoryOf(ada, 'Gifts'),
  ]
  const essen = await categoryOf(ben, 'Essen')
  const budget = await newBudget(ada, { mode: 'limit', policy: 'none', groupId: group.id })
  const line = (name: string, ids: string[], amount: string) =>
    ok(createBudgetLine, {
      as: ada,
      id: budget.id,
      json: {
        ...{ name, amount },
        scope: ids.length === 0 ? { kind: 'everything' } : { kind: 'category', ids },
      },
    })
  return {
    ...{ ada, ben, viewer, group, joint, card, budget, groceries, home, gifts, essen },
    food: await line('Food', [groceries.id, essen.id], '400.00'),
    household: await line('Home', [home.id], '100.00'),
    overall: await line('Overall', [], '600.00'),
  }
}

export type Couple = Awaited<ReturnType<typeof newCouple>>

/** What they book in September. */
export async function bookSeptember(couple: Couple): Promise<void> {
  const { ada, ben, joint, card, groceries, home, gifts, essen } = couple
  const date = '2026-09-15'
  await book(ada, joint, { date, amount: '84.50', categoryId: groceries.id })
  await book(ada, joint, { date, amount: '80.00', categoryId: gifts.id, private: true })
  await book(ben, joint, { date, amount: '49.99', categoryId: home.id })
  await book(ben, card, { date, amount: '31.20', categoryId: essen.id })
  await book(ben, card, { date, amount: '12.50' })
  await book(ben, card, { date, kind: 'income', amount: '6.20', categoryId: essen.id })
}
