import {
  createAccount,
  updateAccount,
  closeAccount,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteCategory,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  createPayee,
  deletePayee,
  mergePayees,
} from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  adjustBalance,
  createTransaction,
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransactions,
  deleteTransactions,
  updateTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import {
  createValuation,
  deleteValuation,
  updateValuation,
} from '../../../src/areas/money/valuations/valuations.routes.ts'
import { type Answer, call, ok } from '../../support/api.ts'
import { newAccount, type TestUser } from '../../support/world.ts'
import { finish, start, undo } from '../reconciliations/reconciling.ts'
import { book, change, expenseOn, newCategory } from '../transactions/booking.ts'
import { matchingWays } from './matching-ways.ts'
import { type Books, LAST_YEAR, old, transferOf, type Way } from './way.ts'

export { type Books, LAST_YEAR, newBooks, type Way } from './way.ts'

// Each way in which what is booked changes, once, on a day of the year before.

const THIS_YEAR = '2026-11-20'

/** A valuation of this year on an account off the budget, behind which one of last year may come. */
async function valued({ me }: Books) {
  const { id: accountId } = await newAccount(me, { type: 'property' })
  await ok(createValuation, { as: me, json: { accountId, date: THIS_YEAR, value: '300' } })
  return { accountId, date: LAST_YEAR, value: '100' }
}

/** A statement of last year that says 1.40 less than the one transaction that is ticked. */
async function compared({ me, one }: Books) {
  await book(me, one, { ...old, amount: '10', status: 'cleared' })
  return start(me, one, { statementDate: LAST_YEAR, closingBalance: '-11.40' })
}

const opened = ({ me }: Books) => newAccount(me, { openingBalance: '50', openingDate: LAST_YEAR })

/** A category, tag or payee that something of last year has, and another one. */
interface Labelled {
  has: { id: string }
  other: { id: string }
}

async function categories({ me, one }: Books): Promise<Labelled> {
  const [has, other] = [await newCategory(me), await newCategory(me)]
  await book(me, one, { ...old, categoryId: has.id })
  return { has, other }
}

async function payees({ me, one }: Books): Promise<Labelled> {
  const named = (name: string) => ok(createPayee, { as: me, json: { name } })
  const [has, other] = [await named('Mill'), await named('Shop')]
  await book(me, one, { ...old, payeeId: has.id })
  return { has, other }
}

async function tags({ me, one }: Books): Promise<Labelled> {
  const named = (name: string) => ok(createTag, { as: me, json: { name } })
  const [has, other] = [await named('Trip'), await named('Work')]
  await book(me, one, { ...old, tagIds: [has.id] })
  return { has, other }
}

/** How each kind of label goes, with another one in its place where that is said. */
const labelWays = (
  [
    [
      'category',
      categories,
      (as, { has, other }) =>
        call(deleteCategory, { as, id: has.id, query: { reassignTo: other.id } }),
      (as, { has, other }) =>
        call(mergeCategory, { as, id: other.id, json: { categoryId: has.id } }),
    ],
    [
      'payee',
      payees,
      (as, { has, other }) =>
        call(deletePayee, { as, id: has.id, query: { reassignTo: other.id } }),
      (as, { has, other }) => call(mergePayees, { as, id: other.id, json: { payeeIds: [has.id] } }),
    ],
    [
      'tag',
      tags,
      (as, { has }) => call(deleteTag, { as, id: has.id }),
      (as, { has, other }) => call(mergeTag, { as, id: other.id, json: { tagId: has.id } }),
    ],
  ] satisfies [
    kind: string,
    make: (books: Books) => Promise<Labelled>,
    remove: (as: TestUser, labelled: Labelled) => Promise<Answer<unknown>>,
    merge: (as: TestUser, labelled: Labelled) => Promise<Answer<unknown>>,
  ][]
).flatMap(([kind, make, remove, merge]): [string, string[], Way][] => [
  [
    `the deletion of a ${kind}`,
    ['relabelled'],
    async (books) => {
      const labelled = await make(books)
      return () => remove(books.me, labelled)
    },
  ],
  [
    `a ${kind} that goes into another one`,
    ['relabelled'],
    async (books) => {
      const labelled = await make(books)
      return () => merge(books.me, labelled)
    },
  ],
  [
    `a ${kind} that comes back from the trash`,
    ['relabelled'],
    async (books) => {
      const labelled = await make(books)
      await remove(books.me, labelled)
      const path = { kind, id: labelled.has.id }
      return async () => call(restoreFromTrash, { as: books.me, path })
    },
  ],
])

/** By what it is, with what happens to transactions. */
export const ways: [name: string, movements: string[], way: Way][] = [
  [
    'a transaction',
    ['booked'],
    async ({ me, one }) =>
      async () =>
        call(createTransaction, { as: me, json: expenseOn(one, old) }),
  ],
  [
    'an expense',
    ['booked'],
    async ({ me, one }) =>
      async () =>
        call(createExpense, { as: me, json: { accountId: one.id, ...old, amount: '5' } }),
  ],
  [
    'many',
    ['booked', 'booked'],
    async ({ me, one, two }) => {
      const transactions = [expenseOn(one, old), expenseOn(two)]
      return async () => call(createTransactions, { as: me, json: { transactions } })
    },
  ],
  [
    'a file of a bank, part of which is there already',
    ['booked'],
    async ({ me, one }) => {
      await book(me, one, { ...old, externalId: 'bank-1' })
      const transactions = ['bank-1', 'bank-2'].map((externalId) =>
        expenseOn(one, { ...old, externalId }),
      )
      return async () => call(createTransactions, { as: me, json: { transactions } })
    },
  ],
  [
    'a transfer',
    ['booked'],
    async (books) => async () => call(createTransfer, { as: books.me, json: transferOf(books) }),
  ],
  ...(
    [
      ['another amount', { amount: '20' }],
      ['another day', { date: THIS_YEAR }],
      ['a note', { note: 'Lunch' }],
    ] as const
  ).map(([name, json]): [string, string[], Way] => [
    name,
    ['amended'],
    async ({ me, one }) => {
      const row = await book(me, one, old)
      return async () => change(me, row, json)
    },
  ]),
  [
    'a day that is last year',
    ['amended'],
    async ({ me, one }) => {
      const row = await book(me, one)
      return async () => change(me, row, old)
    },
  ],
  [
    'parts',
    ['amended'],
    async ({ me, one }) => {
      const { id } = await book(me, one, { ...old, amount: '12' })
      const splits = [{ amount: '10' }, { amount: '2' }]
      return async () => call(replaceSplits, { as: me, id, json: { splits } })
    },
  ],
  [
    'the note of a part',
    ['amended'],
    async ({ me, one }) => {
      const splits = [{ amount: '10' }, { amount: '2' }]
      const whole = await book(me, one, { ...old, amount: '12', splits })
      const path = { id: whole.id, lineId: whole.splits[0]?.id ?? '' }
      return async () => call(updateSplit, { as: me, path, json: { note: 'Cheese' } })
    },
  ],
  [
    'an income that pays back an expense',
    ['amended'],
    async ({ me, one }) => {
      const food = await newCategory(me)
      const { id: transactionId } = await book(me, one, { ...old, categoryId: food.id })
      const { id } = await book(me, one, { ...old, kind: 'income' })
      const json = { transactionId, kind: 'refundOf' as const }
      return async () => call(createTransactionLink, { as: me, id, json })
    },
  ],
  [
    'a change of many',
    ['amended', 'amended'],
    async ({ me, one, two }) => {
      const ids = [(await book(me, one, old)).id, (await book(me, two)).id]
      const changes = { status: 'cleared' as const }
      return async () => call(updateTransactions, { as: me, json: { ids, changes } })
    },
  ],
  [
    'a change of a transfer',
    ['amended'],
    async (books) => {
      const { id } = await ok(createTransfer, { as: books.me, json: transferOf(books) })
      return async () => call(updateTransfer, { as: books.me, id, json: { amount: '90' } })
    },
  ],
  [
    'a leg that is cleared',
    ['amended'],
    async (books) => {
      const { to } = await ok(createTransfer, { as: books.me, json: transferOf(books) })
      const json = { status: 'cleared' as const }
      return async () => call(updateTransaction, { as: books.me, id: to.id, json })
    },
  ],
  [
    'the deletion of one',
    ['discarded'],
    async ({ me, one }) => {
      const { id } = await book(me, one, old)
      return async () => call(deleteTransaction, { as: me, id })
    },
  ],
  [
    'the deletion of many',
    ['discarded', 'discarded'],
    async ({ me, one, two }) => {
      const ids = [(await book(me, one, old)).id, (await book(me, two)).id]
      return async () => call(deleteTransactions, { as: me, json: { ids } })
    },
  ],
  [
    'the deletion of a transfer',
    ['discarded'],
    async (books) => {
      const { id } = await ok(createTransfer, { as: books.me, json: transferOf(books) })
      return async () => call(deleteTransfer, { as: books.me, id })
    },
  ],
  [
    'what comes back from the trash',
    ['restored'],
    async ({ me, one }) => {
      const { id } = await book(me, one, old)
      await ok(deleteTransaction, { as: me, id })
      const path = { kind: 'transaction', id }
      return async () => call(restoreFromTrash, { as: me, path })
    },
  ],
  [
    'a transfer that comes back from the trash',
    ['restored'],
    async (books) => {
      const { id } = await ok(createTransfer, { as: books.me, json: transferOf(books) })
      await ok(deleteTransfer, { as: books.me, id })
      const path = { kind: 'transfer', id }
      return async () => call(restoreFromTrash, { as: books.me, path })
    },
  ],
  ...matchingWays,
  [
    'two duplicates',
    ['merged', 'amended'],
    async ({ me, one }) => {
      const [keep, drop] = [await book(me, one), await book(me, one, old)]
      const json = { keepId: keep.id, dropId: drop.id }
      return async () => call(mergeDuplicate, { as: me, json })
    },
  ],
  [
    'a balance that is adjusted',
    ['booked'],
    async ({ me, one }) => {
      const json = { balance: '70', ...old }
      return async () => call(adjustBalance, { as: me, id: one.id, json })
    },
  ],
  [
    'a valuation before another',
    ['booked', 'amended'],
    async (books) => {
      const json = await valued(books)
      return async () => call(createValuation, { as: books.me, json })
    },
  ],
  [
    'another value before another',
    ['amended', 'amended'],
    async (books) => {
      const { id } = await ok(createValuation, { as: books.me, json: await valued(books) })
      return async () => call(updateValuation, { as: books.me, id, json: { value: '150' } })
    },
  ],
  [
    'a valuation that is taken back',
    ['discarded', 'amended'],
    async (books) => {
      const { id } = await ok(createValuation, { as: books.me, json: await valued(books) })
      return async () => call(deleteValuation, { as: books.me, id })
    },
  ],
  [
    'an account with an opening balance',
    ['booked'],
    async ({ me }) => {
      const json = {
        ...{ name: 'Savings', type: 'savings' as const, currency: 'EUR' },
        ...{ openingBalance: '50', openingDate: LAST_YEAR },
      }
      return async () => call(createAccount, { as: me, json })
    },
  ],
  [
    'another opening balance',
    ['amended'],
    async (books) => {
      const { id } = await opened(books)
      return async () => call(updateAccount, { as: books.me, id, json: { openingBalance: '60' } })
    },
  ],
  [
    'no opening balance any more',
    ['erased'],
    async (books) => {
      const { id } = await opened(books)
      return async () => call(updateAccount, { as: books.me, id, json: { openingBalance: '0' } })
    },
  ],
  [
    'an account that is closed',
    ['booked'],
    async (books) => {
      const { id } = await opened(books)
      const json = { transferTo: books.one.id, date: LAST_YEAR }
      return async () => call(closeAccount, { as: books.me, id, json })
    },
  ],
  [
    'a reconciliation that books what is missing',
    ['amended', 'booked'],
    async (books) => {
      const session = await compared(books)
      return async () => finish(books.me, session, { adjust: true })
    },
  ],
  [
    'a reconciliation that is undone',
    ['amended', 'discarded'],
    async (books) => {
      const session = await compared(books)
      await finish(books.me, session, { adjust: true })
      return async () => undo(books.me, session)
    },
  ],
  ...labelWays,
]
