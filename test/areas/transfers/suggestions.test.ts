import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  dismissTransferSuggestion,
  suggestTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import {
  book,
  close,
  newCategory,
  refusal,
  type TransactionInput,
} from '../transactions/booking.ts'
import { match } from './matched.ts'
import { newBooks } from './moving.ts'

const WINDOW = { from: '2026-11-01', to: '2026-12-31' }

const suggested = (as: Principal, query: object = {}) =>
  ok(suggestTransfers, { as, query: { ...WINDOW, ...query } })

/** Two accounts with names that banks write, and one in yen. */
async function newNamed() {
  const me = await newUser()
  const one = await newAccount(me, { name: 'Everyday' })
  const two = await newAccount(me, { name: 'Rainy day' })
  return {
    me,
    one,
    two,
    out: (wanted: Partial<TransactionInput> = {}) => book(me, one, { amount: '50', ...wanted }),
    into: (wanted: Partial<TransactionInput> = {}) =>
      book(me, two, { kind: 'income', amount: '50', ...wanted }),
  }
}

describe('suggesting transfers', () => {
  it('pairs what left one account with what arrived in another, in one trip', async () => {
    const { me, out, into } = await newNamed()
    const [from, to] = [await out(), await into()]
    const { status, body, headers } = await call(suggestTransfers, { as: me, query: WINDOW })
    expect([status, costOf(headers).trips]).toEqual([200, 1])
    expect(body).toEqual({
      suggestions: [
        {
          from,
          to,
          splitId: null,
          score: 0.7,
          reasons: ['sameAmount', 'sameDay', 'uncategorised'],
        },
      ],
      count: 1,
      truncated: false,
    })
  })

  it('weighs days, words and categories', async () => {
    const { me, out, into } = await newNamed()
    const food = await newCategory(me)
    const cases: [
      string,
      Partial<TransactionInput>,
      Partial<TransactionInput>,
      number,
      string[],
    ][] = [
      [
        '1',
        { description: 'Transfer to RAINY  DAY' },
        {},
        1,
        ['sameAmount', 'sameDay', 'mentionsTransfer', 'mentionsAccount', 'uncategorised'],
      ],
      [
        '2',
        {},
        { payeeRaw: 'ÜBERWEISUNG 17', date: '2026-11-22' },
        0.82,
        ['sameAmount', 'closeDays', 'mentionsTransfer', 'uncategorised'],
      ],
      ['3', { categoryId: food.id }, { date: '2026-11-25' }, 0.53, ['sameAmount']],
    ]
    for (const [amount, one, other, score, reasons] of cases) {
      await out({ amount, ...one })
      await into({ amount, ...other })
      const { suggestions } = await suggested(me)
      const found = suggestions.find((pair) => pair.from.amount === `${amount}.00`)
      expect([found?.score, found?.reasons], amount).toEqual([score, reasons])
    }
    const { suggestions } = await suggested(me)
    expect(suggestions.map(({ score }) => score)).toEqual([1, 0.82, 0.53])
    expect((await suggested(me, { limit: 1 })).count).toBe(1)
  })

  it('takes each row once, with the partner that fits best', async () => {
    const { me, out, into } = await newNamed()
    const [from, far, near] = [
      await out(),
      await into({ date: '2026-11-22' }),
      await into({ date: '2026-11-21' }),
    ]
    const pairs = async () =>
      (await suggested(me)).suggestions.map((pair) => [pair.from.id, pair.to.id])
    expect(await pairs()).toEqual([[from.id, near.id]])
    const json = { transactionIds: [near.id, from.id] }
    await ok(dismissTransferSuggestion, { as: me, json })
    expect(await pairs()).toEqual([[from.id, far.id]])
  })

  it('leaves out what cannot be one transfer', async () => {
    const { me, one, two, out, into } = await newNamed()
    const { me: other, move } = await newBooks()
    await move()
    expect((await suggested(other)).count).toBe(0)
    await out({ status: 'void' })
    await into({ date: '2026-11-26' })
    await book(me, one, { kind: 'income', amount: '50' })
    await out({ kind: 'adjustment', amount: '-7' })
    await into({ amount: '7' })
    await out({ amount: '8', splits: [{ amount: '3' }, { amount: '5' }] })
    await into({ amount: '8' })
    const yen = await newAccount(me, { currency: 'JPY' })
    await out({ amount: '9' })
    await book(me, yen, { kind: 'income', amount: '900' })
    await out({ amount: '10', date: '2026-10-31' })
    await into({ amount: '10', date: '2026-11-01' })
    expect(await suggested(me)).toEqual({ suggestions: [], count: 0, truncated: false })
    const [from, to] = [await out({ amount: '11' }), await into({ amount: '11' })]
    await match(me, from, to)
    expect((await suggested(me)).count).toBe(0)
    await out({ amount: '12' })
    await into({ amount: '12' })
    expect((await suggested(me)).count).toBe(1)
    await close(two)
    expect((await suggested(me)).count).toBe(0)
  })

  it('looks as far as it is told', async () => {
    const { me, out, into } = await newNamed()
    await out()
    await into({ date: '2026-11-26' })
    expect((await suggested(me, { days: 5 })).count).toBe(0)
    expect((await suggested(me, { days: 6 })).count).toBe(1)
    expect((await suggested(me, { days: 14, to: '2026-11-25' })).count).toBe(0)
    const today = new Date().toISOString().slice(0, 10)
    await out({ amount: '3', date: today })
    await into({ amount: '3', date: today })
    const { suggestions } = await ok(suggestTransfers, { as: me })
    expect(suggestions.some(({ from }) => from.amount === '3.00')).toBe(true)
  })

  it.each([
    [{ days: '0' }, 'days'],
    [{ days: '15' }, 'days'],
    [{ days: '1.5' }, 'days'],
    [{ limit: '101' }, 'limit'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'to'],
    [{ from: '2020-01-01', to: '2026-02-01' }, 'from'],
    [{ from: '2026-13-01' }, 'from'],
    [{ nonsense: 'x' }, 'nonsense'],
  ])('refuses %o', async (query: Record<string, string>, field) => {
    const { status, error } = await call(suggestTransfers, { as: await newUser(), query })
    expect([status, error.field]).toEqual([400, field])
  })

  it('shows nobody else, and a token nothing of the accounts that it does not see', async () => {
    const { me, one, two, out, into } = await newNamed()
    await out()
    await into()
    expect((await suggested(await newUser())).count).toBe(0)
    const token = async (accountIds: string[]) => {
      const json = { name: 'T', scopes: ['transfers.read' as const], accountIds }
      return { accessToken: (await ok(createAccessToken, { as: me, json })).token }
    }
    expect((await suggested(await token([one.id]))).count).toBe(0)
    expect((await suggested(await token([one.id, two.id]))).count).toBe(1)
  })
})

describe('dismissing a suggestion', () => {
  const dismiss = (as: Principal, ...transactionIds: string[]) =>
    call(dismissTransferSuggestion, { as, json: { transactionIds } })

  it('ends it for good, however often and in whatever order', async () => {
    const { me, out, into } = await newNamed()
    const [from, to] = [await out(), await into()]
    for (const ids of [
      [from.id, to.id],
      [to.id, from.id],
      [from.id, to.id],
    ]) {
      const answer = await dismiss(me, ...ids)
      expect([answer.status, costOf(answer.headers).trips]).toEqual([200, 2])
    }
    expect((await suggested(me)).count).toBe(0)
    const logged = await rows<{ resource_id: string | null; content: string }>(
      "SELECT resource_id, content FROM log_entries WHERE owner_id = ? AND type = 'transaction.pairDismissed'",
      me.id,
    )
    expect(logged.map((one) => ({ ...one, content: JSON.parse(one.content) }))).toEqual(
      Array.from({ length: 3 }, () => ({
        resource_id: null,
        content: { kind: 'transfer', transactionIds: [from.id, to.id].toSorted() },
      })),
    )
    expect((await match(me, from, to)).status).toBe(201)
  })

  it('knows no rows of others, and none that are no pair', async () => {
    const { me, out, into } = await newNamed()
    const [from, to] = [await out(), await into()]
    const stranger = await newUser()
    const own = await book(stranger, await newAccount(stranger))
    const unknown = (at: number) => [400, 'transfers.unknownTransaction', `transactionIds.${at}`]
    expect(refusal(await dismiss(stranger, from.id, to.id))).toEqual(unknown(0))
    expect(refusal(await dismiss(stranger, own.id, to.id))).toEqual(unknown(1))
    const unfit = (at: number) => [409, 'transfers.notMatchable', `transactionIds.${at}`]
    expect(refusal(await dismiss(me, from.id, from.id))).toEqual(unfit(1))
    const { body } = await match(me, from, to)
    expect(refusal(await dismiss(me, body.from.id, body.to.id))).toEqual(unfit(0))
    expect(refusal(await dismiss(me, from.id))).toEqual([400, 'request.invalid', 'transactionIds'])
    expect((await dismiss(me, from.id, to.id)).status).toBe(400)
  })
})
