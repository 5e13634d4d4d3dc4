import { describe, expect, it } from 'vitest'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import {
  archive,
  book,
  change,
  newCategory,
  refusal,
  type TransactionInput,
  tripsOf,
} from './booking.ts'

type Wanted = NonNullable<Parameters<typeof call<typeof createTransactionLink>>[1]>['json'] & object

const link = (as: Principal, { id }: { id: string }, json: Wanted) =>
  call(createTransactionLink, { as, id, json })

/** Clothes and food for 100.00, in these parts or as a whole, and an income of 30.00. */
async function bought(
  wanted: (ids: { clothes: string; food: string }) => Partial<TransactionInput> = ({
    clothes,
  }) => ({ categoryId: clothes }),
  earned: Partial<TransactionInput> = {},
) {
  const me = await newUser()
  const account = await newAccount(me)
  const [clothes, food] = [(await newCategory(me)).id, (await newCategory(me)).id]
  const expense = await book(me, account, { amount: '100', ...wanted({ clothes, food }) })
  const income = await book(me, account, { kind: 'income', amount: '30', ...earned })
  const refundOf = { kind: 'refundOf' as const, transactionId: expense.id }
  return { me, account, clothes, food, expense, income, refundOf }
}

const found = (as: Principal, { id }: { id: string }) => ok(getTransaction, { as, id })

describe('a link of an income to what it pays back', () => {
  it.each(['refundOf', 'reimburses'] as const)('as %s gives it the category', async (kind) => {
    const { me, clothes, expense, income } = await bought()
    const linked = await link(me, income, { kind, transactionId: expense.id, amount: '10' })
    expect([linked.status, tripsOf(linked), linked.body.amount]).toEqual([201, 2, '10.00'])
    expect(await found(me, income)).toMatchObject({
      ...{ categoryId: clothes, splits: [], version: 2, amount: '30.00', netAmount: '20.00' },
    })
    const { versions } = await ok(listTransactionVersions, { as: me, id: income.id })
    expect(versions[0]?.changes).toEqual([{ field: 'categoryId', before: null, after: clothes }])
    expect((await eventsOf(income.id)).map(({ type }) => type)).toEqual([
      ...['transaction.created', 'transaction.updated'],
    ])
    expect((await found(me, expense)).version).toBe(1)
    expect(await differencesOf(me)).toEqual([])
  })

  it('gives it parts of a split expense, in proportion and in order, the rest to the last', async () => {
    const { me, clothes, food, income, refundOf } = await bought(
      (ids) => ({
        splits: [
          { amount: '33.33', categoryId: ids.clothes, note: 'Socks' },
          { amount: '33.33' },
          { amount: '-10', categoryId: ids.food },
          { amount: '43.34', categoryId: ids.food },
        ],
      }),
      { amount: '10.01' },
    )
    await link(me, income, refundOf)
    const { splits, categoryId } = await found(me, income)
    expect(categoryId).toBeNull()
    expect(splits.map((part) => [part.amount, part.categoryId, part.note])).toEqual([
      ['3.03', clothes, null],
      ['3.03', null, null],
      ['3.95', food, null],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('leaves out parts that it is too small for', async () => {
    const { me, food, income, refundOf } = await bought(
      (ids) => ({
        splits: [
          { amount: '1', categoryId: ids.clothes },
          { amount: '99', categoryId: ids.food },
        ],
      }),
      { amount: '0.01' },
    )
    await link(me, income, refundOf)
    expect(await found(me, income)).toMatchObject({ categoryId: food, splits: [] })
    expect(await differencesOf(me)).toEqual([])
  })

  it('gives it the parts in its own currency', async () => {
    const { me, clothes, food, refundOf } = await bought((ids) => ({
      splits: [
        { amount: '25', categoryId: ids.clothes },
        { amount: '75', categoryId: ids.food },
      ],
    }))
    const tokyo = await newAccount(me, { currency: 'JPY' })
    const yen = await book(me, tokyo, { kind: 'income', amount: '5001' })
    await link(me, yen, { ...refundOf, amount: '30' })
    const { splits } = await found(me, yen)
    expect(splits.map((part) => [part.amount, part.categoryId])).toEqual([
      ['1250', clothes],
      ['3751', food],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('gives it a category that was archived since', async () => {
    const { me, clothes, income, refundOf } = await bought()
    await archive({ id: clothes })
    expect((await link(me, income, refundOf)).status).toBe(201)
    expect((await found(me, income)).categoryId).toBe(clothes)
  })

  it.each<[string, Parameters<typeof bought>, Partial<Wanted>]>([
    ['it is told so', [], { setCategory: false }],
    ['the income has parts', [undefined, { splits: [{ amount: '29' }, { amount: '1' }] }], {}],
    ['the expense has no category', [() => ({})], {}],
    [
      'no part of the expense has one',
      [() => ({ splits: [{ amount: '99' }, { amount: '1' }] })],
      {},
    ],
    ['it is neither a refund nor a reimbursement', [], { kind: 'custom' }],
  ])('changes nothing where %s', async (_, books, json) => {
    const { me, income, refundOf } = await bought(...books)
    expect((await link(me, income, { ...refundOf, ...json })).status).toBe(201)
    const { netAmount: _net, ...before } = income
    expect(await found(me, income)).toMatchObject(before)
  })

  it('changes nothing where the income has a category, reconciled or not', async () => {
    const { me, food, income, refundOf } = await bought()
    await change(me, income, { categoryId: food, status: 'reconciled' })
    expect((await link(me, income, refundOf)).status).toBe(201)
    expect(await found(me, income)).toMatchObject({ categoryId: food, version: 2 })
  })

  it('needs force where the income is reconciled and is split, but not for its category', async () => {
    const split = await bought(
      (ids) => ({
        splits: [
          { amount: '50', categoryId: ids.clothes },
          { amount: '50', categoryId: ids.food },
        ],
      }),
      { status: 'reconciled' },
    )
    const refused = await link(split.me, split.income, split.refundOf)
    expect(refusal(refused)).toEqual([409, 'transactions.reconciled'])
    expect((await found(split.me, split.income)).netAmount).toBeNull()
    const forced = await link(split.me, split.income, { ...split.refundOf, force: true })
    expect(forced.status).toBe(201)
    const [, updated] = await eventsOf(split.income.id)
    expect(updated?.content).toMatchObject({ forced: true })
    const { me, clothes, income, refundOf } = await bought(undefined, { status: 'reconciled' })
    expect((await link(me, income, refundOf)).status).toBe(201)
    expect(await found(me, income)).toMatchObject({ categoryId: clothes, status: 'reconciled' })
    const other = await bought(undefined, { status: 'reconciled' })
    const plain = { ...other.refundOf, setCategory: false }
    expect((await link(other.me, other.income, plain)).status).toBe(201)
  })

  it('is for everybody who may describe the transactions, with parts, too', async () => {
    const { me, account, clothes, income, refundOf } = await bought((ids) => ({
      splits: [
        { amount: '50', categoryId: ids.clothes },
        { amount: '50', categoryId: ids.food },
      ],
    }))
    const [friend, viewer] = [await newUser(), await newUser()]
    await share(me, account, friend, { permission: 'annotate' })
    await share(me, account, viewer, { permission: 'view' })
    expect((await link(viewer, income, refundOf)).status).toBe(403)
    expect((await link(await newUser(), income, refundOf)).status).toBe(404)
    expect((await link(friend, income, refundOf)).status).toBe(201)
    expect((await found(me, income)).splits[0]).toMatchObject({
      ...{ amount: '15.00', categoryId: clothes },
    })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is refused where either changes between reading and writing', async () => {
    const { me, food, expense, income, refundOf } = await bought()
    for (const [one, json] of [
      [expense, { categoryId: food }],
      [income, { note: 'x' }],
    ] as const) {
      const service = serviceWith({ meanwhile: () => change(me, one, json) })
      const raced = await service.call(createTransactionLink, {
        ...{ as: me, id: income.id, json: refundOf },
      })
      expect(refusal(raced)).toEqual([409, 'request.conflict'])
    }
    expect(await found(me, income)).toMatchObject({ categoryId: null, netAmount: null, version: 2 })
  })

  it('leaves the category with the income when the expense is deleted', async () => {
    const { me, clothes, expense, income, refundOf } = await bought()
    await link(me, income, refundOf)
    await ok(deleteTransaction, { as: me, id: expense.id })
    expect((await found(me, income)).categoryId).toBe(clothes)
    expect(await differencesOf(me)).toEqual([])
  })
})
