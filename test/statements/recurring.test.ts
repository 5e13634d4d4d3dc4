import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  listRecurring,
  listUpcoming,
  suggestRecurring,
} from '../../src/areas/planning/recurring/recurring.routes.ts'
import { on } from '../areas/audit-log/old-log.ts'
import { ok, rows } from '../support/api.ts'
import { limit, rounds } from '../support/rounds.ts'
import { samplesOf } from '../support/samples.ts'
import type { TestUser } from '../support/world.ts'
import {
  attend,
  computed,
  inWords,
  longestOfEach,
  show,
  showLongest,
  slowness,
  startWatch,
} from './stopwatch.ts'
import { fill } from './volume.ts'

// As many items as somebody may have, with as many occurrences in a year as are listed, and a transaction in each month of two years
// before, among all that there is.

const TODAY = '2026-03-31'
const ITEMS = rounds(100, 500)
const MONTHS = 24

let me: TestUser
let accountId: string

beforeAll(async () => {
  ;({ me } = await samplesOf())
  await fill(me.id)
  const [account] = await rows<{ id: string }>(
    `SELECT a.id FROM accounts a WHERE a.owner_id = ? AND a.deleted_at IS NULL AND a.status = 'open' AND a.currency = 'EUR'
      ORDER BY (SELECT count(*) FROM entries e WHERE e.account_id = a.id AND e.side = 'account') DESC LIMIT 1`,
    me.id,
  )
  accountId = account?.id ?? ''
  await rows('DELETE FROM recurring WHERE owner_id = ?', me.id)
  const transaction = { kind: 'expense', accountId, amount: '10.00' }
  const definition = {
    schedule: {
      unit: 'month',
      count: 6,
      shortMonth: 'last',
      weekend: 'keep',
      anchor: '2020-01-15',
    },
    transaction,
    ...{ amountIs: 'exact', amountMax: null, tolerancePercent: null },
    ...{ dayWindow: 3, leadDays: 0, graceDays: 0, remindOn: null, note: null },
  }
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`
  await rows(
    `${numbers(ITEMS)} INSERT INTO recurring (id, owner_id, created_by, name, purpose, mode, active, private, account_id,
        account_ids, currency, definition, first_day, created_at, updated_at)
      SELECT 'rec_' || printf('%026d', i), ?1, ?1, 'Item ' || i, 'bill', 'post', 1, 0, ?2, json_array(?2), 'EUR', ?3,
        '2024-04-15', 0, 0 FROM n`,
    ...[me.id, accountId, JSON.stringify(definition)],
  )
  await rows(
    `WITH linked AS (SELECT t.id, row_number() OVER (ORDER BY t.date DESC, t.id DESC) - 1 AS i FROM transactions t
        JOIN entries e ON e.transaction_id = t.id AND e.line = 1
        WHERE t.owner_id = ?1 AND t.deleted_at IS NULL AND t.kind = 'expense' AND e.status <> 'void'
        LIMIT ${ITEMS * MONTHS})
      UPDATE transactions SET recurring_id = 'rec_' || printf('%026d', linked.i % ${ITEMS}),
          recurring_date = date('2026-03-15', '-' || (linked.i / ${ITEMS}) || ' months')
        FROM linked WHERE linked.id = transactions.id`,
    me.id,
  )
  await rows(
    `INSERT INTO recurring_occurrences (recurring_id, owner_id, nominal_date, state, expected_minor, told, updated_at)
      SELECT recurring_id, owner_id, recurring_date, 'booked', 1000, 0, 0 FROM transactions
      WHERE owner_id = ?1 AND recurring_id LIKE 'rec_000000%'`,
    me.id,
  )
  me = await on(TODAY, me)
})

afterAll(() => void vi.useRealTimers())

const upcoming = () => ok(listUpcoming, { as: me, query: { to: '2027-03-31', accountId } })

it('shows a year of as many items as there may be at once', async () => {
  const { occurrences, days } = await upcoming()
  expect([occurrences.length, days?.length]).toEqual([ITEMS * 2, 366])
  const before = slowness()
  let best = Infinity
  for (let tries = 0; tries < 5; tries++) {
    const begun = computed()
    await upcoming()
    best = Math.min(best, computed() - begun)
  }
  show(`${best.toFixed(1)} ms for the whole answer of listUpcoming`)
  expect(best).toBeLessThan(Math.max(before, slowness()) * limit(rounds(25, 100)))
})

it('lets no statement about what is to come hold the database for long', async () => {
  const before = slowness()
  const stopWatch = startWatch()
  attend('listUpcoming')
  await upcoming()
  attend('listRecurring')
  await ok(listRecurring, { as: me, query: { totals: 'true' } })
  attend('suggestRecurring')
  await ok(suggestRecurring, { as: me })
  stopWatch()
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)
