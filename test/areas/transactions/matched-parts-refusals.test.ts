import { describe, expect, it } from 'vitest'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { mergeCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { updateExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  matchSplit,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { stored } from '../transfers/matched.ts'
import {
  balanceOf,
  book,
  change,
  close,
  expenseOn,
  newCategory,
  refusal,
  type TransactionInput,
} from './booking.ts'
import { match, matched, newReceipt, unmatch } from './matched-parts.fixtures.ts'

type Receipt = Awaited<ReturnType<typeof newReceipt>>

const UNFIT = [409, 'transactions.partNotMatchable', 'transactionId']
const NOBODY = 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5'

/** Another row of the wallet, as wanted. */
const rowOf = async ({ me, wallet }: Receipt, wanted: Partial<TransactionInput>) =>
  (await book(me, wallet, { kind: 'income', amount: '30', ...wanted })).id

describe('matching a part', () => {
  it.each<[string, (receipt: Receipt) => Promise<string>, (string | number)[]]>([
    [
      'what is not there',
      () => Promise.resolve(NOBODY),
      [400, 'transactions.unknownTransaction', 'transactionId'],
    ],
    ['itself', async ({ whole }) => whole.id, UNFIT],
    [
      'a row of its own account',
      async ({ me, everyday }) => (await book(me, everyday, { kind: 'income', amount: '30' })).id,
      UNFIT,
    ],
    ['another amount', (receipt) => rowOf(receipt, { amount: '30.01' }), UNFIT],
    ['the same direction', (receipt) => rowOf(receipt, { kind: 'expense' }), UNFIT],
    ['an adjustment', (receipt) => rowOf(receipt, { kind: 'adjustment' }), UNFIT],
    ['what is void', (receipt) => rowOf(receipt, { status: 'void' }), UNFIT],
    [
      'what is split',
      (receipt) => rowOf(receipt, { splits: [{ amount: '10' }, { amount: '20' }] }),
      UNFIT,
    ],
    ['what is private', (receipt) => rowOf(receipt, { private: true }), UNFIT],
    [
      'a side of a transfer',
      async ({ me, everyday, wallet }) => {
        const json = {
          ...{ fromAccountId: everyday.id, toAccountId: wallet.id },
          ...{ date: '2026-11-20', amount: '30' },
        }
        return (await ok(createTransfer, { as: me, json })).to.id
      },
      UNFIT,
    ],
    [
      'the other side of a part',
      async ({ me, everyday, wallet }) => {
        const splits = [{ amount: '5' }, { amount: '30', transferAccountId: wallet.id }]
        const { id } = await book(me, everyday, { amount: '35', splits })
        return `${id}-4`
      },
      UNFIT,
    ],
  ])('refuses %s', async (_, make, refused) => {
    const receipt = await newReceipt()
    const { me, whole, part } = receipt
    const transactionId = await make(receipt)
    const before = await stored(me)
    const answer = await match(me, whole, part, { transactionId })
    expect(refusal(answer)).toEqual(refused)
    expect(await stored(me)).toEqual(before)
  })

  it('refuses transactions and parts that are not there, and other sides', async () => {
    const { me, whole, part, bought, row } = await newReceipt()
    const json = { transactionId: row.id }
    const missing = [404, 'transactions.splitNotFound']
    expect(refusal(await match(me, { id: NOBODY }, part, json))).toEqual([
      ...[404, 'transactions.notFound'],
    ])
    expect(refusal(await match(me, row, part, json))).toEqual(missing)
    for (const line of [1, 9]) {
      const none = { id: `spl_${whole.id.slice(4)}-${line}` }
      expect(refusal(await match(me, whole, none, json)), none.id).toEqual(missing)
      expect(refusal(await unmatch(me, whole, none)), none.id).toEqual(missing)
    }
    expect(refusal(await unmatch(me, { id: NOBODY }, part))).toEqual([404, 'transactions.notFound'])
    const unfit = [409, 'transactions.partNotMatchable']
    expect(refusal(await unmatch(me, whole, part))).toEqual(unfit)
    await matched(me, whole, part, row)
    const leg = { id: `${whole.id}-4` }
    expect(refusal(await match(me, leg, part, json))).toEqual([409, 'transactions.partLeg'])
    expect(refusal(await unmatch(me, leg, part))).toEqual([409, 'transactions.partLeg'])
    expect(refusal(await unmatch(me, whole, bought))).toEqual(unfit)
    // The line of a leg is no part.
    const line = { id: `spl_${whole.id.slice(4)}-4` }
    expect(refusal(await unmatch(me, whole, line))).toEqual(missing)
    const other = await book(me, { id: row.accountId }, { kind: 'income', amount: '30' })
    expect(refusal(await match(me, whole, part, { transactionId: other.id }))).toEqual(unfit)
  })

  it('refuses a transfer with another account, a void whole and a closed account', async () => {
    const { me, everyday, wallet, whole, part, row } = await newReceipt()
    const other = await newAccount(me)
    const moved = await book(me, everyday, {
      amount: '35',
      splits: [{ amount: '5' }, { amount: '30', transferAccountId: other.id }],
    })
    expect(refusal(await match(me, moved, moved.splits[1], { transactionId: row.id }))).toEqual(
      UNFIT,
    )
    await change(me, whole, { status: 'void' })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual([
      ...[409, 'transactions.partNotMatchable'],
    ])
    await change(me, whole, { status: 'cleared' })
    await close(wallet)
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual([
      ...[409, 'transactions.accountClosed'],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses the twenty-first transfer', async () => {
    const { me, everyday, wallet, row } = await newReceipt()
    const splits = Array.from({ length: 20 }, () => ({
      ...{ amount: '1', transferAccountId: wallet.id },
    }))
    const whole = await book(me, everyday, { amount: '50', splits: [...splits, { amount: '30' }] })
    const answer = await match(me, whole, whole.splits[20], { transactionId: row.id })
    expect(refusal(answer)).toEqual([409, 'transactions.tooManyTransferParts'])
  })

  it('needs force where something is reconciled', async () => {
    const { me, everyday, whole, part, row } = await newReceipt()
    const refused = [409, 'transactions.reconciled']
    await change(me, row, { status: 'reconciled' })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual(refused)
    await change(me, row, { status: 'cleared', force: true })
    await change(me, whole, { status: 'reconciled' })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual(refused)
    expect((await match(me, whole, part, { transactionId: row.id, force: true })).status).toBe(200)
    expect(refusal(await unmatch(me, whole, part))).toEqual(refused)
    expect((await unmatch(me, whole, part, { force: 'true' })).status).toBe(200)
    expect(await balanceOf(me, everyday)).toBe('-37.00')
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('leaves enough for what is linked', async () => {
    const { me, everyday, whole, part, row } = await newReceipt()
    const refund = await book(me, everyday, { kind: 'income', amount: '20' })
    const json = { kind: 'refundOf' as const, transactionId: whole.id, amount: '20' }
    await ok(createTransactionLink, { as: me, id: refund.id, json })
    expect(refusal(await match(me, whole, part, { transactionId: row.id }))).toEqual([
      ...[409, 'transactions.linkedAmount'],
    ])
  })

  it('comes back with no less than is linked with the row', async () => {
    const { me, wallet, whole, bought, part, row } = await newReceipt()
    const bill = await book(me, wallet, { amount: '30' })
    const json = { kind: 'reimburses' as const, transactionId: bill.id, amount: '30' }
    await ok(createTransactionLink, { as: me, id: row.id, json })
    const net = async () => (await ok(getTransaction, { as: me, id: bill.id })).netAmount
    expect(await net()).toBe('0.00')
    await matched(me, whole, part, row)
    expect(await net()).toBeNull()
    const splits = (amount: string) => [
      { id: bought?.id, amount: '7' },
      { id: part?.id, amount },
    ]
    await change(me, whole, { amount: '36', splits: splits('29') })
    expect(refusal(await unmatch(me, whole, part))).toEqual([409, 'transactions.linkedAmount'])
    await change(me, whole, { amount: '37', splits: splits('30') })
    const { body } = await unmatch(me, whole, part)
    expect(body.restored).toEqual(await ok(getTransaction, { as: me, id: row.id }))
    expect(await net()).toBe('0.00')
  })
})

describe('a part that was matched', () => {
  it('stays a transfer with that account, in that direction', async () => {
    const { me, whole, bought, part, row } = await newReceipt()
    const other = await newAccount(me)
    await matched(me, whole, part, row)
    const before = await stored(me)
    const refused = [409, 'transactions.partMatched']
    const path = { id: whole.id, lineId: part?.id ?? '' }
    for (const transferAccountId of [null, other.id]) {
      const answer = await call(updateSplit, { as: me, path, json: { transferAccountId } })
      expect(refusal(answer)).toEqual(refused)
    }
    const kept = { id: bought?.id, amount: '7' }
    const json = { splits: [kept, { amount: '30' }] }
    const { id } = whole
    for (const operation of [replaceSplits, updateTransaction, updateExpense]) {
      expect(refusal(await call(operation, { as: me, id, json }))).toEqual(refused)
    }
    const turned = [
      { id: bought?.id, amount: '67' },
      { id: part?.id, amount: '-30' },
    ]
    expect(refusal(await change(me, whole, { splits: turned }))).toEqual(refused)
    expect(await stored(me)).toEqual(before)
    await change(me, whole, { status: 'void' })
    expect(refusal(await unmatch(me, whole, part))).toEqual([
      ...[409, 'transactions.partNotMatchable'],
    ])
    await change(me, whole, { status: 'cleared' })
    expect((await unmatch(me, whole, part)).status).toBe(200)
    expect(await differencesOf(me)).toEqual([])
  })

  it('is not unmatched where its earlier id of the bank was used again', async () => {
    const { me, wallet, whole, part, row } = await newReceipt()
    const extra = await newAccount(me)
    await matched(me, whole, part, row)
    const second = await book(me, wallet, { kind: 'income', amount: '30', externalId: 'in-2' })
    // The leg that was matched gives its id to the transaction that keeps it.
    const { body } = await unmatch(me, whole, part)
    expect(body.restored.externalId).toBe('in-1')
    const path = { id: whole.id, lineId: part?.id ?? '' }
    await ok(updateSplit, { as: me, path, json: { transferAccountId: wallet.id } })
    await matched(me, whole, part, row)
    expect(await differencesOf(me)).toEqual([])
    expect([second.externalId, extra.currency]).toEqual(['in-2', 'EUR'])
  })

  it('gets the category back that took the place of its own, and none that is gone', async () => {
    const { me, groceries, salary, whole, part, row } = await newReceipt()
    await matched(me, whole, part, row)
    const path = { id: whole.id, lineId: part?.id ?? '' }
    const food = await newCategory(me)
    await ok(mergeCategory, { as: me, id: food.id, json: { categoryId: groceries.id } })
    const { body } = await unmatch(me, whole, part)
    expect(body.transaction.splits[1]?.categoryId).toBe(food.id)
    expect(body.restored.categoryId).toBe(salary.id)
    await matched(me, whole, part, row)
    await ok(updateSplit, { as: me, path, json: { categoryId: null } })
    expect((await unmatch(me, whole, part)).body.transaction.splits[1]?.categoryId).toBeNull()
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('follows a merge of categories for incomes, which it has none of meanwhile', async () => {
    const { me, everyday, wallet, salary } = await newReceipt()
    const whole = await book(me, everyday, {
      kind: 'income',
      amount: '50',
      splits: [{ amount: '20' }, { amount: '30', categoryId: salary.id }],
    })
    const row = await book(me, wallet, { amount: '30' })
    const [, part] = whole.splits
    await matched(me, whole, part, row)
    const wages = await newCategory(me, 'income')
    await ok(mergeCategory, { as: me, id: wages.id, json: { categoryId: salary.id } })
    const { body } = await unmatch(me, whole, part)
    expect(body.transaction.splits[1]?.categoryId).toBe(wages.id)
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })
})

describe('two at once', () => {
  it('match one part with one of two rows', async () => {
    const { me, wallet, whole, part, row } = await newReceipt()
    const other = await book(me, wallet, { kind: 'income', amount: '30' })
    const answers = await Promise.all(
      [row, other, row, other].map(({ id }) => match(me, whole, part, { transactionId: id })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await balanceOf(me, wallet)).toBe('60.00')
    expect(await differencesOf(me)).toEqual([])
    const backs = await Promise.all([1, 2, 3].map(() => unmatch(me, whole, part)))
    expect(backs.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await balanceOf(me, wallet)).toBe('60.00')
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('match one row with one of two parts', async () => {
    const { me, everyday, wallet, row } = await newReceipt()
    const whole = await book(me, everyday, {
      amount: '60',
      splits: [{ amount: '30' }, { amount: '30' }],
    })
    const answers = await Promise.all(
      whole.splits.map((one) => match(me, whole, one, { transactionId: row.id })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await balanceOf(me, wallet)).toBe('30.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('match it and delete the whole, or the row', async () => {
    for (const which of ['whole', 'row'] as const) {
      const receipt = await newReceipt()
      const { me, whole, part, row } = receipt
      const [joined, gone] = await Promise.all([
        match(me, whole, part, { transactionId: row.id }),
        call(deleteTransaction, { as: me, id: receipt[which].id }),
      ])
      expect([joined.status, gone.status].filter((status) => status === 200).length).toBe(1)
      expect(await differencesOf(me)).toEqual([])
      expect(await flawsOfLog(me)).toEqual([])
    }
  })

  it('is done once under one key', async () => {
    const { me, whole, part, row } = await newReceipt()
    const headers = { 'Idempotency-Key': 'match-1' }
    const first = await match(me, whole, part, { transactionId: row.id }, headers)
    const again = await match(me, whole, part, { transactionId: row.id }, headers)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    const path = { id: whole.id, lineId: part?.id ?? '' }
    const other = await call(matchSplit, {
      ...{ as: me, path, headers },
      json: { transactionId: NOBODY },
    })
    expect(other.status).toBe(409)
    expect(await differencesOf(me)).toEqual([])
  })
})

it('is known by its words no more, and its account can be renamed meanwhile', async () => {
  const { me, wallet, whole, part, row } = await newReceipt()
  await matched(me, whole, part, row)
  await ok(updateAccount, { as: me, id: wallet.id, json: { name: 'Purse' } })
  expect((await call(updateTransaction, { as: me, id: row.id, json: { note: 'x' } })).status).toBe(
    404,
  )
  const json = expenseOn(wallet, { kind: 'income', amount: '30', externalId: 'in-1' })
  expect((await call(createTransaction, { as: me, json })).status).toBe(200)
})
