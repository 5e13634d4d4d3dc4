import { rows } from '../../support/api.ts'

/** A rate that everybody sees, past the service. What it leaves would be there for every other test. */
export async function addSystem(
  from: string,
  to: string,
  date: string,
  rate: string,
): Promise<string> {
  const id = `rate_${crypto.randomUUID()}`
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
export const forgetSystemRates = (): Promise<unknown> => rows('DELETE FROM system_exchange_rates')
