import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createBudget,
  listLineTransactions,
} from '../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  listBudgetLines,
} from '../../src/areas/planning/budgets/lines/lines.routes.ts'
import { pageOfBudgetRows } from '../../src/areas/planning/budgets/rows/rows.queries.ts'
import type { WhichRows } from '../../src/areas/planning/budgets/rows/rows.rules.ts'
import { addDays } from '../../src/domain/calendar.ts'
import { read } from '../../src/platform/database/database.ts'
import { ok, rows } from '../support/api.ts'
import { rounds } from '../support/rounds.ts'
import { contextWith } from '../support/service.ts'
import { samplesOf } from '../support/samples.ts'
import type { TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill } from './volume.ts'

// A list of a line's rows costs what is on the page, although a quarter of all that there is counts on the line, or all of it, in
// one period of twelve years.

const FROM = '2015-01-01'
const ALL_YEARS = { unit: 'year', count: 12, anchor: FROM } as const
/** A day in the middle of all that is booked. */
const MIDDLE = addDays('2026-03-31', rounds(-100, -2000))
const MONTHS = { unit: 'month', count: 1, anchor: FROM } as const

let me: TestUser
let tree: string
let card: string
let stopWatch = () => {}

beforeAll(async () => {
  ;({ me } = await samplesOf())
  await fill(me.id)
  const [top] = await rows<{ id: string }>(
    "SELECT id FROM categories WHERE owner_id = ? AND name_key = 'category 0'",
    me.id,
  )
  tree = top?.id ?? ''
  await rows(
    `UPDATE categories SET parent_id = ?1
      WHERE owner_id = ?2 AND name_key LIKE 'category %' AND name_key < 'category 3' AND id <> ?1`,
    tree,
    me.id,
  )
  const [most] = await rows<{ id: string }>(
    `SELECT account_id AS id FROM entries WHERE side = 'account' AND owner_id = ? AND currency = 'EUR'
      GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    me.id,
  )
  card = most?.id ?? ''
  await rows("UPDATE accounts SET type = 'creditCard' WHERE id = ?", card)
  stopWatch = startWatch()
})

afterAll(() => stopWatch())

type Sent<Operation extends (...args: never[]) => unknown> = Parameters<Operation>[1]
type BudgetInput = NonNullable<NonNullable<Sent<typeof ok<typeof createBudget>>>['json']>
type LineInput = NonNullable<NonNullable<Sent<typeof ok<typeof createBudgetLine>>>['json']>

const newBudget = (
  name: string,
  wanted: Pick<BudgetInput, 'mode' | 'period'> & Partial<BudgetInput>,
) => ok(createBudget, { as: me, json: { name, currency: 'EUR', startsOn: FROM, ...wanted } })

const newLine = async ({ id }: { id: string }, scope: LineInput['scope']) => {
  const json = { name: `Line by ${scope.kind}`, scope }
  const { id: lineId } = await ok(createBudgetLine, { as: me, id, json })
  return { id, lineId }
}

/** The payment line of the card. */
async function cardLine({ id }: { id: string }) {
  const { lines } = await ok(listBudgetLines, { as: me, id })
  return { id, lineId: lines.find(({ accountId }) => accountId === card)?.id ?? '' }
}

/** Lists a line from its newest row, and from one in the middle of all; gives how many rows there are. */
async function count(path: { id: string; lineId: string }, what: WhichRows, named = FROM) {
  attend(`${what} of ${JSON.stringify(path)}`)
  const query = { period: named, what, limit: 50 }
  const first = await ok(listLineTransactions, { as: me, path, query })
  expect(first.transactions).toHaveLength(50)
  const asked = {
    userId: me.id,
    tokenHash: null,
    now: Date.now(),
    days: '[]',
    ...path,
    which: what,
    named,
  }
  const after = [MIDDLE, '', '0']
  const [deep] = await read(contextWith(), pageOfBudgetRows(asked, { after, limit: 200 }))
  expect(deep.length).toBeGreaterThan(50)
  expect(deep[0]?.date).toMatch(addDays(MIDDLE, -1).slice(0, 7))
  return first.count
}

it('lists rows of a line for what a page costs, however long the period is and however much came late', async () => {
  const before = slowness()
  const limits = await newBudget('Limits of years', {
    mode: 'limit',
    period: ALL_YEARS,
    countTransfers: true,
  })
  const settled = await newBudget('Without pending', {
    mode: 'limit',
    period: ALL_YEARS,
    countPending: false,
  })
  const cards = [{ accountId: card, handling: 'payment' as const }]
  const envelopes = await newBudget('Envelopes of years', {
    mode: 'envelope',
    period: ALL_YEARS,
    cards,
  })
  const closed = await newBudget('Closed months', { mode: 'envelope', period: MONTHS, cards })
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 133)
      INSERT INTO budget_closings (budget_id, period, image, closed_by, closed_at)
      SELECT ?1, date('${FROM}', '+' || i || ' months'), '{}', ?2, 0 FROM n`,
    closed.id,
    me.id,
  )
  const byTree = { kind: 'category' as const, ids: [tree] }
  const found = {
    categories: await count(await newLine(limits, byTree), 'activity'),
    settled: await count(await newLine(settled, byTree), 'activity'),
    everything: await count(await newLine(limits, { kind: 'everything' }), 'activity'),
    account: await count(await newLine(limits, { kind: 'account', ids: [card] }), 'activity'),
    envelope: await count(await newLine(envelopes, byTree), 'activity'),
    paid: await count(await cardLine(envelopes), 'activity'),
    moved: await count(await cardLine(envelopes), 'moved'),
    late: await count(await newLine(closed, byTree), 'late', '2026-03-01'),
    lateOnCard: await count(await cardLine(closed), 'late', '2026-03-01'),
  }
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
  expect(found).toEqual(await stored())
}, 600_000)

/** The same numbers, counted in the ledger without an index of theirs. */
async function stored(): Promise<object> {
  const of = async (condition: string) => {
    const [all] = await rows<{ count: number }>(
      `SELECT count(*) AS count FROM entries e WHERE owner_id = ?1 AND status <> 'void' AND ${condition}
        AND account_id IN (SELECT id FROM accounts WHERE on_budget = 1 AND deleted_at IS NULL)`,
      me.id,
    )
    return all?.count
  }
  const own = `SELECT id FROM accounts WHERE owner_id = ?1 AND on_budget = 1 AND deleted_at IS NULL`
  const spent = `(side = 'expense' OR counter_account_id NOT IN (${own}))`
  const inTree = `category_id IN (SELECT id FROM categories WHERE id = '${tree}' OR parent_id = '${tree}')`
  const onCard = `account_id = '${card}'`
  const moves = `(${onCard} AND ${inTree} AND ${spent})`
  const paid = `(${onCard} AND (side = 'income' OR flow_minor IS NOT NULL OR side = 'expense' AND ifnull(NOT ${inTree}, 1)))`
  const late = "date < '2026-03-01'"
  return {
    categories: await of(`${inTree} AND ${spent}`),
    settled: await of(`${inTree} AND side = 'expense' AND status <> 'pending'`),
    everything: await of(spent),
    account: await of(`${onCard} AND ${spent}`),
    envelope: await of(`${inTree} AND ${spent}`),
    paid: await of(paid),
    moved: await of(moves),
    late: await of(`${inTree} AND ${spent} AND ${late}`),
    lateOnCard: await of(`${paid} AND ${late}`),
  }
}
