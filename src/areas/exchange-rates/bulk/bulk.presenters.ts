import type { z } from '@hono/zod-openapi'
import { presentRate } from '../exchange-rates.presenters.ts'
import type { AddExchangeRatesResponse } from './bulk.schemas.ts'
import type { Placed } from './bulk.rules.ts'

export function presentAdded(placed: Placed[]): z.infer<typeof AddExchangeRatesResponse> {
  const count = (wanted: Placed['status']) =>
    placed.filter(({ status }) => status === wanted).length
  return {
    results: placed.map(({ status, rate }) => ({ status, rate: presentRate(rate) })),
    created: count('created'),
    replaced: count('replaced'),
    unchanged: count('unchanged'),
  }
}
