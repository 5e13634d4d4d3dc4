import { type SQL, sql } from 'drizzle-orm'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { type Statement, wrapped } from '../../../../platform/database/statements.ts'
import { newestRate } from '../exchange-rates.queries.ts'
import { BASE, type DatedAmount } from './amounts.rules.ts'

/** Adds rates to rows, for `exchanged`; without a currency, their statement stays as it is. */
export function withRates<Row extends DatedAmount>(
  ctx: SignedIn,
  rows: Statement<Row[]>,
  convert: string | undefined,
): Statement<Row[]> {
  return convert === undefined ? rows : wrapped(rows, ratesBeside(ctx, convert))
}

/**
 * Adds to rows the rates that `chooseRate` can need to convert their amounts by the rate of their day. Each is two seeks, and a row
 * in the target currency needs none.
 * @param convert a code, or `base`
 */
export function ratesBeside({ caller }: SignedIn, convert: string): (rows: SQL) => SQL {
  const base = sql`(SELECT u.base_currency FROM users u WHERE u.id = ${caller.userId})`
  const target = convert === BASE ? base : sql`${convert}`
  const newest = newestRate(caller, sql`page.date`, sql`one.code`, sql`other.code`)
  // There is no join, which would lose the order of the rows.
  return (rows) => sql`SELECT page.*, (WITH codes AS (SELECT page.currency AS code
        UNION SELECT ${base} UNION SELECT ${target} UNION SELECT ${REFERENCE_CURRENCY})
      SELECT json_group_array(json_object('from', one.code, 'to', other.code, 'packed', ${newest}))
        FROM codes one CROSS JOIN codes other
        WHERE one.code <> other.code AND page.currency <> ${target}) AS rates
    FROM (${rows}) page`
}
