import { expect, it } from 'vitest'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import { createExpense, updateExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  book,
  change,
  close,
  expenseOn,
  newCategory,
  refusal,
  type TransactionInput,
} from './booking.ts'
import { newCashBack } from './parts.fixtures.ts'

async function newBooks() {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const tokyo = await newAccount(me, { currency: 'JPY' })
  const [salary, { id: gone }] = [await newCategory(me, 'income'), await newAccount(me)]
  await close({ id: gone })
  const payee = await ok(createPayee, { as: me, json: { name: 'Payee' } })
  return { me, one, two, tokyo, salary, payee, gone }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Part = NonNullable<TransactionInput['splits']>[number]

it.each<[string, (books: Books) => Partial<Part>, (number | string)[]]>([
  [
    'its own account',
    ({ one }) => ({ transferAccountId: one.id }),
    [400, 'transactions.partSelf', 'splits.1.transferAccountId'],
  ],
  [
    'an account that is not there',
    () => ({ transferAccountId: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5' }),
    [400, 'transactions.unknownAccount', 'splits.1.transferAccountId'],
  ],
  [
    'a closed account',
    ({ gone }) => ({ transferAccountId: gone }),
    [409, 'transactions.accountClosed', 'splits.1.transferAccountId'],
  ],
  [
    'another currency, without an amount',
    ({ tokyo }) => ({ transferAccountId: tokyo.id }),
    [400, 'transactions.partAmountNeeded', 'splits.1.transferAmount'],
  ],
  [
    'an amount and a rate',
    ({ tokyo }) => ({ transferAccountId: tokyo.id, transferAmount: '5', transferRate: '5' }),
    [400, 'transactions.partAmountAndRate', 'splits.1.transferRate'],
  ],
  [
    'a rate within one currency',
    ({ two }) => ({ transferAccountId: two.id, transferRate: '1' }),
    [400, 'transactions.partRateWithinCurrency', 'splits.1.transferRate'],
  ],
  [
    'another amount within one currency',
    ({ two }) => ({ transferAccountId: two.id, transferAmount: '3' }),
    [400, 'transactions.partAmountDiffers', 'splits.1.transferAmount'],
  ],
  [
    'an amount of nothing',
    ({ tokyo }) => ({ transferAccountId: tokyo.id, transferRate: '0.001' }),
    [400, 'transactions.partArrivesAsZero', 'splits.1.transferRate'],
  ],
  [
    'a payee',
    ({ two, payee }) => ({ transferAccountId: two.id, payeeId: payee.id }),
    [400, 'transactions.partHasPayee', 'splits.1.payeeId'],
  ],
  [
    'a category for income',
    ({ two, salary }) => ({ transferAccountId: two.id, categoryId: salary.id }),
    [400, 'transactions.categoryKind', 'splits.1.categoryId'],
  ],
  [
    'no account, but an amount',
    () => ({ transferAmount: '2.30' }),
    [400, 'transactions.partAccountNeeded', 'splits.1.transferAmount'],
  ],
  [
    'no account, but a status',
    () => ({ transferStatus: 'cleared' }),
    [400, 'transactions.partAccountNeeded', 'splits.1.transferStatus'],
  ],
])('refuses a part with %s', async (_, partOf, refused) => {
  const books = await newBooks()
  const { me, one } = books
  const [first, second] = [{ amount: '10' }, { amount: '2.30', ...partOf(books) }]
  for (const kind of ['expense', 'income'] as const) {
    const json = expenseOn(one, { kind, splits: [first, second] })
    expect(refusal(await call(createTransaction, { as: me, json }))).toEqual(refused)
  }
  const { kind: _kind, ...expense } = expenseOn(one, { splits: [first, second] })
  expect(refusal(await call(createExpense, { as: me, json: expense }))).toEqual(refused)
  const [status, code, field] = refused
  const transactions = [expenseOn(one, { splits: [first, second] })]
  const many = await call(createTransactions, { as: me, json: { transactions } })
  expect(refusal(many)).toEqual([status, code, `transactions.0.${String(field)}`])
  const whole = await book(me, one)
  const json = { splits: [first, second] }
  expect(refusal(await call(replaceSplits, { as: me, id: whole.id, json }))).toEqual(refused)
  expect(refusal(await change(me, whole, json))).toEqual(refused)
  expect(refusal(await call(updateExpense, { as: me, id: whole.id, json }))).toEqual(refused)
  const split = await book(me, one, { splits: [{ amount: '10' }, { amount: '2.30' }] })
  const path = { id: split.id, lineId: split.splits[1]?.id ?? '' }
  const changed = await call(updateSplit, { as: me, path, json: partOf(books) })
  expect(refusal(changed).slice(0, 2)).toEqual([status, code])
  expect(await differencesOf(me)).toEqual([])
})

it('refuses a status that is void, and what is no rate', async () => {
  const { me, one, two, tokyo } = await newBooks()
  const part = { amount: '2.30', transferAccountId: two.id }
  const wrong: [object, string, string][] = [
    [{ ...part, transferStatus: 'void' }, 'request.invalid', 'splits.1.transferStatus'],
    [
      { ...part, transferAccountId: tokyo.id, transferRate: '1e3' },
      'request.invalid',
      'splits.1.transferRate',
    ],
    [
      { ...part, transferAccountId: tokyo.id, transferRate: '0' },
      'exchange.malformedRate',
      'splits.1.transferRate',
    ],
    [
      { ...part, transferAccountId: tokyo.id, transferAmount: '1.5' },
      'money.tooManyDigits',
      'splits.1.transferAmount',
    ],
  ]
  for (const [second, code, field] of wrong) {
    const json = { ...expenseOn(one), splits: [{ amount: '10' }, second] } as TransactionInput
    expect(refusal(await call(createTransaction, { as: me, json }))).toEqual([400, code, field])
  }
})

it('takes 20 parts that are transfers, and no more', async () => {
  const { me, one, two } = await newBooks()
  const parts = (count: number) =>
    Array.from({ length: count }, () => ({ amount: '1', transferAccountId: two.id }))
  const whole = await book(me, one, { amount: '20', splits: parts(20) })
  expect(whole.splits).toHaveLength(20)
  const json = expenseOn(one, { amount: '21', splits: parts(21) })
  expect(refusal(await call(createTransaction, { as: me, json }))).toEqual([
    ...[409, 'transactions.tooManyTransferParts', 'splits'],
  ])
  expect(await differencesOf(me)).toEqual([])
})

it('refuses an account of another owner', async () => {
  const [{ me, one }, friend] = [await newBooks(), await newUser()]
  const theirs = await newAccount(friend)
  await share(friend, theirs, me, { permission: 'write' })
  const json = expenseOn(one, {
    splits: [{ amount: '10' }, { amount: '2.30', transferAccountId: theirs.id }],
  })
  expect(refusal(await call(createTransaction, { as: me, json }))).toEqual([
    ...[409, 'transfers.otherOwner', 'splits.1.transferAccountId'],
  ])
})

it('does not move a transaction to the account of its part', async () => {
  const { me, wallet, whole } = await newCashBack()
  expect(refusal(await change(me, whole, { accountId: wallet.id }))).toEqual([
    ...[400, 'transactions.partSelf', 'accountId'],
  ])
})

it('leaves the part out of what a refund can give back', async () => {
  const { me, everyday, wallet, whole, bought, part, leg } = await newCashBack()
  const income = await book(me, everyday, { kind: 'income', amount: '40' })
  const link = (transactionId: string, amount?: string) =>
    call(createTransactionLink, {
      ...{ as: me, id: income.id },
      json: { kind: 'refundOf', transactionId, ...(amount === undefined ? {} : { amount }) },
    })
  expect(refusal(await link(whole.id, '7.01'))).toEqual([
    409,
    'transactions.linkedTooMuch',
    'amount',
  ])
  expect(refusal(await link(leg.id))).toEqual([
    400,
    'transactions.unknownTransaction',
    'transactionId',
  ])
  const linked = await link(whole.id)
  expect(linked.body).toMatchObject({ amount: '7.00' })
  const more = [
    { id: bought.id, amount: '6' },
    { id: part.id, amount: '31', transferAccountId: wallet.id },
  ]
  expect(refusal(await change(me, whole, { splits: more }))).toEqual([
    409,
    'transactions.linkedAmount',
  ])
  await ok(replaceSplits, {
    ...{ as: me, id: whole.id },
    json: {
      splits: [
        { id: bought.id, amount: '8' },
        { id: part.id, amount: '29' },
      ],
    },
  })
  expect(await differencesOf(me)).toEqual([])
})
