import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { join, newGroup } from '../groups/groups.ts'
import { book } from '../transactions/booking.ts'
import { newBudget, newLine } from './budgets.fixtures.ts'
import { shareWith } from './household.fixtures.ts'

// Budgets since 2025, each with a change of something that its checkpoints were made from.

/** A budget as somebody sees it, and what changes it once it has checkpoints. */
export interface Scene {
  me: TestUser
  budget: { id: string }
  change: () => Promise<unknown>
  /** One that is worked out from a checkpoint of 2025, and one from the newest one. */
  periods?: string[]
}

export const START = '2025-01-01'
export const OLD = '2025-06-03'
export const OLD_PERIOD = '2025-06-01'

/** The account's currency, the group that has it and the budget, and the day on which periods begin. */
interface Place {
  currency?: string
  groupId?: string
  day?: string
}

export const monthly = (day: string) =>
  ({ unit: 'month', count: 1, anchor: `2026-01-${day}` }) as const

export async function envelopes(
  { currency = 'EUR', groupId, day = '01' }: Place = {},
  me?: TestUser,
) {
  const owner = me ?? (await newUser({ baseCurrency: 'EUR' }))
  const account = await newAccount(owner, { currency, openingDate: '2024-12-01' })
  if (groupId !== undefined) {
    await shareWith(owner, account, groupId)
  }
  const budget = await newBudget(owner, {
    ...{ mode: 'envelope', startsOn: START, policy: 'both', period: monthly(day) },
    ...(groupId === undefined ? {} : { groupId }),
  })
  const food = await newLine(owner, budget, 'Food')
  const spent = await book(owner, account, {
    ...{ date: OLD, amount: '7.00', categoryId: food.categoryId },
  })
  return { me: owner, account, budget, food, spent }
}

/** A limit budget with one line, of the kind of label that is named. */
export async function limits(kind: 'tag' | 'payee' | 'everything') {
  const me = await newUser()
  const account = await newAccount(me, { openingDate: '2024-12-01' })
  const label = (name: string) =>
    ok(kind === 'payee' ? createPayee : createTag, { as: me, json: { name } })
  const [first, second] = [await label('First'), await label('Second')]
  const budget = await newBudget(me, { mode: 'limit', startsOn: START, policy: 'both' })
  const json = {
    name: 'Line',
    amount: '10.00',
    scope: kind === 'everything' ? { kind } : { kind, ids: [first.id] },
  }
  const line = await ok(createBudgetLine, { as: me, id: budget.id, json })
  const labelled = ({ id }: { id: string }) =>
    kind === 'payee' ? { payeeId: id } : { tagIds: [id] }
  return { me, account, budget, line, first, second, labelled }
}

export const USD_EUR = { from: 'USD', to: 'EUR', date: '2025-02-01' }

export const rate = (as: TestUser, wanted: object = {}) =>
  ok(createExchangeRate, { as, json: { ...USD_EUR, rate: '0.5', ...wanted } })

export const updated =
  (me: TestUser, { id }: { id: string }, json: object) =>
  () =>
    ok(updateBudget, { as: me, id, json })

export const setPolicy = (
  me: TestUser,
  budget: { id: string },
  { id: lineId }: { id: string },
  policy: 'none' | 'surplus' | 'both',
  from = OLD_PERIOD,
) => ok(updateBudgetLine, { as: me, path: { id: budget.id, lineId }, json: { policy, from } })

export const setScope = (
  me: TestUser,
  budget: { id: string },
  { id: lineId }: { id: string },
  ids: string[],
) =>
  ok(updateBudgetLine, {
    as: me,
    path: { id: budget.id, lineId },
    json: { scope: { kind: 'category', ids } },
  })

/** A budget of a group, of Ada's account in dollars. Ben is an administrator of the group. */
export async function ofGroup(currency = 'USD') {
  const ada = await newUser({ baseCurrency: 'EUR' })
  const group = await newGroup(ada)
  const ben = await join(group.id, ada, 'admin')
  return { ada, ben, group, ...(await envelopes({ currency, groupId: group.id }, ada)) }
}

/** A change that needs a trigger: its name without its suffix, what is done, and where. */
export type Row = [trigger: string, by: string, scene: () => Promise<Scene>]
