import { type SQL, sql } from 'drizzle-orm'
import { requireChanged } from '../../../../platform/database/premises.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import type { ExchangeRateRow } from '../exchange-rates.queries.ts'
import type { RateContent } from '../exchange-rates.rules.ts'

/** The table of somebody's rates, or, for null, of the system's. */
const shelfOf = (ownerId: string | null) =>
  ownerId === null
    ? { table: sql`system_exchange_rates`, owner: sql`NULL`, column: sql``, is: sql`` }
    : {
        table: sql`exchange_rates`,
        owner: sql`r.owner_id`,
        column: sql`owner_id,`,
        is: sql`r.owner_id = ${ownerId} AND`,
      }

const each = (items: object[]): SQL => sql`json_each(${JSON.stringify(items)}) sent`

/** The stored rates of the same pairs and dates. */
export const storedBeside = (ownerId: string | null, rates: RateContent[]) => {
  const { table, owner, is } = shelfOf(ownerId)
  return db.all<ExchangeRateRow>(sql`SELECT r.id, ${owner} AS ownerId, r.from_currency AS "from",
      r.to_currency AS "to", r.date, r.rate, r.version, r.created_at AS createdAt, r.updated_at AS updatedAt
    FROM ${each(rates)} CROSS JOIN ${table} r ON ${is} r.from_currency = sent.value ->> 'from'
      AND r.to_currency = sent.value ->> 'to' AND r.date = sent.value ->> 'date'`)
}

export const insertRates = (ownerId: string | null, rates: ExchangeRateRow[]): Statement => {
  const { table, column } = shelfOf(ownerId)
  const owner = ownerId === null ? sql`` : sql`${ownerId},`
  return db.run(sql`INSERT INTO ${table}
      (id, ${column} from_currency, to_currency, date, rate, version, created_at, updated_at)
    SELECT sent.value ->> 'id', ${owner} sent.value ->> 'from', sent.value ->> 'to', sent.value ->> 'date',
      sent.value ->> 'rate', 1, sent.value ->> 'createdAt', sent.value ->> 'createdAt' FROM ${each(rates)}`)
}

/** Refuses unless all are still of the version before the one that they are given. */
export const replaceRates = (ownerId: string | null, rates: ExchangeRateRow[]): Statement[] => {
  const { table, is } = shelfOf(ownerId)
  return [
    db.run(sql`UPDATE ${table} AS r SET rate = sent.value ->> 'rate', version = r.version + 1,
        updated_at = sent.value ->> 'updatedAt' FROM ${each(rates)}
      WHERE ${is} r.id = sent.value ->> 'id' AND r.version = (sent.value ->> 'version') - 1`),
    requireChanged(rates.length, exchangeRateErrors.changedMeanwhile),
  ]
}
