import { and, eq, type SQL, sql } from 'drizzle-orm'
import { systemExchangeRates } from '../../../../../drizzle/schema/currencies.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { RateContent } from '../exchange-rates.rules.ts'

export const systemRateById = (id: string) =>
  db.select().from(systemExchangeRates).where(eq(systemExchangeRates.id, id))

/** Refuses when the rate was changed since it was read. */
export const deleteSystemRateRow = ({
  id,
  version,
}: {
  id: string
  version: number
}): Statement[] => [
  db
    .delete(systemExchangeRates)
    .where(and(eq(systemExchangeRates.id, id), eq(systemExchangeRates.version, version))),
  requireChangedOne(changedMeanwhile),
]

const each = (rates: RateContent[]): SQL => sql`json_each(${JSON.stringify(rates)}) sent`

const SAME =
  sql.raw(`r.from_currency = sent.value ->> 'from' AND r.to_currency = sent.value ->> 'to'
  AND r.date = sent.value ->> 'date'`)

/** Finds the given rates whose pair and date have no rate yet, by their position in the list. */
export const placesOfNew = (rates: RateContent[]) =>
  db.all<{ at: number }>(sql`SELECT sent.key AS at FROM ${each(rates)}
    WHERE NOT EXISTS (SELECT 1 FROM system_exchange_rates r WHERE ${SAME})`)

/** A rate that is there already stays: somebody may have corrected it. */
export const storeFetched = (rates: (RateContent & { id: string })[], now: number): Statement =>
  db.run(sql`INSERT INTO system_exchange_rates (id, from_currency, to_currency, date, rate, created_at, updated_at)
    SELECT sent.value ->> 'id', sent.value ->> 'from', sent.value ->> 'to', sent.value ->> 'date',
      sent.value ->> 'rate', ${now}, ${now} FROM ${each(rates)} WHERE true ON CONFLICT DO NOTHING`)
