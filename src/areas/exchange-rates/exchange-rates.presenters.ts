import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { ExchangeRateRow } from './exchange-rates.queries.ts'
import type { ExchangeRateResponse, ListExchangeRatesResponse } from './exchange-rates.schemas.ts'

export const presentRate = (rate: ExchangeRateRow): z.infer<typeof ExchangeRateResponse> => ({
  id: rate.id,
  from: rate.from,
  to: rate.to,
  date: rate.date,
  rate: rate.rate,
  source: rate.ownerId === null ? 'system' : 'user',
  ...presentStamps(rate),
})

export const presentRates = ({
  rows,
  count,
  nextCursor,
}: {
  rows: ExchangeRateRow[]
  count: number
  nextCursor: string | null
}): z.infer<typeof ListExchangeRatesResponse> => ({
  exchangeRates: rows.map(presentRate),
  count,
  nextCursor,
})
