import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'cloudflare:workers'
import { fetchRatesJob } from '../../../src/areas/money/exchange-rates/system/system.jobs.ts'
import { settingsOf } from '../../../src/env.ts'
import type { Context } from '../../../src/platform/context.ts'
import { rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { forgetSystemRates } from './rates.ts'

export const DAILY = 'eurofxref-daily.xml'
export const RECENT = 'eurofxref-hist-90d.xml'
export const HISTORY = 'eurofxref-hist.zip'

/** A server on loopback that publishes rates as the European Central Bank does, until a test ends. */
export interface Bank {
  /** What it publishes, by the name of the file; nothing else is there. */
  files: Map<string, string | Uint8Array>
  /** The names that it was asked for since the last time. */
  asked: () => string[]
  /** Does the nightly task; the night of 2026-11-21, if nothing else is said. */
  night: (changed?: Partial<Context>) => Promise<Context>
  close: () => void
}

export const NIGHT = Date.parse('2026-11-21T03:17:00Z')

export async function openBank(): Promise<Bank> {
  const files: Bank['files'] = new Map()
  let names: string[] = []
  const server = createServer((request, response) => {
    const name = request.url?.split('/').at(-1) ?? ''
    names.push(name)
    const body = files.get(name)
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = settingsOf({
    ...env,
    OUTBOUND_ALLOW: host,
    EXCHANGE_RATES_URL: `http://${host}/stats/eurofxref/${DAILY}`,
  })
  return {
    files,
    asked: () => {
      const asked = names
      names = []
      return asked
    },
    night: async (changed = {}) => {
      const ctx = contextWith({ settings, now: NIGHT, ...changed })
      await fetchRatesJob.run(ctx, {}, [])
      return ctx
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** After each test: forgets the rates, and what anybody needed. */
export async function forgetNeeds(): Promise<void> {
  await forgetSystemRates()
  await rows('UPDATE accounts SET deleted_at = 1')
  await rows('UPDATE transactions SET deleted_at = 1')
  await rows("UPDATE users SET base_currency = 'EUR'")
}

/** The stored dates of a currency, oldest first. */
export const datesOf = async (currency: string): Promise<string[]> =>
  (
    await rows<{ date: string }>(
      "SELECT date FROM system_exchange_rates WHERE from_currency = 'EUR' AND to_currency = ? ORDER BY date",
      currency,
    )
  ).map(({ date }) => date)

export const coverage = (
  currency: string,
): Promise<{ state: string; from: string; through: string }[]> =>
  rows(
    `SELECT state, from_date AS "from", through_date AS through FROM rate_coverage WHERE currency = ?
      ORDER BY from_date`,
    currency,
  )
