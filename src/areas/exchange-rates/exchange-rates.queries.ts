import { and, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { exchangeRates } from '../../../drizzle/schema/currencies.ts'
import type { CalendarDate } from '../../domain/calendar.ts'
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

/** Each is `date rate`, or null where no such rate is stored. */
export interface RatesOfCurrency {
  currency: string
  base: string
  target: string
  toTarget: string | null
  fromTarget: string | null
  toBase: string | null
  fromBase: string | null
  baseToTarget: string | null
  targetToBase: string | null
}

/**
 * For each of the given currencies the newest rates on or before the date that `chooseRate` can need to
 * bring amounts into the target: those with the target or the caller's base currency on one side. Each
 * is one seek, whatever is stored; `storedRates` unpacks them.
 * @param currencies a subquery of one column `currency`, without repeats
 */
export function ratesAsOf(
  ctx: SignedIn,
  date: CalendarDate,
  currencies: SQL,
  target: string,
): Statement<RatesOfCurrency[]> {
  const { userId } = ctx.caller
  const newest = (from: SQL, to: SQL) => sql`(SELECT r.date || ' ' || r.rate FROM exchange_rates r
    WHERE r.owner_id = ${userId} AND r.from_currency = ${from} AND r.to_currency = ${to}
      AND r.date <= ${date} ORDER BY r.date DESC LIMIT 1)`
  const [own, base, into] = [sql`given.currency`, sql`u.base_currency`, sql`${target}`]
  return db.all<RatesOfCurrency>(sql`
    SELECT given.currency, u.base_currency AS base, ${target} AS target,
      ${newest(own, into)} AS toTarget, ${newest(into, own)} AS fromTarget,
      ${newest(own, base)} AS toBase, ${newest(base, own)} AS fromBase,
      ${newest(base, into)} AS baseToTarget, ${newest(into, base)} AS targetToBase
    FROM (${currencies}) given JOIN users u ON u.id = ${userId}`)
}
