import { describe, expect, it } from 'vitest'
import {
  dismissTransferSuggestion,
  suggestTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory, type TransactionInput } from '../transactions/booking.ts'
import { matched, unmatch } from '../transactions/matched-parts.fixtures.ts'

const WINDOW = { from: '2026-11-01', to: '2026-12-31' }

const suggested = async (as: Principal, query: object = {}) => {
  const answer = await call(suggestTransfers, { as, query: { ...WINDOW, ...query } })
  expect([answer.status, costOf(answer.headers).trips]).toEqual([200, 1])
  return answer.body.suggestions.map(({ from, to, splitId, score }) => [
    ...[from.id, to.id, splitId, score],
  ])
}

async function newReceipt(wanted: Partial<TransactionInput> = {}) {
  const me = await newUser()
  const [one, two] = [
    await newAccount(me, { name: 'Everyday' }),
    await newAccount(me, { name: 'Wallet' }),
  ]
  const whole = await book(me, one, {
    amount: '37',
    splits: [{ amount: '7' }, { amount: '30' }],
    ...wanted,
  })
  return { me, one, two, whole, part: whole.splits.at(-1)?.id }
}

describe('suggesting transfers of parts', () => {
  it('pairs a part with what arrived on another account', async () => {
    const { me, two, whole, part } = await newReceipt()
    const row = await book(me, two, { kind: 'income', amount: '30', date: '2026-11-22' })
    await book(me, two, { kind: 'income', amount: '30.01' })
    await book(me, two, { kind: 'expense', amount: '30' })
    expect(await suggested(me)).toEqual([[whole.id, row.id, part, 0.67]])
    await matched(me, whole, whole.splits[1], row)
    expect(await suggested(me)).toEqual([])
    await unmatch(me, whole, whole.splits[1])
    expect(await suggested(me)).toEqual([[whole.id, row.id, part, 0.67]])
  })

  it('knows from which side the money went', async () => {
    const { me, two, whole, part } = await newReceipt({
      kind: 'income',
      amount: '2400',
      splits: [{ amount: '2700' }, { amount: '-300' }],
    })
    const pension = await book(me, two, { kind: 'income', amount: '300' })
    expect(await suggested(me)).toEqual([[whole.id, pension.id, part, 0.7]])
    const paid = await book(me, two, { amount: '2700' })
    expect((await suggested(me)).toSorted()).toEqual(
      [
        [whole.id, pension.id, part, 0.7],
        [paid.id, whole.id, whole.splits[0]?.id, 0.7],
      ].toSorted(),
    )
  })

  it('looks at the category of the part alone', async () => {
    const { me, two } = await newReceipt()
    const other = await newAccount(me)
    const food = await newCategory(me)
    const whole = await book(me, other, {
      amount: '50',
      splits: [{ amount: '8', categoryId: food.id }, { amount: '42' }],
    })
    const row = await book(me, two, { kind: 'income', amount: '42' })
    expect(await suggested(me)).toEqual([[whole.id, row.id, whole.splits[1]?.id, 0.7]])
  })

  it('offers a part that is a transfer to rows of its account alone', async () => {
    const { me, two } = await newReceipt()
    const [from, other] = [await newAccount(me), await newAccount(me)]
    const whole = await book(me, from, {
      amount: '50',
      splits: [{ amount: '9' }, { amount: '41', transferAccountId: two.id }],
    })
    await book(me, other, { kind: 'income', amount: '41' })
    expect(await suggested(me)).toEqual([])
    const row = await book(me, two, { kind: 'income', amount: '41' })
    expect(await suggested(me)).toEqual([[whole.id, row.id, whole.splits[1]?.id, 0.7]])
    await matched(me, whole, whole.splits[1], row)
    expect(await suggested(me)).toEqual([])
  })

  it('leaves out what is void, split, far away, dismissed or in another currency', async () => {
    const { me, two, whole, part } = await newReceipt()
    const yen = await newAccount(me, { currency: 'JPY' })
    await book(me, yen, { kind: 'income', amount: '30' })
    await book(me, two, { kind: 'income', amount: '30', status: 'void' })
    await book(me, two, { kind: 'income', amount: '30', date: '2026-12-20' })
    await book(me, two, {
      kind: 'income',
      amount: '30',
      splits: [{ amount: '10' }, { amount: '20' }],
    })
    expect(await suggested(me)).toEqual([])
    const row = await book(me, two, { kind: 'income', amount: '30' })
    expect(await suggested(me)).toEqual([[whole.id, row.id, part, 0.7]])
    const json = { transactionIds: [whole.id, row.id] }
    await ok(dismissTransferSuggestion, { as: me, json })
    expect(await suggested(me)).toEqual([])
  })

  it('tells each row and each part once, and of own accounts alone', async () => {
    const { me, one, two, whole } = await newReceipt({
      amount: '60',
      splits: [{ amount: '30' }, { amount: '30' }],
    })
    const [first, second] = [
      await book(me, two, { kind: 'income', amount: '30' }),
      await book(me, two, { kind: 'income', amount: '30', date: '2026-11-21' }),
    ]
    const found = await suggested(me)
    expect(found.map(([, to]) => to).toSorted()).toEqual([first.id, second.id])
    expect(found.map(([, , part]) => part).toSorted()).toEqual(whole.splits.map(({ id }) => id))
    const friend = await newUser()
    await share(me, one, friend, { permission: 'write' })
    await share(me, two, friend, { permission: 'write' })
    expect(await suggested(friend)).toEqual([])
  })
})
