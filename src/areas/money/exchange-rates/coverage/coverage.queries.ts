import { type SQL, sql } from 'drizzle-orm'
import { rateCoverage } from '../../../../../drizzle/schema/currencies.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import {
  accountIsOwnOf,
  accountIsSeenBy,
  isUnrestricted,
  ownedBy,
  viewerOf,
} from '../../../identity/access/access.public.ts'
import type { CoveredSpan, Need, Span } from './coverage.rules.ts'

/** What counts for the needs. */
interface Scope {
  /** Conditions on `accounts`: of those whose opening dates count, and of those whose transactions do. */
  opened: SQL
  booked: SQL
  /** A condition on transactions `t` with an original currency. */
  original: SQL
  /** A query of base currencies, as the column `currency`. */
  bases: SQL
}

/** The tables `days` and `needs` of a WITH: base currencies are needed as far back as any other. */
const needsWithin = ({ opened, booked, original, bases }: Scope): SQL => sql`
  days AS (SELECT accounts.currency, accounts.opening_date AS day FROM accounts WHERE ${opened}
    UNION ALL SELECT accounts.currency, (SELECT min(p.period) FROM account_periods p
      WHERE p.account_id = accounts.id AND p.grain = 'day') FROM accounts WHERE ${booked}
    UNION ALL SELECT t.original_currency, min(t.date) FROM transactions t
      WHERE t.original_currency IS NOT NULL AND t.deleted_at IS NULL AND ${original}
      GROUP BY t.owner_id, t.original_currency),
  needs AS (SELECT currency, min(day) AS day
    FROM (SELECT currency, day FROM days UNION ALL SELECT currency, (SELECT min(day) FROM days) FROM (${bases}))
    WHERE day IS NOT NULL AND currency <> ${REFERENCE_CURRENCY} GROUP BY currency)`

/** The currencies that anybody needs. */
export function neededByAll() {
  const exists = sql`accounts.deleted_at IS NULL`
  const bases = sql`SELECT base_currency AS currency FROM users UNION SELECT base_currency FROM groups`
  return db.all<Need>(sql`WITH ${needsWithin({ opened: exists, booked: exists, original: sql`true`, bases })}
    SELECT currency, day AS "from" FROM needs ORDER BY currency`)
}

/** Of the accounts of others only the opening dates count: a transaction may be private. */
const neededBy = (ctx: SignedIn): SQL =>
  needsWithin({
    opened: accountIsSeenBy(viewerOf(ctx)),
    booked: accountIsOwnOf(viewerOf(ctx)),
    original: sql`${ownedBy(ctx.caller, 't.owner_id')} AND ${isUnrestricted(ctx)}`,
    bases: sql`SELECT base_currency AS currency FROM users WHERE id = ${ctx.caller.userId}`,
  })

/** Rates `r` that lead from a currency to the euro or the caller's base currency, or back: the first in an order. */
function ratesBeside(ctx: SignedIn, currency: SQL, within: SQL): SQL[] {
  const shelves = [
    sql`system_exchange_rates r WHERE`,
    sql`exchange_rates r WHERE ${ownedBy(ctx.caller, 'r.owner_id')} AND`,
  ]
  const hubs = [sql`${REFERENCE_CURRENCY}`, sql`(SELECT base FROM own)`]
  return shelves.flatMap((shelf) =>
    hubs.flatMap((hub) =>
      [
        [currency, hub],
        [hub, currency],
      ].map(
        ([one, other]) =>
          sql`(SELECT r.date FROM ${shelf} r.from_currency = ${one} AND r.to_currency = ${other} AND ${within} LIMIT 1)`,
      ),
    ),
  )
}

const NEVER = '9999-12-31'

const newestOf = (dates: SQL[]) =>
  sql`nullif(max(${sql.join(
    dates.map((date) => sql`ifnull(${date}, '')`),
    sql`, `,
  )}), '')`
const oldestOf = (dates: SQL[]) =>
  sql`nullif(min(${sql.join(
    dates.map((date) => sql`ifnull(${date}, ${NEVER})`),
    sql`, `,
  )}), ${NEVER})`

/** No base where it is the euro, which is looked for anyway. */
const own = (ctx: SignedIn) =>
  sql`own AS (SELECT nullif(base_currency, ${REFERENCE_CURRENCY}) AS base FROM users WHERE id = ${ctx.caller.userId})`

export interface CoveredCurrency extends Need {
  firstDate: CalendarDate | null
  lastDate: CalendarDate | null
}

/** The currencies that the caller needs, with the days of their first and last rates. */
export const currenciesCovered = (ctx: SignedIn, today: CalendarDate) => {
  const beside = (order: 'ASC' | 'DESC') =>
    ratesBeside(ctx, sql`n.currency`, sql`r.date <= ${today} ORDER BY r.date ${sql.raw(order)}`)
  return db.all<CoveredCurrency>(sql`WITH ${own(ctx)}, ${neededBy(ctx)}
    SELECT n.currency, n.day AS "from", ${oldestOf(beside('ASC'))} AS firstDate, ${newestOf(beside('DESC'))} AS lastDate
    FROM needs n ORDER BY n.currency`)
}

/** The longest time without a rate that is no gap. */
const MOST_DAYS_BETWEEN = 7

/**
 * The stretches of more than seven days in which a currency that the caller needs has no rate. Goes through the rates of each from
 * one week to the next, so it reads few of them.
 */
export const gapsBetweenRates = (ctx: SignedIn, today: CalendarDate, tomorrow: CalendarDate) => {
  const reach = sql.raw(`'+${MOST_DAYS_BETWEEN + 1} days'`)
  const within = newestOf(
    ratesBeside(
      ctx,
      sql`w.currency`,
      sql`r.date > w.at AND r.date <= min(date(w.at, ${reach}), ${today}) ORDER BY r.date DESC`,
    ),
  )
  const beyond = oldestOf(
    ratesBeside(ctx, sql`w.currency`, sql`r.date > w.at AND r.date <= ${today} ORDER BY r.date`),
  )
  return db.all<
    Span & { currency: string; days: number }
  >(sql`WITH RECURSIVE ${own(ctx)}, ${neededBy(ctx)},
    walk(currency, before, at) AS (SELECT currency, NULL, date(day, '-1 day') FROM needs
      UNION ALL SELECT w.currency, w.at, coalesce(${within}, ${beyond}, ${tomorrow}) FROM walk w WHERE w.at < ${today})
    SELECT currency, date(before, '+1 day') AS "from", date(at, '-1 day') AS through,
      CAST(julianday(at) - julianday(before) AS INTEGER) - 1 AS days
    FROM walk WHERE before IS NOT NULL AND days > ${sql.raw(String(MOST_DAYS_BETWEEN))} ORDER BY currency, before`)
}

export const coveredSpans = () =>
  db
    .select({
      currency: rateCoverage.currency,
      state: rateCoverage.state,
      from: rateCoverage.from,
      through: rateCoverage.through,
    })
    .from(rateCoverage)

/** Adds spans, each joined with those that it touches, so that there stay few rows. */
export function storeCoverage(spans: CoveredSpan[], now: number): Statement[] {
  const sent = sql`json_each(${JSON.stringify(spans)}) sent`
  const edge = (choose: 'min' | 'max', column: 'from_date' | 'through_date', own: SQL) =>
    sql`${sql.raw(choose)}(${own}, ifnull((SELECT ${sql.raw(`${choose}(c.${column})`)} FROM rate_coverage c
      WHERE c.currency = sent.value ->> 'currency' AND c.state = sent.value ->> 'state'
        AND c.from_date <= date(sent.value ->> 'through', '+1 day')
        AND c.through_date >= date(sent.value ->> 'from', '-1 day')), ${own}))`
  return [
    db.run(sql`INSERT INTO rate_coverage (currency, state, from_date, through_date, checked_at)
      SELECT sent.value ->> 'currency', sent.value ->> 'state', ${edge('min', 'from_date', sql`sent.value ->> 'from'`)},
        ${edge('max', 'through_date', sql`sent.value ->> 'through'`)}, ${now} FROM ${sent} WHERE true
      ON CONFLICT DO UPDATE SET through_date = max(through_date, excluded.through_date), checked_at = excluded.checked_at`),
    db.run(sql`DELETE FROM rate_coverage AS c WHERE EXISTS (SELECT 1 FROM rate_coverage o WHERE o.currency = c.currency
      AND o.state = c.state AND o.from_date < c.from_date AND o.through_date >= c.through_date)`),
  ]
}
