import { expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createRecurring,
  postOccurrences,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import {
  type Comparison,
  type Condition,
  CONDITION_FIELDS,
  type ConditionField,
  fieldRule,
} from '../../../src/domain/conditions/conditions.ts'
import { predicateOf, type Subject } from '../../../src/domain/conditions/holds.ts'
import { searchKey } from '../../../src/domain/search-key.ts'
import { ok } from '../../support/api.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from './booking.ts'

const ROWS = rounds(90, 300)
// The last is longer than a pattern of GLOB may be.
const LONG = 'Insurance of the house in the Große Straße, paid'
const WORDS = ['Rent', 'Café Rent', 'AMZN Mktp', 'Straße 4', 'parents', 'Ärger', LONG]
const STATUSES = ['pending', 'uncleared', 'cleared', 'void'] as const
const TODAY = '2026-06-15'

/** A user with everything that conditions ask for, and transactions that have it by chance. */
async function newBooks(random: Random) {
  const me = await newUser()
  const accounts = await Promise.all(
    ['EUR', 'EUR', 'JPY', 'BHD'].map((currency) => newAccount(me, { currency })),
  )
  const category = async (name: string) =>
    (await ok(createCategory, { as: me, json: { name, kind: 'expense' } })).id
  const categories = [await category('Food'), await category('Car')]
  const payee = async (name: string) => (await ok(createPayee, { as: me, json: { name } })).id
  // Names that no text of a condition is a part of: only searches find by names.
  const payees = [await payee('Qqq'), await payee('Zzz')]
  const tag = async (name: string) => (await ok(createTag, { as: me, json: { name } })).id
  const tags = [await tag('One'), await tag('Two')]
  const maybe = <Item>(items: readonly Item[]) => (random.chance(0.5) ? random.pick(items) : null)
  const some = <Item>(items: readonly Item[]) => items.filter(() => random.chance(0.3))
  for (let at = 0; at < ROWS; at++) {
    const date = `2026-0${random.whole(4, 6)}-${random.pick(['01', '14', '15', '30'])}`
    if (random.chance(0.15)) {
      await ok(createTransfer, {
        as: me,
        json: {
          ...{ fromAccountId: accounts[0]?.id ?? '', toAccountId: accounts[1]?.id ?? '', date },
          ...{ amount: '3', categoryId: maybe(categories) ?? null, tagIds: some(tags) },
          description: random.pick(WORDS),
        },
      })
      continue
    }
    const kind = random.pick(['expense', 'expense', 'income'] as const)
    const isSplit = kind === 'expense' && random.chance(0.3)
    const part = () => ({
      ...{ amount: '2', categoryId: maybe(categories), payeeId: maybe(payees) },
      tagIds: some(tags),
    })
    await book(me, random.pick(accounts), {
      ...{ kind, date, amount: isSplit ? '4' : String(random.whole(1, 4)) },
      ...{ status: random.pick(STATUSES), reviewed: random.chance(0.5) },
      ...{ private: random.chance(0.2), description: random.pick(['', ...WORDS]) },
      ...{ payeeRaw: maybe(WORDS), note: maybe(WORDS), payeeId: maybe(payees), tagIds: some(tags) },
      metadata: random.chance(0.5) ? { n: random.pick([1, '1', true, 'x', [1]]) } : null,
      ...(random.chance(0.3) ? { externalId: `row ${at}` } : {}),
      ...(isSplit
        ? { splits: [part(), part()] }
        : { categoryId: kind === 'expense' ? maybe(categories) : null }),
    })
  }
  const transaction = { kind: 'expense', accountId: accounts[0]?.id ?? '', amount: '2' } as const
  const template = { name: 'Rent', mode: 'ask', schedule: null, transaction } as const
  const { id } = await ok(createRecurring, { as: me, json: template })
  const items = Array.from({ length: ROWS / 10 }, () => ({
    recurringId: id,
    changes: { date: '2026-05-14', note: maybe(WORDS) },
  }))
  await ok(postOccurrences, { as: me, json: { items } })
  return { me, recurring: [id], accounts: accounts.map(({ id }) => id), categories, payees, tags }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Row = Awaited<ReturnType<typeof ok<typeof listTransactions>>>['transactions'][number]

const present = (ids: (string | null)[]): string[] => ids.filter((id) => id !== null)

/** A transaction as its answer tells it. */
function subjectOf(row: Row): Subject {
  const { splits } = row
  const couldHave = row.kind === 'expense' || row.kind === 'income'
  const placed = splits.length > 0 ? splits.map((part) => part.categoryId) : [row.categoryId]
  return {
    texts: {
      description: searchKey(row.description),
      payeeRaw: searchKey(row.payeeRaw ?? ''),
      note: searchKey(row.note ?? ''),
    },
    amountMinor: Number(row.amount.replace('.', '')),
    ...{ currency: row.currency, date: row.date, kind: row.kind, status: row.status },
    ...{ source: row.source, accountId: row.accountId, categoryIds: present(placed) },
    payeeIds: present([row.payeeId, ...splits.map((part) => part.payeeId)]),
    tagIds: [...row.tagIds, ...splits.flatMap((part) => part.tagIds)],
    uncategorised: couldHave && placed.includes(null),
    ...{ reviewed: row.reviewed, private: row.private, isSplit: splits.length > 0 },
    ...{ hasAttachment: false, importId: null, createdBy: row.createdBy },
    recurringId: row.recurringId,
    ...{ externalId: row.externalId, metadata: row.metadata ?? {} },
  }
}

function anyValue(random: Random, field: ConditionField, books: Books): unknown {
  const { takes, words = [] } = fieldRule(field)
  const ids: Partial<Record<ConditionField, string[]>> = {
    ...{ accountId: books.accounts, categoryId: books.categories, payeeId: books.payees },
    ...{ tagId: books.tags, createdBy: [books.me.id], importId: [] },
    recurringId: books.recurring,
  }
  const texts = [
    ...['rent', 'café', 'amzn m', 'str', 'ARGER', '4', 'r*nt', '*a*e*t*', 'ca* rent', 'rent amzn'],
    ...[LONG, LONG.slice(1), `*${LONG.slice(4)}`, LONG.replaceAll(' ', '*'), `${LONG}*${LONG}`],
  ]
  const values: Record<typeof takes, () => unknown> = {
    text: () => (field === 'externalId' ? `row ${random.below(ROWS)}` : random.pick(texts)),
    amount: () => random.pick(['1', '2.00', '2.5', '3.001', '4']),
    date: () => random.pick(['2026-04-14', '2026-05', '2026-Q2', 'thisMonth', 'lastMonth']),
    words: () => random.pick(words),
    currency: () => random.pick(['EUR', 'JPY', 'BHD', 'USD']),
    id: () => random.pick([...(ids[field] ?? []), ...books.categories]),
    flag: () => random.chance(0.5),
    metadata: () => ({ key: random.pick(['n', 'm']), value: random.pick(['1', 'true', 'x']) }),
  }
  return values[takes]()
}

/** A comparison that is checked already, so that a mistake here is not taken for an answer. */
function anyComparison(random: Random, books: Books): Comparison {
  const field = random.pick(Object.keys(CONDITION_FIELDS) as ConditionField[])
  const op = random.pick(fieldRule(field).ops)
  const value = () => anyValue(random, field, books)
  const values: Partial<Record<typeof op, unknown>> = {
    ...{ isEmpty: undefined, oneOf: [value(), value()], between: [value(), value()] },
    exists: { key: random.pick(['n', 'm']) },
  }
  try {
    return checkCondition({
      ...{ field, op },
      ...(op === 'isEmpty' ? {} : { value: op in values ? values[op] : value() }),
    }) as Comparison
  } catch {
    // An id of another kind.
    return anyComparison(random, books)
  }
}

function anyCondition(random: Random, books: Books, levels: number): Condition {
  if (levels === 1 || random.chance(0.3)) {
    return anyComparison(random, books)
  }
  const member = () => anyCondition(random, books, levels - 1)
  const members = () => Array.from({ length: random.whole(1, 3) }, member)
  return random.pick([
    () => ({ all: members() }),
    () => ({ any: members() }),
    () => ({ not: member() }),
  ])()
}

it('a condition finds in SQL what it finds in memory, in lists and in changes of many', async () => {
  const random = randomFrom(SEED)
  const books = await newBooks(random)
  const { me } = books
  const list = (query: Record<string, string | number>) =>
    ok(listTransactions, { as: me, query: { limit: 200, ...query } })
  const first = await list({})
  const all = [
    ...first.transactions,
    ...(first.nextCursor ? (await list({ cursor: first.nextCursor })).transactions : []),
  ]
  const found = { none: 0, some: 0 }
  for (let round = 0; round < rounds(150, 2000); round++) {
    // Days in place of names, as today is another day each time.
    const condition = JSON.parse(
      JSON.stringify(anyCondition(random, books, 4))
        .replaceAll('"thisMonth"', '"2026-06"')
        .replaceAll('"lastMonth"', '"2026-05"'),
    ) as Condition
    const said = JSON.stringify(condition)
    const holds = predicateOf(condition, TODAY)
    const expected = all.filter((row) => holds(subjectOf(row))).map(({ id }) => id)
    const { transactions, nextCursor, count } = await list({ condition: said })
    const more = nextCursor
      ? (await list({ condition: said, cursor: nextCursor })).transactions
      : []
    const ids = [...transactions, ...more].map(({ id }) => id)
    expect(ids, said).toEqual(expected)
    expect(count, said).toBe(expected.length)
    found[expected.length > 0 ? 'some' : 'none'] += 1
    if (round % 5 === 0 && expected.length < 500) {
      const filter = { condition: condition as unknown as Record<string, unknown> }
      const json = { filter, changes: { reviewed: true }, dryRun: true }
      const { results } = await ok(updateTransactions, { as: me, json })
      expect(
        results.map(({ id }) => id),
        said,
      ).toEqual(expected)
    }
  }
  expect(Math.min(found.none, found.some)).toBeGreaterThan(20)
})
