import { type SQL, sql } from 'drizzle-orm'
import {
  ratesAsOf,
  storedRates,
} from '../../../src/areas/money/exchange-rates/exchange-rates.public.ts'
import type { StoredRate } from '../../../src/domain/exchange.ts'
import type { Cost } from '../../../src/platform/context.ts'
import { read } from '../../../src/platform/database/database.ts'
import { rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { someId } from '../../support/of-file.ts'
import type { TestUser } from '../../support/world.ts'

/** A rate that everybody sees, past the service. What it leaves would be there for every other test. */
export async function addSystem(
  from: string,
  to: string,
  date: string,
  rate: string,
): Promise<string> {
  const id = someId('rate')
  await rows(
    `INSERT INTO system_exchange_rates (id, from_currency, to_currency, date, rate, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, 0, 0)`,
    id,
    from,
    to,
    date,
    rate,
  )
  return id
}

/** After each test: everybody sees them. */
export async function forgetSystemRates(): Promise<void> {
  await rows('DELETE FROM system_exchange_rates')
  await rows('DELETE FROM rate_coverage')
}

/** A subquery of one column with these codes, as the caller of the finder gives one. */
export const oneOf = (codes: string[]): SQL =>
  sql`SELECT value AS currency FROM json_each(${JSON.stringify(codes)}) WHERE 1 = ${1}`

/** The rates that the service finds for a user, in a fixed order, and what that cost. */
export async function find(
  as: TestUser,
  date: string,
  currencies: string[],
  target: string,
): Promise<{ found: StoredRate[]; cost: Cost }> {
  const ctx = await contextOf(as, 'exchangeRates.read')
  const [found] = await read(ctx, ratesAsOf(ctx, date, oneOf(currencies), target))
  return { found: storedRates(found, date).toSorted(byPair), cost: ctx.cost }
}

const byPair = (a: StoredRate, b: StoredRate) => (a.from + a.to < b.from + b.to ? -1 : 1)
