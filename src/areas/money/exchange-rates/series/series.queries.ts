import { type SQL, sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import type { ReportInterval } from '../../../../domain/reports/intervals.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { PackedRate } from './series.rules.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'

export interface RateSpan {
  /** The first point, which starts from the newest rates on or before it. */
  first: CalendarDate | SQL
  last: CalendarDate | SQL
  /** The distance between points: of the rates between two of them only the newest is fetched. */
  interval: ReportInterval
}

/**
 * The users whose rates count beside those of the system, and their base currencies, which connect two rates. There
 * may be several holders.
 */
interface RateHolder {
  /** True if a rate `r` is one of the holder `p.holder`. */
  holds: SQL
  /** A query of the base currency, as the column `code`, of each `holder`. */
  base: SQL
}

/** The column of the holder where there is only one. */
const ALONE = sql.raw(`'' AS holder`)

const BUCKETS = {
  day: sql.raw('r.date'),
  week: sql.raw(`date(r.date, 'weekday 0')`),
  month: sql.raw('substr(r.date, 1, 7)'),
  quarter: sql.raw('substr(r.date, 1, 7)'),
  year: sql.raw('substr(r.date, 1, 4)'),
}

/**
 * The rates that `chooseRate` can need on the points of a span to bring amounts of the given currencies into
 * the target: per pair the newest on or before the first point, and the newest of each interval after it.
 * Costs the rates in the span.
 * @param currencies a subquery of one column `currency`
 * @param target null for the caller's base currency
 */
export const ratesThrough = (
  { caller }: SignedIn,
  span: RateSpan,
  currencies: SQL,
  target: string | null,
): Statement<PackedRate[]> =>
  db.all<PackedRate>(
    ratesOf(
      {
        holds: ownedBy(caller, 'r.owner_id'),
        base: sql`SELECT ${ALONE}, base_currency AS code FROM users WHERE id = ${caller.userId}`,
      },
      span,
      sql`SELECT ${ALONE}, currency AS code FROM (${currencies})`,
      target === null ? undefined : sql`SELECT ${ALONE}, ${target} AS code`,
    ),
  )

/**
 * The query of `ratesThrough` by the rates of anybody: no rows where there are no currencies.
 * @param currencies a subquery of the columns `holder` and `code`, like `target`
 * @param tables of a WITH, which the other parameters may name
 */
export function ratesOf(
  { holds, base }: RateHolder,
  { first, last, interval }: RateSpan,
  currencies: SQL,
  target: SQL | undefined,
  tables?: SQL,
): SQL {
  const shelves = [
    { rank: sql.raw(`' 1 '`), table: sql`exchange_rates r`, of: sql`${holds} AND` },
    { rank: sql.raw(`' 0 '`), table: sql`system_exchange_rates r`, of: sql`` },
  ]
  const ofPair = sql.raw('r.from_currency = p.one AND r.to_currency = p.other')
  const before = shelves.map(
    ({ rank, table, of }) => sql`ifnull((SELECT r.date || ${rank} || r.rate FROM ${table}
      WHERE ${of} ${ofPair} AND r.date <= ${first} ORDER BY r.date DESC LIMIT 1), '')`,
  )
  const within = shelves.map(
    ({ rank, table, of }) => sql`UNION ALL
      SELECT p.one, p.other, max(r.date || ${rank} || r.rate), p.holder FROM pairs p CROSS JOIN ${table}
      WHERE ${of} ${ofPair} AND r.date > ${first} AND r.date <= ${last}
      GROUP BY p.holder, p.one, p.other, ${BUCKETS[interval]}`,
  )
  // Compared as text, the newer date is greater, and on the same date the own rate.
  return sql`WITH ${tables ? sql`${tables},` : sql``}
      foreign_ones AS (${currencies}),
      hubs AS (SELECT holder, code FROM (${base} UNION SELECT DISTINCT holder, ${REFERENCE_CURRENCY} FROM foreign_ones
        ${target ? sql`UNION ${target}` : sql``}) WHERE holder IN (SELECT holder FROM foreign_ones)),
      given AS (SELECT holder, code FROM foreign_ones UNION SELECT holder, code FROM hubs),
      pairs AS (SELECT given.holder, given.code AS one, hubs.code AS other FROM given, hubs
          WHERE given.holder = hubs.holder AND given.code <> hubs.code
        UNION SELECT hubs.holder, hubs.code, given.code FROM given, hubs
          WHERE given.holder = hubs.holder AND given.code <> hubs.code)
    SELECT p.one AS "from", p.other AS "to", max(${sql.join(before, sql`, `)}) AS packed, p.holder
    FROM pairs p WHERE packed <> '' ${sql.join(within, sql` `)}`
}
