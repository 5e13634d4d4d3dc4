import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { createBudgetLine } from '../../src/areas/planning/budgets/lines/lines.routes.ts'
import { makeCheckpoints } from '../../src/areas/planning/budgets/checkpoints/checkpoints.usecases.ts'
import { addDays, addMonths } from '../../src/domain/calendar.ts'
import { newBudget } from '../areas/budgets/budgets.fixtures.ts'
import { newCategory } from '../areas/transactions/booking.ts'
import { fetchRaw, ok, rows } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { contextWith } from '../support/service.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'

const LINES = 60
const PERIODS = 120
/** Days on each of which something is booked in each account: ten years. */
const DAYS = 3650

const THIS_MONTH = `${new Date().toISOString().slice(0, 7)}-01`
const STARTS_ON = addMonths(THIS_MONTH, 1 - PERIODS)
const LAST_DAY = addDays(THIS_MONTH, 19)

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

interface Household {
  me: TestUser
  accounts: string[]
  categories: string[]
}

/** Ten accounts, one of them in dollars, a rate of the dollar for each day, and a category for each line. */
async function newHousehold(): Promise<Household> {
  const me = await newUser()
  const openingDate = addMonths(STARTS_ON, -1)
  const accounts = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      newAccount(me, { currency: at === 9 ? 'USD' : 'EUR', openingDate }),
    ),
  )
  const categories = await Promise.all(Array.from({ length: LINES }, () => newCategory(me)))
  await rows(
    `${numbers(DAYS + 40)} INSERT INTO system_exchange_rates (id, from_currency, to_currency, date, rate, created_at, updated_at)
      SELECT 'rte_' || printf('%026d', i), 'EUR', 'USD', date(?1, '-' || i || ' days'), '1.' || (1000 + i % 900), 0, 0
      FROM n WHERE true ON CONFLICT DO NOTHING`,
    LAST_DAY,
  )
  return { me, accounts: accounts.map(({ id }) => id), categories: categories.map(({ id }) => id) }
}

/** Books expenses with these numbers past the service, with the triggers on: six categories in each account, every day. */
async function bookMany(
  { me, accounts, categories }: Household,
  from: number,
  to: number,
): Promise<void> {
  const numbersIn = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`
  const id = `'txn_' || ?1 || printf('%09d', i)`
  const date = `date('${LAST_DAY}', '-' || (i / 10 % ${DAYS}) || ' days')`
  const entry = (line: number, side: string, sign: number, category: string) =>
    env.DB.prepare(
      `${numbersIn} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
          category_id)
        SELECT ${id}, ${line}, ?1, ?2 ->> (i % 10), '${side}', ${date}, ${sign} * (i * 7919 % 9000 + 1),
          iif(i % 10 = 9, 'USD', 'EUR'), 'cleared', ${category} FROM n WHERE ?3 <> ''`,
    ).bind(me.id, JSON.stringify(accounts), JSON.stringify(categories))
  await env.DB.batch([
    env.DB.prepare(
      `${numbersIn} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
        SELECT ${id}, ?1, 'expense', ${date}, 'user', ?1, 0, 0 FROM n`,
    ).bind(me.id),
    entry(1, 'account', -1, 'NULL'),
    entry(2, 'expense', 1, `?3 ->> (i * 7 % ${LINES})`),
  ])
}

/** A budget of 60 lines with an amount in each of 120 periods. */
async function newBigBudget(
  { me, categories }: Household,
  wanted: Parameters<typeof newBudget>[1],
): Promise<string> {
  const { id } = await newBudget(me, { startsOn: STARTS_ON, ...wanted })
  for (const [at, category] of categories.entries()) {
    const scope = { kind: 'category' as const, ids: [category] }
    await ok(createBudgetLine, { as: me, id, json: { name: `Line ${at}`, scope } })
  }
  const day = wanted.period?.anchor.slice(8) ?? '01'
  await rows(
    `${numbers(PERIODS)} INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
      SELECT ?1, strftime('%Y-%m-${day}', ?2, '+' || i || ' months'), l.id, 40000 FROM n, budget_lines l WHERE l.budget_id = ?1
        AND l.kind = 'line'`,
    id,
    STARTS_ON,
  )
  return id
}

/** What a read costs, in rows, and what it says; it makes one trip. */
async function reading(me: TestUser, path: string) {
  const headers = { Authorization: `Bearer ${me.accessToken}` }
  const response = await fetchRaw(path, { headers })
  expect(response.status, path).toBe(200)
  const { rowsRead, trips } = costOf(response.headers)
  expect(trips, path).toBe(1)
  return { rowsRead, body: await response.json() }
}

const rule = (anchor: string) => ({ unit: 'month', count: 1, anchor }) as const

it('reads a period of 60 lines in two currencies by lines and periods, whatever was booked in ten years', async () => {
  const household = await newHousehold()
  const { me } = household
  const [months, limits, paydays] = [
    await newBigBudget(household, { mode: 'envelope', period: rule('2016-01-01') }),
    await newBigBudget(household, { mode: 'limit', period: rule('2016-01-01') }),
    await newBigBudget(household, { mode: 'envelope', period: rule('2016-01-15') }),
  ].map((id) => `/budget/${id}/period/current`) as [string, string, string]
  const measure = async () => ({
    months: await reading(me, months),
    limits: await reading(me, limits),
    paydays: await reading(me, paydays),
  })

  await bookMany(household, 0, 36_500)
  await makeCheckpoints(contextWith(), {}, [])
  const few = await measure()
  await bookMany(household, 36_500, 100_000)
  const without = await measure()
  await makeCheckpoints(contextWith(), {}, [])
  const many = await measure()

  const bodies = (all: typeof few) => Object.values(all).map(({ body }) => body)
  expect(bodies(many)).toEqual(bodies(without))
  expect(bodies(many)).not.toEqual(bodies(few))

  expect(Math.max(few.months.rowsRead, many.months.rowsRead)).toBeLessThanOrEqual(2_500)
  expect(Math.max(few.limits.rowsRead, many.limits.rowsRead)).toBeLessThanOrEqual(2_500)
  // These have no whole months.
  expect(Math.max(few.paydays.rowsRead, many.paydays.rowsRead)).toBeLessThanOrEqual(5_000)

  // Without a checkpoint: each amount once, each month of an account and category once, and of the account in dollars each day,
  // with its rate.
  const [counted = { rows: 0 }] = await rows<{ rows: number }>(
    `SELECT count(*) AS rows FROM flow_periods f JOIN accounts a ON a.id = f.account_id
      WHERE f.grain = iif(a.currency = 'USD', 'day', 'month')`,
  )
  const most = LINES * PERIODS + counted.rows + 2 * DAYS + 2_000
  expect(without.months.rowsRead).toBeLessThanOrEqual(most)
  expect(without.limits.rowsRead).toBeLessThanOrEqual(most)
}, 600_000)
