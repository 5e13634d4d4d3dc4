import { afterEach, expect, it } from 'vitest'
import { ledgerHooks } from '../../../src/areas/index.ts'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { TABLE_COLUMNS } from '../../../src/areas/money/transaction-views/tables.contract.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  type LedgerHook,
  type Prepared,
  preparation,
  registerHooks,
  type TransferAccount,
} from '../../../src/ledger/ledger.public.ts'
import { rankOf } from '../../../src/domain/sharing.ts'
import { call, ok } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { archive, book, expenseOn, newCategory, refusal } from '../transactions/booking.ts'
import { eventsOf } from './events.ts'
import { differencesOf } from './ledger.ts'

afterEach(() => registerHooks(ledgerHooks))

/** The labels that hooks choose. */
interface Chosen {
  savings: TransferAccount
  food: string
  home: string
  shop: string
  tags: [string, string]
}

/** What a hook says of a draft, each field in turn, by the number in what was sent. */
const SAID: ((chosen: Chosen, amount: string) => Prepared)[] = [
  () => ({}),
  () => ({ description: 'By a hook' }),
  () => ({ description: 'long '.repeat(200), note: 'x'.repeat(3000) }),
  ({ shop }) => ({ payeeId: shop }),
  // Of the kind of expenses: on an income a refund.
  ({ food }) => ({ categoryId: food, expenseCategoryIds: [food] }),
  ({ tags }) => ({ tagIds: tags }),
  () => ({ status: 'pending' }),
  () => ({ reviewed: true }),
  () => ({ metadata: { by: 'a hook', of: { depth: 2 } } }),
  ({ food, home, tags: [tag] }, amount) => ({
    splits: [
      { amount: '0.50', categoryId: food, tagIds: [tag] },
      { amount: (Number(amount) - 0.5).toFixed(2), categoryId: home, note: 'The rest' },
    ],
    expenseCategoryIds: [food, home],
  }),
  () => ({ facts: { rules: ['rul_1', 'rul_2'] } }),
  ({ savings, food, shop }) => ({
    ...{ transferAccount: savings, description: 'Moved', payeeId: shop },
    ...{ categoryId: food, expenseCategoryIds: [food] },
  }),
  ({ savings }, amount) => ({
    transferAccount: savings,
    splits: [{ amount: '0.50' }, { amount: (Number(amount) - 0.5).toFixed(2) }],
  }),
  ({ savings }) => ({ transferAccount: { ...savings, status: 'closed' } }),
]

const numberIn = (text: string | null | undefined): number => Number(/\d+/.exec(text ?? '')?.[0])

/** The first changes what the second must still see as it was sent. */
const hooksWith = (chosen: Chosen): LedgerHook[] => [
  { prepare: () => preparation({ decide: () => () => ({ note: 'First' }) }) },
  {
    prepare: () =>
      preparation({
        decide: () => (draft, sent) => {
          expect([draft.note, sent.note]).toEqual(['First', expect.stringMatching(/^sent \d+$/)])
          const say = SAID[numberIn(sent.note) % SAID.length] as (typeof SAID)[number]
          return say(chosen, sent.amount)
        },
      }),
  },
]

interface Sent {
  kind: 'expense' | 'income'
  date: string
  amount: string
  payeeRaw: string
  description: string
  note: string
  status: 'cleared' | 'uncleared'
  externalId: string
}

const draftFrom = (random: Random, at: number): Sent => ({
  kind: random.pick(['expense', 'income'] as const),
  date: `2026-0${random.whole(1, 9)}-${random.whole(10, 28)}`,
  amount: `${random.whole(1, 999)}.${random.whole(10, 99)}`,
  payeeRaw: `Shop ${at}`,
  description: `Words ${random.whole(1, 99)}`,
  note: `sent ${at}`,
  status: random.pick(['cleared', 'uncleared'] as const),
  externalId: `x-${at}`,
})

/** A line of the table that the service itself exports. */
function lineOf(account: string, at: number, { kind, amount, ...draft }: Sent): string {
  const signed = kind === 'expense' ? `-${amount}` : amount
  const cells: Record<string, string> = {
    ...{ id: `txn_${at}`, kind, account, currency: 'EUR', amount: signed },
    ...draft,
  }
  return TABLE_COLUMNS.map((column) => cells[column] ?? '').join(',')
}

/** Each way in, with the number of drafts that it takes at once. */
const WAYS: Record<string, (me: TestUser, account: Account, drafts: Sent[]) => Promise<unknown>> = {
  'one by one': async (me, { id }, drafts) => {
    for (const draft of drafts) {
      await ok(createTransaction, { as: me, json: expenseOn({ id }, draft) })
    }
  },
  'as expenses, and the others': async (me, { id: accountId }, drafts) => {
    for (const { kind, ...draft } of drafts) {
      const json = { ...draft, accountId }
      await (kind === 'expense'
        ? ok(createExpense, { as: me, json })
        : ok(createTransaction, { as: me, json: { ...json, kind } }))
    }
  },
  'in bulk': (me, { id: accountId }, drafts) =>
    ok(createTransactions, {
      as: me,
      json: { transactions: drafts.map((draft) => ({ ...draft, accountId })) },
    }),
  'from a file': async (me, { name }, drafts) => {
    const lines = drafts.map((draft, at) => lineOf(name, at, draft))
    const { id } = await uploaded(me, csv(lines, TABLE_COLUMNS.join(',')), {
      fileName: 'transactions.csv',
    })
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { new: drafts.length } })
  },
}

interface Account {
  id: string
  name: string
}

/** What differs from one way in to another, and from one account to the next. */
const OWN = new Set([
  'id',
  'accountId',
  'source',
  'importId',
  'createdAt',
  'updatedAt',
  'splits',
  'transferId',
])

const withoutOwn = (view: object) =>
  Object.fromEntries(Object.entries(view).filter(([field]) => !OWN.has(field)))

async function rowsOn(me: TestUser, { id: accountId }: { id: string }) {
  const found = []
  for (let cursor: string | undefined; cursor !== null;) {
    const query = { accountId, limit: 200, ...(cursor === undefined ? {} : { cursor }) }
    const page = await ok(listTransactions, { as: me, query })
    found.push(...page.transactions)
    cursor = page.nextCursor as string
  }
  const events = Map.groupBy(await eventsOf(...found.map(({ id }) => id)), ({ id }) => id)
  return found
    .toSorted((one, other) => numberIn(one.payeeRaw) - numberIn(other.payeeRaw))
    .map((view) => ({
      ...withoutOwn(view),
      splits: view.splits.map(({ id: _, ...part }) => part),
      events: events
        .get(view.id)
        ?.map(({ type, version, content }) => [
          ...[type, version],
          { ...content, after: content?.after && withoutOwn(content.after) },
        ]),
    }))
}

/** The account as a hook reads it. */
const asRead = ({ id: ownerId }: TestUser, { id }: { id: string }) => {
  const locks = { lockedThrough: null, hardLockedThrough: null, rank: rankOf('owner') }
  return { id, ownerId, currency: 'EUR', status: 'open', ...locks } as const
}

it('what hooks say takes the same effect whichever way a transaction comes', async () => {
  const random = randomFrom(SEED)
  const drafts = Array.from({ length: rounds(66, 500) }, (_, at) => draftFrom(random, at))
  const me = await newUser()
  const [food, home] = [await newCategory(me), await newCategory(me)]
  const shop = await ok(createPayee, { as: me, json: { name: 'Shop' } })
  const tags = [
    (await ok(createTag, { as: me, json: { name: 'one' } })).id,
    (await ok(createTag, { as: me, json: { name: 'two' } })).id,
  ] as [string, string]
  const accounts = []
  const savings = asRead(me, await newAccount(me))
  for (const name of Object.keys(WAYS)) {
    accounts.push(await newAccount(me, { name }))
  }
  registerHooks([
    ...ledgerHooks,
    ...hooksWith({ savings, food: food.id, home: home.id, shop: shop.id, tags }),
  ])
  for (const [at, way] of Object.values(WAYS).entries()) {
    await way(me, accounts[at] as Account, drafts)
  }
  const [first, ...others] = await Promise.all(accounts.map((account) => rowsOn(me, account)))
  expect(first).toHaveLength(drafts.length)
  for (const [at, other] of others.entries()) {
    expect(other, Object.keys(WAYS)[at + 1]).toEqual(first)
  }
  // Each field was said, and is seen.
  const seen = (at: number) => first?.[at] ?? {}
  expect(seen(1)).toMatchObject({ description: 'By a hook', note: 'First' })
  expect(seen(2)).toMatchObject({ note: 'x'.repeat(2000) })
  expect(seen(3)).toMatchObject({ payeeId: shop.id })
  expect(seen(4)).toMatchObject({ categoryId: food.id })
  expect(seen(5)).toMatchObject({ tagIds: tags.toSorted() })
  expect(seen(6)).toMatchObject({ status: 'pending' })
  expect(seen(7)).toMatchObject({ reviewed: true })
  expect(seen(8)).toMatchObject({ metadata: { by: 'a hook', of: { depth: 2 } } })
  expect(seen(9)).toMatchObject({ splits: [{ categoryId: food.id }, { categoryId: home.id }] })
  // One is the side of a transfer, which has no category; one has parts, and one cannot be a transfer.
  expect(seen(11)).toMatchObject({
    ...{
      kind: 'transfer',
      counterAccountId: savings.id,
      categoryId: null,
      description: 'Moved',
      note: 'First',
    },
    ...{ payeeId: shop.id, externalId: 'x-11', status: drafts[11]?.status, date: drafts[11]?.date },
  })
  expect(seen(12)).toMatchObject({ kind: drafts[12]?.kind, splits: [{}, {}] })
  expect(seen(13)).toMatchObject({ kind: drafts[13]?.kind })
  const legs = await rowsOn(me, savings)
  const isMoved = ({ externalId: id }: Sent) => numberIn(id) % SAID.length === 11
  expect(legs).toHaveLength(accounts.length * drafts.filter(isMoved).length)
  for (const leg of legs) {
    expect(leg).toMatchObject({ status: 'uncleared', externalId: null })
  }
  expect(await differencesOf(me)).toEqual([])
  const [event] = (first?.[10]?.events ?? []) as [string, number, object][]
  expect(event?.[2]).toMatchObject({ rules: ['rul_1', 'rul_2'] })
})

it('a label that is archived is refused where a person names it, and not where a hook does', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const food = await newCategory(me)
  await archive(food)
  const named = await call(createTransaction, {
    as: me,
    json: expenseOn(account, { categoryId: food.id }),
  })
  expect(refusal(named)).toEqual([400, 'transactions.archivedCategory', 'categoryId'])
  const says: LedgerHook = {
    prepare: () => preparation({ decide: () => () => ({ categoryId: food.id }) }),
  }
  registerHooks([...ledgerHooks, says])
  expect((await book(me, account)).categoryId).toBe(food.id)
  // Now without reading.
  expect((await book(me, account)).categoryId).toBe(food.id)
})
