import { beforeAll, describe, expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  copyBudget,
  createBudget,
  updateBudget,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  listBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, refusal } from '../transactions/booking.ts'
import { MONTHLY, newBudget } from './budgets.fixtures.ts'
import { categoryOf } from './household.fixtures.ts'

// What a person may name who has somebody else's account in a budget of their own.

const date = '2026-01-10'
type Kind = 'category' | 'tag' | 'payee'

const makers: Record<Kind, (as: TestUser, name: string) => Promise<{ id: string }>> = {
  category: categoryOf,
  tag: (as, name) => ok(createTag, { as, json: { name } }),
  payee: (as, name) => ok(createPayee, { as, json: { name } }),
}
const labelled: Record<Kind, (id: string) => object> = {
  category: (categoryId) => ({ categoryId }),
  tag: (id) => ({ tagIds: [id] }),
  payee: (payeeId) => ({ payeeId }),
}

/** Ada shares an account with Ben, who may look at it, and has it in a budget of his own. */
async function newShare(permission: 'view' | 'annotate') {
  const [ada, ben] = [await newUser(), await newUser()]
  const account = await newAccount(ada, { openingDate: '2026-01-01' })
  await share(ada, account, ben, { permission })
  const chosen = { accounts: 'chosen' as const, accountIds: [account.id] }
  const limits = await newBudget(ben, { mode: 'limit', ...chosen })
  const name = (kind: Kind, id: string) =>
    call(createBudgetLine, {
      as: ben,
      id: limits.id,
      json: { name: `Of ${id}`, scope: { kind, ids: [id] } },
    })
  return { ada, ben, account, chosen, limits, name }
}

describe('a person who may look at an account', () => {
  const codes = { category: 'budgets.unknownCategory', tag: 'budgets.unknownScope' }
  let shared: Awaited<ReturnType<typeof newShare>>

  beforeAll(async () => {
    shared = await newShare('view')
  })

  it.each(['category', 'tag', 'payee'] as const)('names a %s that they have seen', async (kind) => {
    const { ada, account, name } = shared
    const make = (word: string) => makers[kind](ada, `${word} ${kind}`)
    const [seen, secret, unused] = [await make('Seen'), await make('Secret'), await make('Unused')]
    await book(ada, account, { date, ...labelled[kind](seen.id) })
    await book(ada, account, { date, private: true, ...labelled[kind](secret.id) })
    expect((await name(kind, seen.id)).status).toBe(201)
    const code = kind === 'category' ? codes.category : codes.tag
    for (const id of [secret.id, unused.id, `${seen.id.slice(0, 4)}none`]) {
      expect(refusal(await name(kind, id))).toEqual([400, code, 'scope.ids.0'])
    }
  })

  it('keeps what a line names once it is not to be seen any more', async () => {
    const { ada, ben, account, limits, name } = shared
    const [one, other] = [await categoryOf(ada, 'One'), await categoryOf(ada, 'Other')]
    const booked = await book(ada, account, { date, categoryId: one.id })
    const line = (await name('category', one.id)).body
    await ok(deleteTransaction, { as: ada, id: booked.id })
    const rename = (ids: string[]) =>
      call(updateBudgetLine, {
        as: ben,
        path: { id: limits.id, lineId: line.id },
        json: { scope: { kind: 'category', ids } },
      })
    expect((await rename([one.id])).body.scope.ids).toEqual([one.id])
    expect(refusal(await rename([one.id, other.id]))[2]).toBe('scope.ids.1')
    const copy = await ok(copyBudget, { as: ben, id: limits.id, json: { name: 'Copy' } })
    const { lines } = await ok(listBudgetLines, { as: ben, id: copy.id })
    expect(lines.flatMap(({ scope }) => scope.ids)).toContain(one.id)
  })

  it('defers income of a category that they have seen', async () => {
    const { ada, ben, account, chosen } = shared
    const income = (word: string) =>
      ok(createCategory, { as: ada, json: { name: word, kind: 'income' } })
    const [seen, unused] = [await income('Salary'), await income('Bonus')]
    const booked = await book(ada, account, { kind: 'income', date, categoryId: seen.id })
    const json = { mode: 'envelope', period: MONTHLY, startsOn: '2026-01-01', ...chosen } as const
    const create = (name: string, incomeInNextPeriod: string[]) =>
      call(createBudget, { as: ben, json: { ...json, name, incomeInNextPeriod } })
    const wrong = [400, 'budgets.unknownIncomeCategory', 'incomeInNextPeriod.0']
    expect(refusal(await create('Wrong', [unused.id]))).toEqual(wrong)
    const budget = (await create('Right', [seen.id])).body
    await ok(deleteTransaction, { as: ada, id: booked.id })
    const update = (ids: string[]) =>
      call(updateBudget, { as: ben, id: budget.id, json: { incomeInNextPeriod: ids } })
    expect((await update([seen.id])).status).toBe(200)
    expect(refusal(await update([unused.id]))).toEqual(wrong)
  })
})

it('a person who may book with categories of others names all of them', async () => {
  const { ada, name } = await newShare('annotate')
  expect((await name('category', (await categoryOf(ada, 'Unused')).id)).status).toBe(201)
})
