import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { exchangeRates } from '../../../drizzle/schema/currencies.ts'
import type { CalendarDate } from '../../domain/calendar.ts'
import type { StoredRate } from '../../domain/exchange.ts'
import type { SignedIn } from '../../platform/context.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { db, type Statement } from '../../platform/statements.ts'

export type ExchangeRateRow = typeof exchangeRates.$inferSelect

export interface ExchangeRateFilter {
  from?: string | undefined
  to?: string | undefined
  since?: CalendarDate | undefined
  until?: CalendarDate | undefined
}

const matches = (ctx: SignedIn, { from, to, since, until }: ExchangeRateFilter) =>
  and(
    eq(exchangeRates.ownerId, ctx.caller.userId),
    from === undefined ? undefined : eq(exchangeRates.from, from),
    to === undefined ? undefined : eq(exchangeRates.to, to),
    since === undefined ? undefined : gte(exchangeRates.date, since),
    until === undefined ? undefined : lte(exchangeRates.date, until),
  )

/** Newest date first; one row more than the page, which tells whether there is a next one. */
export function pageOfRates(ctx: SignedIn, filter: ExchangeRateFilter, page: PageRequest) {
  const [date, id] = page.after ?? []
  const follows =
    date === undefined
      ? undefined
      : sql`(${exchangeRates.date}, ${exchangeRates.id}) < (${date}, ${id})`
  return db
    .select()
    .from(exchangeRates)
    .where(and(matches(ctx, filter), follows))
    .orderBy(desc(exchangeRates.date), desc(exchangeRates.id))
    .limit(page.limit + 1)
}

export const countOfRates = (ctx: SignedIn, filter: ExchangeRateFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(exchangeRates)
    .where(matches(ctx, filter))

export const insertRate = (rate: ExchangeRateRow): Statement =>
  db.insert(exchangeRates).values(rate)

/**
 * The newest rate on or before the date of every pair that `chooseRate` can need to bring amounts of
 * the given currencies into the target: those with the target or the caller's base currency on one
 * side. One seek per pair, whatever is stored.
 * @param currencies a subquery of one column
 */
export function ratesAsOf(ctx: SignedIn, date: CalendarDate, currencies: SQL, target: string) {
  const { userId } = ctx.caller
  // CROSS JOIN fixes the order: from the pairs to their rates, never the other way round.
  return db.all<StoredRate>(sql`
    WITH given(code) AS (${currencies}),
      hubs(code) AS (SELECT ${target} UNION SELECT base_currency FROM users WHERE id = ${userId}),
      needed(code) AS (SELECT code FROM given UNION SELECT code FROM hubs),
      pairs(source, target) AS (
        SELECT needed.code, hubs.code FROM needed, hubs WHERE needed.code <> hubs.code
        UNION
        SELECT hubs.code, needed.code FROM needed, hubs WHERE needed.code <> hubs.code)
    SELECT pairs.source AS "from", pairs.target AS "to", r.date, r.rate
    FROM pairs CROSS JOIN exchange_rates r ON r.rowid = (
      SELECT newest.rowid FROM exchange_rates newest
      WHERE newest.owner_id = ${userId} AND newest.from_currency = pairs.source
        AND newest.to_currency = pairs.target AND newest.date <= ${date}
      ORDER BY newest.date DESC LIMIT 1)`)
}
