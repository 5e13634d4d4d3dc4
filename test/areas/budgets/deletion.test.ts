import { describe, expect, it } from 'vitest'
import {
  createBudgetLine,
  deleteBudgetLine,
  getBudgetLine,
  listBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listMovements } from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { listLineTransactions } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { call, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import {
  assignTo,
  envelopeRow,
  limitRow,
  newBudget,
  newLine,
  periodOf,
} from './budgets.fixtures.ts'

/** The first of a month that is this many months from the current one. */
function monthFromNow(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
    .toISOString()
    .slice(0, 10)
}

const [LAST, THIS, NEXT] = [monthFromNow(-1), monthFromNow(0), monthFromNow(1)]

/** Two lines: of 100.00 for Food last month 30.00 were spent, 40.00 more are assigned this month and 5.00 the next one. */
async function household() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '500.00', openingDate: LAST })
  const budget = await newBudget(me, { mode: 'envelope', startsOn: LAST })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  await book(me, account, { amount: '30.00', date: LAST, categoryId: food.categoryId })
  await book(me, account, { amount: '10.00', date: THIS, categoryId: food.categoryId })
  await assignTo(me, budget, food, LAST, '100.00')
  await assignTo(me, budget, food, THIS, '40.00')
  await assignTo(me, budget, food, NEXT, '5.00')
  const remove = (line: { id: string }, reassignTo?: string, headers = {}) =>
    call(deleteBudgetLine, {
      as: me,
      path: { id: budget.id, lineId: line.id },
      query: reassignTo === undefined ? {} : { reassignTo },
      headers,
    })
  return { me, account, budget, food, fun, remove }
}

describe('deleting a line', () => {
  it.each(['tag', 'payee', 'account'] as const)(
    'passes on what it counts by %s from then on, and not before',
    async (kind) => {
      const me = await newUser()
      const [account, other] = [await newAccount(me), await newAccount(me)]
      const name = async (word: string) =>
        (await ok(kind === 'tag' ? createTag : createPayee, { as: me, json: { name: word } })).id
      const [passed, kept] =
        kind === 'account' ? [account.id, other.id] : [await name('Passed'), await name('Kept')]
      const label =
        kind === 'tag' ? { tagIds: [passed] } : kind === 'payee' ? { payeeId: passed } : {}
      const budget = await newBudget(me, { mode: 'limit', startsOn: LAST })
      const line = (word: string, id: string) =>
        ok(createBudgetLine, {
          as: me,
          id: budget.id,
          json: { name: word, amount: '9', scope: { kind, ids: [id] } },
        })
      const [ending, heir] = [await line('Ending', passed), await line('Heir', kept)]
      await book(me, account, { amount: '3', date: LAST, ...label })
      await book(me, account, { amount: '4', date: THIS, ...label })
      const path = { id: budget.id, lineId: ending.id }
      await ok(deleteBudgetLine, { as: me, path, query: { reassignTo: heir.id } })
      const spent = async (of: { id: string }, period: string) => {
        const { transactions } = await ok(listLineTransactions, {
          as: me,
          path: { id: budget.id, lineId: of.id },
          query: { period },
        })
        const row = await limitRow(me, budget, of, period)
        expect(transactions.map(({ counted }) => counted)).toEqual(
          row.spent === '0.00' ? [] : [`-${row.spent}`],
        )
        return row.spent
      }
      expect([await spent(ending, LAST), await spent(heir, LAST)]).toEqual(['3.00', '0.00'])
      expect(await spent(heir, THIS)).toBe('4.00')
      expect((await periodOf(me, budget, THIS)).limit?.lines.map(({ lineId }) => lineId)).toEqual([
        heir.id,
      ])
    },
  )

  it('leaves no line that could count other categories unseen', async () => {
    const { me, account, budget, food, remove } = await household()
    const category = await newCategory(me)
    expect((await remove(food)).status).toBe(200)
    const sent = await call(updateBudgetLine, {
      as: me,
      path: { id: budget.id, lineId: food.id },
      json: { scope: { kind: 'category', ids: [category.id] } },
    })
    expect(refusal(sent)).toEqual([400, 'budgets.unknownScope', 'scope'])
    await book(me, account, { amount: '7.00', date: THIS, categoryId: category.id })
    const { envelope, outside } = await periodOf(me, budget, THIS)
    expect([outside.uncovered, envelope?.exchangeDifference]).toEqual(['-17.00', '0.00'])
  })

  it('gives all it has from the current period on to the pool', async () => {
    const { me, budget, food, remove } = await household()
    const before = await envelopeRow(me, budget, food, LAST)
    const deleted = await remove(food)
    expect([deleted.status, tripsOf(deleted)]).toEqual([200, 2])
    expect(deleted.body.message).toBe('The line was archived. Past periods keep it.')
    expect(await envelopeRow(me, budget, food, LAST)).toEqual(before)
    const { envelope, outside, version } = await periodOf(me, budget, THIS)
    expect(envelope?.lines.map(({ name }) => name)).toEqual(['Fun'])
    expect(envelope).toMatchObject({ released: '70.00', assigned: '0.00', toBeBudgeted: '460.00' })
    expect(outside.uncovered).toBe('-10.00')
    expect(version).toBe(3)
    expect((await periodOf(me, budget, NEXT)).envelope?.toBeBudgeted).toBe('460.00')
    const { movements } = await ok(listMovements, {
      as: me,
      id: budget.id,
      query: { kind: 'move' },
    })
    expect(movements.map(({ period, from, to, amount }) => [period, from, to, amount])).toEqual(
      expect.arrayContaining([
        [THIS, food.id, 'pool', '40.00'],
        [NEXT, food.id, 'pool', '5.00'],
      ]),
    )
    const path = { id: budget.id, lineId: food.id }
    expect(await ok(getBudgetLine, { as: me, path })).toMatchObject({
      archivedFrom: THIS,
      scope: { ids: [food.categoryId] },
    })
    expect(refusal(await remove(food))).toEqual([404, 'budgets.lineNotFound'])
    const scope = { kind: 'category' as const, ids: [food.categoryId] }
    await ok(createBudgetLine, { as: me, id: budget.id, json: { name: 'Food', scope } })
  })

  it('gives its categories and its money to another line', async () => {
    const { me, account, budget, food, fun, remove } = await household()
    await remove(food, fun.id)
    expect(await envelopeRow(me, budget, fun, LAST)).toMatchObject({ available: '0.00' })
    expect(await envelopeRow(me, budget, fun, THIS)).toMatchObject({
      ...{ carriedIn: '70.00', assigned: '40.00', activity: '-10.00', available: '100.00' },
    })
    expect(await envelopeRow(me, budget, fun, NEXT)).toMatchObject({ available: '105.00' })
    await book(me, account, { amount: '1.00', date: LAST, categoryId: food.categoryId })
    expect(await envelopeRow(me, budget, food, LAST)).toMatchObject({ activity: '-31.00' })
    expect(await envelopeRow(me, budget, fun, THIS)).toMatchObject({ carriedIn: '69.00' })
  })

  it('gives it to the line that took over from that one, too', async () => {
    const { me, budget, food, fun, remove } = await household()
    const all = await newLine(me, budget, 'All')
    await remove(food, fun.id)
    expect((await remove(fun, all.id)).status).toBe(200)
    expect(await envelopeRow(me, budget, all, THIS)).toMatchObject({
      ...{ carriedIn: '70.00', assigned: '40.00', activity: '-10.00', available: '100.00' },
    })
    expect((await periodOf(me, budget, THIS)).envelope?.toBeBudgeted).toBe('360.00')
  })

  it.each(['Food', 'Fun'])(
    'makes another version of the line that gets the categories of %s',
    async (name) => {
      const { me, budget, food, fun, remove } = await household()
      const [ending, heir] = name === 'Food' ? [food, fun] : [fun, food]
      const path = { id: budget.id, lineId: heir.id }
      const before = await ok(getBudgetLine, { as: me, path })
      await remove(ending, heir.id)
      const after = await ok(getBudgetLine, { as: me, path })
      expect(after.version).toBe(before.version + 1)
      expect(after.scope.ids).toEqual([food.categoryId, fun.categoryId].toSorted())
      const stale = { headers: { 'If-Match': `"${before.version}"` }, json: { note: 'x' } }
      expect((await call(updateBudgetLine, { as: me, path, ...stale })).status).toBe(412)
    },
  )

  it('leaves the past with it when another line gets its categories', async () => {
    const { me, budget, food, fun, remove } = await household()
    const scope = { kind: 'category' as const, ids: [food.categoryId, fun.categoryId] }
    const give = () =>
      ok(updateBudgetLine, { as: me, path: { id: budget.id, lineId: fun.id }, json: { scope } })
    await remove(food, fun.id)
    expect((await give()).scope.ids).toEqual(scope.ids.toSorted())
    expect(await envelopeRow(me, budget, food, LAST)).toMatchObject({ activity: '-30.00' })
    expect(await envelopeRow(me, budget, fun, LAST)).toMatchObject({ activity: '0.00' })
    expect(await envelopeRow(me, budget, fun, THIS)).toMatchObject({ activity: '-10.00' })
  })

  it('leaves it also where it went to the pool', async () => {
    const { me, budget, food, fun, remove } = await household()
    await remove(food)
    const scope = { kind: 'category' as const, ids: [food.categoryId, fun.categoryId] }
    const path = { id: budget.id, lineId: fun.id }
    await ok(updateBudgetLine, { as: me, path, json: { scope } })
    expect(await envelopeRow(me, budget, food, LAST)).toMatchObject({ activity: '-30.00' })
    expect(await envelopeRow(me, budget, fun, LAST)).toMatchObject({ activity: '0.00' })
    expect(await envelopeRow(me, budget, fun, THIS)).toMatchObject({ activity: '-10.00' })
  })

  it('erases a line that nothing was assigned to, and shows those below it where it was', async () => {
    const { me, budget, fun, remove } = await household()
    const below = await newLine(me, budget, 'Cinema', { parentLineId: fun.id })
    const erased = await remove(fun)
    expect([erased.status, erased.body]).toEqual([200, { message: 'The line was deleted.' }])
    const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
    expect(lines.map(({ name }) => name)).toEqual(['Food', 'Cinema'])
    const path = { id: budget.id, lineId: below.id }
    expect((await ok(getBudgetLine, { as: me, path })).parentLineId).toBeNull()
  })

  it('of a limit budget keeps the past and passes categories on, but no limit', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingDate: LAST })
    const budget = await newBudget(me, { mode: 'limit', startsOn: LAST })
    const food = await newLine(me, budget, 'Food', { amount: '100.00' })
    const fun = await newLine(me, budget, 'Fun', { amount: '20.00' })
    for (const date of [LAST, THIS]) {
      await book(me, account, { amount: '7.00', date, categoryId: food.categoryId })
    }
    const path = { id: budget.id, lineId: food.id }
    await ok(deleteBudgetLine, { as: me, path, query: { reassignTo: fun.id } })
    expect(await limitRow(me, budget, food, LAST)).toMatchObject({
      amount: '100.00',
      spent: '7.00',
    })
    expect(await limitRow(me, budget, fun, LAST)).toMatchObject({ spent: '0.00' })
    expect(await limitRow(me, budget, fun, THIS)).toMatchObject({ amount: '20.00', spent: '7.00' })
    expect((await periodOf(me, budget, THIS)).limit?.lines).toHaveLength(1)
  })

  it('is refused for payment lines, unknown targets, old versions and others', async () => {
    const { me, budget, food, fun, remove } = await household()
    await newAccount(me, { type: 'creditCard', creditLimit: '100.00' })
    const { lines } = await ok(listBudgetLines, { as: me, id: budget.id })
    const card = lines.find(({ kind }) => kind === 'cardPayment') ?? { id: '' }
    const other = await newUser()
    const foreign = await call(deleteBudgetLine, {
      as: other,
      path: { id: budget.id, lineId: food.id },
    })
    const answers = [
      await remove(card),
      await remove(food, card.id),
      await remove(food, food.id),
      await remove(food, 'bln_none'),
      await remove({ id: someId('bln') }),
      foreign,
    ]
    expect(answers.map((one) => refusal(one))).toEqual([
      [409, 'budgets.paymentLine'],
      [409, 'budgets.paymentLine', 'reassignTo'],
      [400, 'budgets.unknownLine', 'reassignTo'],
      [400, 'budgets.unknownLine', 'reassignTo'],
      [404, 'budgets.lineNotFound'],
      [404, 'budgets.notFound'],
    ])
    expect((await remove(food, fun.id, { 'If-Match': '"9"' })).status).toBe(412)
    expect((await ok(listBudgetLines, { as: me, id: budget.id })).lines).toEqual(lines)
  })
})
