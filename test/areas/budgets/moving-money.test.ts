import { describe, expect, it } from 'vitest'
import {
  holdMoney,
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { updateBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  listMovements,
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import {
  assignTo,
  envelopeRow,
  limitRow,
  newBudget,
  newLine,
  periodOf,
} from './budgets.fixtures.ts'

type MoveInput = NonNullable<NonNullable<Parameters<typeof ok<typeof moveMoney>>[1]>['json']>

const JANUARY = '2026-01-01'

/** 500.00 in the pool, and two lines. */
async function household(wanted: { strict?: boolean } = {}) {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '500.00', openingDate: JANUARY })
  const budget = await newBudget(me, { mode: 'envelope', ...wanted })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  const path = { id: budget.id, period: JANUARY }
  const move = (json: MoveInput) => call(moveMoney, { as: me, path, json })
  const undo = ({ id }: { id: string }) =>
    call(undoMovement, { as: me, path: { id: budget.id, movementId: id } })
  const available = async (line: { id: string }) =>
    (await envelopeRow(me, budget, line, JANUARY)).available
  return { me, account, budget, food, fun, path, move, undo, available }
}

const listed = async (as: TestUser, budget: { id: string }, query: Record<string, string> = {}) => {
  const { movements, count } = await ok(listMovements, { as, id: budget.id, query })
  expect(count).toBe(movements.length)
  return movements
}

describe('setting what is assigned', () => {
  it('writes a movement for each line that changes', async () => {
    const { me, budget, food, fun, path } = await household()
    await assignTo(me, budget, food, JANUARY, '100.00')
    const sent = await call(setAllocations, {
      as: me,
      path,
      json: {
        items: [
          { lineId: food.id, assigned: '80.00' },
          { lineId: fun.id, assigned: '0' },
        ],
      },
    })
    expect([sent.status, tripsOf(sent)]).toEqual([200, 2])
    expect(sent.body).toEqual(await periodOf(me, budget, JANUARY))
    expect(sent.body.envelope).toMatchObject({ assigned: '80.00', toBeBudgeted: '420.00' })
    expect(await listed(me, budget)).toMatchObject([
      { from: food.id, to: 'pool', amount: '20.00', kind: 'assign', actorId: me.id },
      { from: 'pool', to: food.id, amount: '100.00', kind: 'assign', undoneBy: null },
    ])
    const told = await rows<{ type: string }>(
      "SELECT type FROM log_entries WHERE resource_id = ? AND type = 'budget.assigned'",
      budget.id,
    )
    expect(told).toHaveLength(2)
  })

  it('sets the limit of one period, until it is null', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit' })
    const food = await newLine(me, budget, 'Food', { amount: '100.00' })
    const path = { id: budget.id, period: '2026-02-01', lineId: food.id }
    const set = (amount: string | null) => ok(setAllocation, { as: me, path, json: { amount } })
    expect(await set('30.00')).toEqual(await limitRow(me, budget, food, '2026-02-01'))
    expect((await limitRow(me, budget, food, '2026-02-01')).amount).toBe('30.00')
    expect((await limitRow(me, budget, food, '2026-03-01')).amount).toBe('100.00')
    expect(await set(null)).toMatchObject({ amount: '100.00' })
    expect(await listed(me, budget)).toEqual([])
  })

  it('is refused where the budget cannot have it', async () => {
    const { me, budget, food, path } = await household({ strict: true })
    const limits = await newBudget(me, { mode: 'limit' })
    const limit = await newLine(me, limits, 'Other')
    const set = (json: object, more: object = {}) =>
      call(setAllocation, {
        as: me,
        path: { ...path, lineId: food.id, ...more },
        json: json as never,
      })
    const other = await newUser()
    const answers = [
      await set({ assigned: '500.01' }),
      await set({ amount: '1' }),
      await set({ assigned: '1' }, { id: limits.id, lineId: limit.id }),
      await set({ assigned: '1.001' }),
      await set({ assigned: '1' }, { lineId: limit.id }),
      await set({ assigned: '1' }, { period: '2026-01-02' }),
      await set({ assigned: '1' }, { period: `${new Date().getUTCFullYear() + 11}-01-01` }),
      await set({}),
      await call(setAllocation, {
        as: other,
        path: { ...path, lineId: food.id },
        json: { assigned: '1' },
      }),
    ]
    expect(answers.map((one) => refusal(one))).toEqual([
      [409, 'budgets.overAssigned'],
      [409, 'budgets.wrongMode', 'amount'],
      [409, 'budgets.wrongMode', 'assigned'],
      [400, 'money.tooManyDigits', 'assigned'],
      [404, 'budgets.lineNotFound'],
      [404, 'budgets.noSuchPeriod'],
      [409, 'budgets.tooMany'],
      [400, 'request.invalid'],
      [404, 'budgets.notFound'],
    ])
    expect(await listed(me, budget)).toEqual([])
    expect((await periodOf(me, budget, JANUARY)).version).toBe(1)
  })

  it('refuses a stale If-Match and a sum out of range', async () => {
    const { me, food, fun, path } = await household()
    const set = (line: { id: string }, assigned: string, headers = {}) =>
      call(setAllocation, {
        as: me,
        path: { ...path, lineId: line.id },
        json: { assigned },
        headers,
      })
    expect((await set(food, '90071992547409.91')).status).toBe(200)
    expect(refusal(await set(fun, '1.00'))).toEqual([409, 'ledger.outOfRange'])
    expect((await set(food, '1.00', { 'If-Match': '"1"' })).status).toBe(412)
  })

  it('asks a strict budget for later periods, too', async () => {
    const { me, budget, food } = await household({ strict: true })
    await assignTo(me, budget, food, '2026-03-01', '450.00')
    const refused = await call(setAllocation, {
      as: me,
      path: { id: budget.id, period: JANUARY, lineId: food.id },
      json: { assigned: '50.01' },
    })
    expect(refusal(refused)).toEqual([409, 'budgets.overAssigned'])
    await assignTo(me, budget, food, JANUARY, '50.00')
    expect((await periodOf(me, budget, JANUARY)).envelope).toMatchObject({ free: '0.00' })
  })
})

describe('moving money', () => {
  it('takes it from a line or from the pool, as long as that has enough', async () => {
    const { me, budget, food, fun, move, available } = await household()
    const first = await move({ from: 'pool', to: food.id, amount: '100.00', note: 'Start' })
    expect([first.status, tripsOf(first)]).toEqual([201, 2])
    expect(first.body).toMatchObject({ from: 'pool', to: food.id, kind: 'move', note: 'Start' })
    expect(refusal(await move({ from: food.id, to: fun.id, amount: '100.01' }))).toEqual([
      409,
      'budgets.notEnough',
    ])
    expect(refusal(await move({ from: 'pool', to: fun.id, amount: '400.01' }))).toEqual([
      409,
      'budgets.notEnough',
    ])
    await move({ from: food.id, to: fun.id, amount: '100.01', allowNegative: true })
    expect([await available(food), await available(fun)]).toEqual(['-0.01', '100.01'])
    expect((await periodOf(me, budget, JANUARY)).envelope?.toBeBudgeted).toBe('400.00')
  })

  it('covers what is negative, and nothing else', async () => {
    const { me, account, food, fun, move, undo, available } = await household()
    await move({ from: 'pool', to: fun.id, amount: '60.00' })
    await book(me, account, { amount: '45.00', date: '2026-01-09', categoryId: food.categoryId })
    const covered = await move({ from: fun.id, to: food.id, toCover: true })
    expect(covered.body).toMatchObject({ amount: '45.00', kind: 'cover' })
    expect([await available(food), await available(fun)]).toEqual(['0.00', '15.00'])
    expect(refusal(await move({ from: fun.id, to: food.id, toCover: true }))).toEqual([
      409,
      'budgets.nothingToCover',
    ])
    expect((await undo(covered.body)).status).toBe(201)
    expect([await available(food), await available(fun)]).toEqual(['-45.00', '60.00'])
  })

  it('covers as much as there is, if asked', async () => {
    const { me, account, food, fun, move, available } = await household()
    await move({ from: 'pool', to: fun.id, amount: '20.00' })
    await book(me, account, { amount: '45.00', date: '2026-01-09', categoryId: food.categoryId })
    const cover = (more: object) => move({ from: fun.id, to: food.id, toCover: true, ...more })
    expect(refusal(await cover({}))).toEqual([409, 'budgets.notEnough'])
    const partial = { partial: true } as const
    expect((await cover(partial)).body).toMatchObject({ amount: '20.00', kind: 'cover' })
    expect([await available(food), await available(fun)]).toEqual(['-25.00', '0.00'])
    // There is nothing left to cover with.
    expect(refusal(await cover(partial))).toEqual([409, 'budgets.notEnough'])
    expect(
      (await move({ from: 'pool', to: food.id, toCover: true, ...partial })).body,
    ).toMatchObject({
      amount: '25.00',
    })
    expect(refusal(await move({ from: fun.id, to: food.id, amount: '1', ...partial }))).toEqual([
      ...[400, 'request.invalid', 'partial'],
    ])
  })

  it('is refused within one line, in a limit budget, and for amounts that are none', async () => {
    const { me, food, fun, move } = await household()
    const limits = await newBudget(me, { mode: 'limit' })
    const limit = await newLine(me, limits, 'Other')
    const path = { id: limits.id, period: JANUARY }
    const answers = [
      await move({ from: food.id, to: food.id, amount: '1' }),
      await move({ from: food.id, to: fun.id }),
      await move({ from: food.id, to: fun.id, amount: '0' }),
      await move({ from: 'pool', to: limit.id, amount: '1' }),
      await call(moveMoney, {
        as: me,
        path,
        json: { from: 'pool', to: limit.id, amount: '1' },
      }),
    ]
    expect(answers.map((one) => refusal(one).slice(0, 2))).toEqual([
      [400, 'request.invalid'],
      [400, 'request.invalid'],
      [400, 'money.zero'],
      [400, 'budgets.unknownLine'],
      [409, 'budgets.wrongMode'],
    ])
  })
})

describe('undoing a movement', () => {
  it('moves the money back, once', async () => {
    const { me, budget, food, move, undo, available } = await household()
    const { body } = await move({ from: 'pool', to: food.id, amount: '100.00' })
    const undone = await undo(body)
    expect(undone.body).toMatchObject({ from: food.id, to: 'pool', amount: '100.00', kind: 'undo' })
    expect(await available(food)).toBe('0.00')
    expect(refusal(await undo(body))).toEqual([409, 'budgets.nothingToUndo'])
    expect(await listed(me, budget)).toMatchObject([
      { id: undone.body.id, undoneBy: null },
      { id: body.id, undoneBy: undone.body.id },
    ])
    expect(await listed(me, budget, { kind: 'undo' })).toHaveLength(1)
    expect(await listed(me, budget, { period: '2026-02-01' })).toEqual([])
  })

  it('is refused where the line gave the money away since, and to others', async () => {
    const { me, budget, food, fun, move, undo } = await household()
    const { body } = await move({ from: 'pool', to: food.id, amount: '100.00' })
    await move({ from: food.id, to: fun.id, amount: '30.00' })
    expect(refusal(await undo(body))).toEqual([409, 'budgets.nothingToUndo'])
    expect(await listed(me, budget, { lineId: fun.id })).toHaveLength(1)
    const other = await newUser()
    const path = { id: budget.id, movementId: body.id }
    expect((await call(undoMovement, { as: other, path })).status).toBe(404)
    expect((await call(listMovements, { as: other, id: budget.id })).status).toBe(404)
    const none = await undo({ id: someId('bmv') })
    expect(refusal(none)).toEqual([404, 'budgets.movementNotFound'])
  })
})

describe('undoing a movement of a period that the budget had', () => {
  it('is refused', async () => {
    const { me, budget, food, move, undo } = await household()
    const { body } = await move({ from: 'pool', to: food.id, amount: '100.00' })
    await ok(updateBudget, { as: me, id: budget.id, json: { startsOn: '2026-02-15' } })
    expect(refusal(await undo(body))).toEqual([409, 'budgets.nothingToUndo'])
    await ok(updateBudget, { as: me, id: budget.id, json: { startsOn: JANUARY } })
    expect((await undo(body)).status).toBe(201)
  })
})

describe('holding money', () => {
  it('gives it to the next period, and takes no more than there is', async () => {
    const { me, budget, path } = await household()
    const hold = (amount: string, more = {}) =>
      call(holdMoney, { as: me, path, json: { amount, ...more } })
    expect((await hold('120.00')).body).toEqual(await periodOf(me, budget, JANUARY))
    expect((await periodOf(me, budget, '2026-02-01')).envelope).toMatchObject({
      fromBefore: '500.00',
      toBeBudgeted: '500.00',
    })
    expect(refusal(await hold('500.01'))).toEqual([409, 'budgets.notEnough'])
    expect((await hold('500.01', { allowNegative: true })).body.envelope).toMatchObject({
      held: '500.01',
      toBeBudgeted: '-0.01',
    })
    expect((await hold('0')).body.envelope).toMatchObject({ held: '0.00', toBeBudgeted: '500.00' })
    expect(refusal(await hold('-1'))).toEqual([400, 'money.negative', 'amount'])
  })
})

describe('in parallel', () => {
  const counted = (answers: { status: number; error?: { code: string } }[]) => {
    const refused = answers.filter(({ status }) => status >= 400)
    const codes = new Set(refused.map((one) => one.error?.code))
    expect([...codes].toSorted()).toEqual(
      [...codes]
        .filter((code) => ['budgets.changedMeanwhile', 'budgets.notEnough'].includes(code ?? ''))
        .toSorted(),
    )
    return answers.length - refused.length
  }

  it('assignments lose no unit and make none', async () => {
    const { me, budget, food, fun, path } = await household()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        call(setAllocation, {
          as: me,
          path: { ...path, lineId: at % 2 === 0 ? food.id : fun.id },
          json: { assigned: `${at + 1}.00` },
        }),
      ),
    )
    expect(counted(answers)).toBeGreaterThan(0)
    const { envelope } = await periodOf(me, budget, JANUARY)
    const net = new Map([food, fun].map(({ id }) => [id, 0]))
    for (const { from, to, amount } of await listed(me, budget)) {
      net.set(from, (net.get(from) ?? 0) - Number(amount))
      net.set(to, (net.get(to) ?? 0) + Number(amount))
    }
    for (const { lineId, assigned } of envelope?.lines ?? []) {
      expect(assigned).toBe(net.get(lineId)?.toFixed(2))
    }
    expect(Number(envelope?.assigned) + Number(envelope?.toBeBudgeted)).toBe(500)
  })
})
