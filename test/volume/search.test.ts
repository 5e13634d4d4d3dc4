import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createPayee } from '../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../src/areas/money/tags/tags.routes.ts'
import { fetchRaw, ok } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'
import { newCategory } from '../areas/transactions/booking.ts'

interface Hung {
  accountId: string
  categoryId: string
  payeeId: string
  tagId: string
}

/** Books many small expenses at once, past the service; all that `hung` names is on one in a thousand. */
async function bookMany(me: TestUser, hung: Hung, count: number): Promise<void> {
  const { accountId, categoryId, payeeId, tagId } = hung
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const id = "'txn_' || ?1 || i"
  const date = "date('2024-01-01', '+' || (i % 700) || ' days')"
  const entry = (line: number, end: string, sign: number, category: string) =>
    env.DB.prepare(
      `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        category_id)
      ${numbers} SELECT ${id}, ${line}, ?2, ?1, '${end}', ${date}, ${sign} * (i % 90 + 1), 'EUR', 'cleared', ${category}
      FROM n`,
    )
  const link = (table: string, column: string, target: string) =>
    env.DB.prepare(
      `INSERT INTO ${table} (transaction_id, line, ${column})
      ${numbers} SELECT ${id}, 0, ?2 FROM n WHERE i % 1000 = 0`,
    ).bind(accountId, target)
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at, search_text)
      ${numbers} SELECT ${id}, ?2, 'expense', ${date}, 'user', ?2, 0, 0, 'number ' || i || char(10) || char(10) FROM n`,
    ).bind(accountId, me.id),
    entry(1, 'account', -1, 'NULL').bind(accountId, me.id),
    entry(2, 'expense', 1, 'CASE i % 1000 WHEN 0 THEN ?3 END').bind(accountId, me.id, categoryId),
    link('transaction_payees', 'payee_id', payeeId),
    link('transaction_tags', 'tag_id', tagId),
  ])
}

it('finds what hangs on a payee, a tag or a category by reading that, whatever else was booked', async () => {
  const me = await newUser()
  const hung = {
    accountId: (await newAccount(me)).id,
    categoryId: (await newCategory(me)).id,
    payeeId: (await ok(createPayee, { as: me, json: { name: 'Rare' } })).id,
    tagId: (await ok(createTag, { as: me, json: { name: 'Rare' } })).id,
  }
  await bookMany(me, hung, 50_000)
  const read = async (query: object) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    )
    const headers = { Authorization: `Bearer ${me.accessToken}` }
    const response = await fetchRaw(`/transaction?${String(search)}`, { headers })
    const { count, transactions } = (await response.json()) as {
      count: number
      transactions: { id: string }[]
    }
    const ids = transactions.map(({ id }) => id)
    return { count, ids, rowsRead: costOf(response.headers).rowsRead }
  }
  const { accountId, ...rest } = hung
  for (const [name, value] of Object.entries(rest)) {
    const found = await read({ [name]: value, sort: 'amount', totals: true })
    expect(found.count, name).toBe(50)
    expect(found.rowsRead, name).toBeLessThanOrEqual(50 * 40)
    const condition = JSON.stringify({ all: [{ field: name, op: 'is', value }] })
    const same = await read({ condition, sort: 'amount', totals: true })
    expect(same.count, name).toBe(50)
    expect(same.rowsRead, name).toBeLessThanOrEqual(found.rowsRead)
    // Where days are named, those lead to it.
    const ofDay = await read({ [name]: value, accountId, from: '2024-03-01', to: '2024-03-01' })
    expect(ofDay.count, name).toBeLessThan(50)
    expect(ofDay.rowsRead, name).toBeLessThanOrEqual(72 * 10)
  }
  const summed = await read({ totals: true, from: '2024-03-05' })
  expect(summed.count).toBeGreaterThan(40_000)
  expect(summed.rowsRead).toBeLessThanOrEqual(800)
  // What must look at every line and its header looks at each but once where few match.
  const words = await read({ text: 'nowhere' })
  expect(words.rowsRead).toBeLessThanOrEqual(2 * 50_000 + 500)
  // The largest statement that a request can ask for, which is within what D1 takes.
  const largest = (op: string, at: number) => ({
    ...{ field: 'text', op },
    value:
      op === 'like' ? `${`*é${'x'.repeat(10)}`.repeat(9)}*${at}` : `café ${'x'.repeat(115)} ${at}`,
  })
  for (const op of ['like', 'word', 'contains']) {
    for (const list of ['all', 'any']) {
      const condition = JSON.stringify({
        [list]: Array.from({ length: 20 }, (_, at) => largest(op, at)),
      })
      expect((await read({ condition, sort: 'amount', totals: true })).count).toBe(0)
    }
  }
  const text = (op: string, value: string) => ({ field: 'text', op, value })
  const categories = await Promise.all(Array.from({ length: 19 }, async () => newCategory(me)))
  const label = (field: string, op: string, value: unknown) => ({ field, op, value })
  // Each line is looked at once, with its header or its other line, and some more for what leads to few.
  for (const [condition, count] of [
    [{ field: 'note', op: 'isEmpty' }, 50_000],
    [{ field: 'description', op: 'contains', value: 'number' }, 50_000],
    [text('contains', 'e'), 50_000],
    [text('contains', 'number'), 50_000],
    [text('word', 'number'), 50_000],
    [text('like', '*n*u*m*b*e*r*'), 50_000],
    [{ not: label('categoryId', 'is', hung.categoryId) }, 49_950],
    [label('payeeId', 'oneOf', [hung.payeeId, hung.payeeId]), 50],
    [{ field: 'isSplit', op: 'is', value: false }, 50_000],
    [
      {
        any: [
          ...categories.map(({ id }) => label('categoryId', 'within', id)),
          label('categoryId', 'is', hung.categoryId),
        ],
      },
      50,
    ],
  ] as const) {
    const found = await read({ condition: JSON.stringify(condition) })
    const said = JSON.stringify(condition)
    expect(found.count, said).toBe(count)
    expect(found.rowsRead, said).toBeLessThanOrEqual(2 * 50_000 + 10_000)
  }
  for (const condition of [
    text('contains', 'number nowhere'),
    { all: [text('word', 'nowhere'), { not: text('contains', 'tea') }] },
    text('like', 'num*now*'),
  ]) {
    const found = await read({ condition: JSON.stringify(condition) })
    expect(found.count).toBe(0)
    expect(found.rowsRead, JSON.stringify(condition)).toBeLessThanOrEqual(2 * 50_000 + 10_000)
  }
  // What takes several statements finds the same page as one.
  const large = JSON.stringify({
    all: [text('word', 'number'), text('like', '*n*m*b*'), text('like', '*u*b*r*')],
  })
  for (const sort of ['-date', 'date', '-amount', 'amount']) {
    const found = await read({ condition: large, sort })
    expect([found.count, found.ids], sort).toEqual([50_000, (await read({ sort })).ids])
    const summed = await read({ condition: large, sort, totals: true })
    expect([summed.count, summed.ids], sort).toEqual([50_000, found.ids])
  }
})
