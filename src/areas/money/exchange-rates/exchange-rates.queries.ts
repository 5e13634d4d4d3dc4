import { type SQL, sql } from 'drizzle-orm'
import { exchangeRates } from '../../../../drizzle/schema/currencies.ts'
import type { CalendarDate } from '../../../domain/calendar.ts'
import { REFERENCE_CURRENCY } from '../../../domain/exchange.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { writesOf } from '../../../platform/database/owned-tables.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import type { PackedRates, RateContent } from './exchange-rates.rules.ts'
import { ownedBy } from '../../identity/access/access.public.ts'

export interface ExchangeRateRow extends RateContent {
  id: string
  /** Null for a rate of the system. */
  ownerId: string | null
  version: number
  createdAt: number
  updatedAt: number
}

export interface ExchangeRateFilter {
  from?: string | undefined
  to?: string | undefined
  fromDate?: CalendarDate | undefined
  toDate?: CalendarDate | undefined
  source?: 'user' | 'system' | undefined
}

const columns = sql.raw(`r.from_currency AS "from", r.to_currency AS "to", r.date, r.rate,
  r.version, r.created_at AS createdAt, r.updated_at AS updatedAt`)

/** The two shelves that rates stand on. `own` sorts a user's rate before one of the system. */
const own = ({ caller }: SignedIn) => ({
  rank: '1',
  selection: sql`SELECT r.id, r.owner_id AS ownerId, 1 AS own, ${columns} FROM exchange_rates r`,
  count: sql`SELECT count(*) FROM exchange_rates r`,
  conditions: [ownedBy(caller, 'r.owner_id')],
})
const ofSystem = () => ({
  rank: '0',
  selection: sql`SELECT r.id, NULL AS ownerId, 0 AS own, ${columns} FROM system_exchange_rates r`,
  count: sql`SELECT count(*) FROM system_exchange_rates r`,
  conditions: [] as SQL[],
})

const shelvesOf = (ctx: SignedIn, { source }: ExchangeRateFilter) => [
  ...(source === 'system' ? [] : [own(ctx)]),
  ...(source === 'user' ? [] : [ofSystem()]),
]

const where = (conditions: SQL[]) =>
  conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`

const matches = ({ from, to, fromDate, toDate }: ExchangeRateFilter): SQL[] => [
  ...(from === undefined ? [] : [sql`r.from_currency = ${from}`]),
  ...(to === undefined ? [] : [sql`r.to_currency = ${to}`]),
  ...(fromDate === undefined ? [] : [sql`r.date >= ${fromDate}`]),
  ...(toDate === undefined ? [] : [sql`r.date <= ${toDate}`]),
]

/** The conditions for rows of one origin to come after a position `date, own, id`. */
function follows(rank: string, after: PageRequest['after']): SQL[] {
  const [date, own, id] = after ?? []
  if (date === undefined || own === undefined) {
    return []
  }
  if (own === rank) {
    return [sql`(r.date, r.id) < (${date}, ${id})`]
  }
  return [own > rank ? sql`r.date <= ${date}` : sql`r.date < ${date}`]
}

/**
 * Newest date first, and on a date the own rates before those of the system; one row more than the page,
 * which tells whether there is a next one.
 */
export function pageOfRates(ctx: SignedIn, filter: ExchangeRateFilter, page: PageRequest) {
  const limit = page.limit + 1
  const parts = shelvesOf(ctx, filter).map(({ rank, selection, conditions }) => {
    const all = [...conditions, ...matches(filter), ...follows(rank, page.after)]
    return sql`SELECT * FROM (${selection} ${where(all)} ORDER BY r.date DESC, r.id DESC LIMIT ${limit})`
  })
  return db.all<ExchangeRateRow & { own: number }>(
    sql`${sql.join(parts, sql` UNION ALL `)} ORDER BY date DESC, own DESC, id DESC LIMIT ${limit}`,
  )
}

export function countOfRates(ctx: SignedIn, filter: ExchangeRateFilter) {
  const counts = shelvesOf(ctx, filter).map(
    ({ count, conditions }) => sql`(${count} ${where([...conditions, ...matches(filter)])})`,
  )
  return db.all<{ count: number }>(sql`SELECT ${sql.join(counts, sql` + `)} AS count`)
}

/** The rate, if it is the caller's or the system's. */
export const rateById = (ctx: SignedIn, id: string) =>
  db.all<ExchangeRateRow>(sql`${own(ctx).selection} WHERE r.id = ${id} AND ${ownedBy(ctx.caller, 'r.owner_id')}
    UNION ALL ${ofSystem().selection} WHERE r.id = ${id}`)

export const ownRateRows = writesOf(exchangeRates)

/** The newest rate of a pair on or before a date, as an expression: `date own rate`, or nothing. */
export function newestRate(caller: SignedIn['caller'], date: SQL, from: SQL, to: SQL): SQL {
  const ofPair = sql`rated.from_currency = ${from} AND rated.to_currency = ${to} AND rated.date <= ${date}
    ORDER BY rated.date DESC LIMIT 1`
  // Compared as text, the newer date is greater, and on the same date the own rate.
  return sql`max(ifnull((SELECT rated.date || ' 1 ' || rated.rate FROM exchange_rates rated
      WHERE ${ownedBy(caller, 'rated.owner_id')} AND ${ofPair}), ''),
    ifnull((SELECT rated.date || ' 0 ' || rated.rate FROM system_exchange_rates rated WHERE ${ofPair}), ''))`
}

/**
 * For each of the given currencies the newest rates on or before the date that `chooseRate` can need to
 * bring amounts into the target: those with the target, the caller's base currency or the reference
 * currency on the other side. Of an own rate and one of the system on the same date it is the own one.
 * Each is two seeks, whatever is stored; `storedRates` unpacks them.
 * @param currencies a subquery of one column `currency`
 * @param target a code, or SQL of one; null for the caller's base currency
 */
export function ratesAsOf(
  { caller }: SignedIn,
  date: CalendarDate,
  currencies: SQL,
  target: string | SQL | null,
): Statement<PackedRates[]> {
  const newest = (from: SQL, to: SQL) => newestRate(caller, sql`${date}`, from, to)
  const [one, base, reference] = [
    sql`given.currency`,
    sql`u.base_currency`,
    sql`${REFERENCE_CURRENCY}`,
  ]
  const into = target === null ? base : sql`${target}`
  return db.all<PackedRates>(sql`
    SELECT given.currency, ${base} AS base, ${into} AS target,
      ${newest(one, into)} AS toTarget, ${newest(into, one)} AS fromTarget,
      CASE WHEN ${base} <> ${into} THEN ${newest(one, base)} END AS toBase,
      CASE WHEN ${base} <> ${into} THEN ${newest(base, one)} END AS fromBase,
      CASE WHEN ${reference} NOT IN (${base}, ${into}) THEN ${newest(one, reference)} END AS toReference,
      CASE WHEN ${reference} NOT IN (${base}, ${into}) THEN ${newest(reference, one)} END AS fromReference
    FROM users u CROSS JOIN (${currencies} UNION SELECT ${reference}
      UNION SELECT own.base_currency FROM users own WHERE own.id = ${caller.userId}) given
    WHERE u.id = ${caller.userId}`)
}
