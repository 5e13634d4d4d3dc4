import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { linesInPieces } from '../../../src/ledger/search/filters.queries.ts'
import type { LedgerFilter } from '../../../src/ledger/search/search.rules.ts'
import { countedRowsOf, rowsOf, SORTS } from '../../../src/ledger/search/pages.queries.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { minorDigits } from '../../../src/domain/currency.ts'
import { db } from '../../../src/platform/database/statements.ts'
import { ok } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { planOf } from '../../support/plans.ts'
import { rounds } from '../../support/rounds.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { book } from './booking.ts'

const WORDS = ['alpha', 'beta', 'gamma', 'Straße']
const STATUSES = ['cleared', 'uncleared', 'void'] as const

/** A user with everything that can be asked for, and transactions that have it by chance. */
async function newBooks(random: Random) {
  const me = await newUser()
  const accounts = await Promise.all(
    ['EUR', 'EUR', 'JPY', 'BHD'].map((currency) => newAccount(me, { currency })),
  )
  const category = async (name: string, parentId?: string) =>
    (
      await ok(createCategory, {
        as: me,
        json: { name, kind: 'expense', ...(parentId ? { parentId } : {}) },
      })
    ).id
  const top = await category('Top')
  const middle = await category('Middle', top)
  const lowest = await category('Lowest', middle)
  const other = await category('Other')
  const categories = [top, middle, lowest, other]
  const below = { [top]: [top, middle, lowest], [middle]: [middle, lowest] }
  const payees = [
    await ok(createPayee, { as: me, json: { name: 'Alpha Shop' } }),
    await ok(createPayee, { as: me, json: { name: 'Delta' } }),
  ]
  const tags = [
    await ok(createTag, { as: me, json: { name: 'One' } }),
    await ok(createTag, { as: me, json: { name: 'Two' } }),
  ]
  const maybe = <Item>(items: readonly Item[]) => (random.chance(0.5) ? random.pick(items) : null)
  const booked = []
  for (let at = 0; at < 60; at++) {
    const account = random.pick(accounts)
    const parts = (isSplit: boolean) =>
      isSplit
        ? [
            { amount: '1', categoryId: maybe(categories), payeeId: maybe(payees)?.id ?? null },
            {
              amount: '1',
              categoryId: maybe(categories),
              tagIds: tags.slice(0, 1).map(({ id }) => id),
            },
          ]
        : []
    const kind = random.pick(['expense', 'expense', 'income'] as const)
    const isSplit = kind === 'expense' && random.chance(0.3)
    const tag = maybe(tags)
    booked.push(
      await book(me, account, {
        kind,
        date: `2026-01-0${random.whole(1, 5)}`,
        amount: isSplit ? '2' : String(random.whole(1, 4)),
        status: random.pick(STATUSES),
        description: random.pick(WORDS),
        note: maybe(WORDS),
        reviewed: random.chance(0.5),
        payeeId: maybe(payees)?.id ?? null,
        tagIds: tag ? [tag.id] : [],
        metadata: random.chance(0.3) ? { n: random.whole(1, 2) } : null,
        ...(isSplit
          ? { splits: parts(true) }
          : { categoryId: kind === 'expense' ? maybe(categories) : null }),
      }),
    )
  }
  return { me, accounts, categories, below, payees, tags, booked }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Row = Books['booked'][number]

const placesOf = ({ splits, categoryId, payeeId, tagIds }: Row) => ({
  categories: splits.length > 0 ? splits.map((part) => part.categoryId) : [categoryId],
  payees: [payeeId, ...splits.map((part) => part.payeeId)],
  tags: [...tagIds, ...splits.flatMap((part) => part.tagIds)],
})

/** The filter as one would write it without a database. */
function fits(row: Row, filter: LedgerFilter, { below, payees }: Books): boolean {
  const { categories, payees: paid, tags } = placesOf(row)
  const { categoryId, text, metadataValue, amountFrom, amountTo } = filter
  const wanted = categoryId === undefined ? [] : (below[categoryId] ?? [categoryId])
  const names = payees.filter(({ id }) => paid.includes(id)).map(({ name }) => name)
  const words = [row.description, row.note ?? '', ...names].join(' ').toLowerCase()
  const isEither = <Value>(asked: Value | undefined, value: Value) =>
    asked === undefined || asked === value
  return [
    isEither(filter.accountId, row.accountId),
    filter.from === undefined || row.date >= filter.from,
    filter.to === undefined || row.date <= filter.to,
    amountFrom === undefined || Number(row.amount) >= Number(amountFrom),
    amountTo === undefined || Number(row.amount) <= Number(amountTo),
    isEither(filter.currency, row.currency),
    isEither(filter.kind, row.kind),
    isEither(filter.status, row.status),
    isEither(filter.reviewed, row.reviewed),
    categoryId === undefined || categories.some((id) => id !== null && wanted.includes(id)),
    isEither(filter.uncategorised, categories.includes(null)),
    filter.payeeId === undefined || paid.includes(filter.payeeId),
    filter.tagId === undefined || tags.includes(filter.tagId),
    text === undefined ||
      text.split(' ').every((word) => words.replace('ß', 'ss').includes(word.replace('ß', 'ss'))),
    metadataValue === undefined || String(row.metadata?.['n']) === metadataValue,
  ].every(Boolean)
}

function newFilter(random: Random, { accounts, categories, payees, tags }: Books): LedgerFilter {
  const all: LedgerFilter = {
    accountId: random.pick(accounts).id,
    from: `2026-01-0${random.whole(1, 4)}`,
    to: `2026-01-0${random.whole(2, 5)}`,
    amountFrom: random.pick(['2', '1.5']),
    amountTo: random.pick(['3', '2.001']),
    currency: random.pick(['EUR', 'JPY', 'BHD']),
    kind: random.pick(['expense', 'income']),
    status: random.pick(STATUSES),
    reviewed: random.chance(0.5),
    categoryId: random.pick(categories),
    uncategorised: random.chance(0.5),
    payeeId: random.pick(payees).id,
    tagId: random.pick(tags).id,
    text: random.pick(['alpha', 'alpha beta', 'shop', 'straße', 'amm']),
    metadataValue: random.pick(['1', '2']),
  }
  return Object.fromEntries(Object.entries(all).filter(() => random.chance(0.15)))
}

/** What is added up of these by currency, as text. */
function totalsOf(found: Row[]) {
  const byCurrency = Map.groupBy(found, ({ currency }) => currency)
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, those]) => {
      const digits = minorDigits(currency)
      const moving = those
        .filter(({ status }) => status !== 'void')
        .map((row) => Number(row.signedAmount))
      const add = (list: number[]) => list.reduce((sum, amount) => sum + amount, 0)
      const inflow = add(moving.filter((amount) => amount > 0))
      const outflow = add(moving.filter((amount) => amount < 0))
      return {
        currency,
        inflow: inflow.toFixed(digits),
        outflow: Math.abs(outflow).toFixed(digits),
        net: (inflow + outflow).toFixed(digits),
        count: those.length,
      }
    })
}

/** Of tables made for the query, or by it, and of values. */
const HARMLESS =
  /^SCAN (?:found|last|counted|behind|worded|page|below|seen|hidden|annotated|m|json_each|CONSTANT ROW|\(subquery-\d+\))/

it('any question finds what fits it, no more and no less, sums it up, and scans no table', async () => {
  const random = randomFrom(40_404)
  const books = await newBooks(random)
  const { me, booked } = books
  const ctx = await contextOf(me, 'transactions.read')
  let most = 0
  for (let round = 0; round < rounds(15, 1000); round++) {
    const filter = newFilter(random, books)
    const said = JSON.stringify(filter)
    const expected = booked.filter((row) => fits(row, filter, books))
    most = Math.max(most, Object.keys(filter).length)
    const query = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, String(value)]),
    )
    const sort = random.pick(SORTS)
    const answer = await ok(listTransactions, {
      as: me,
      query: { ...query, sort, totals: 'true', limit: 200 },
    })
    expect(answer.transactions.map(({ id }) => id).toSorted(), said).toEqual(
      expected.map(({ id }) => id).toSorted(),
    )
    expect(answer.totals, said).toEqual(totalsOf(expected))
    for (const limit of [1, 200]) {
      const { count } = await ok(listTransactions, { as: me, query: { ...query, sort, limit } })
      expect(count, said).toBe(expected.length)
    }
    const page = { limit: 1, after: undefined }
    for (const finder of [
      rowsOf(ctx, filter, page, sort),
      countedRowsOf(ctx, filter, page, sort),
      ...linesInPieces(ctx, filter, sql`e.currency`).map((lines) => db.all(lines)),
    ]) {
      const { sql: text, params } = finder.getQuery()
      expect(params.length, said).toBeLessThan(60)
      const scans = (await planOf(text, params)).filter((step) => step.startsWith('SCAN '))
      expect(
        scans.filter((detail) => !HARMLESS.test(detail)),
        said,
      ).toEqual([])
    }
  }
  expect(most).toBeGreaterThan(4)
})
