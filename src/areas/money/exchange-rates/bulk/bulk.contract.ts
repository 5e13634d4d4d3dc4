import { z } from '@hono/zod-openapi'
import { integerField } from '../../../../http/fields.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  presentRate,
} from '../exchange-rates.contract.ts'
import type { PlannedRate } from './bulk.rules.ts'

const MOST = 500

export const AddExchangeRatesRequest = z
  .strictObject({
    rates: z
      .array(CreateExchangeRateRequest)
      .min(1)
      .max(MOST)
      .openapi({ description: `The rates, up to ${MOST}. Either all of them are stored or none.` }),
    replace: z.boolean().default(false).openapi({
      description:
        'Whether a rate replaces an existing one of the same pair and date; if not, such a rate is refused with 409.',
      example: false,
    }),
  })
  .openapi('AddExchangeRatesRequest')

export const AddExchangeRatesResponse = z
  .object({
    results: z
      .array(
        z.object({
          status: z
            .enum(['created', 'replaced', 'unchanged'])
            .openapi({ description: 'Outcome for this rate.', example: 'created' }),
          rate: ExchangeRateResponse,
        }),
      )
      .openapi({ description: 'One result for each rate that was sent, in the same order.' }),
    created: integerField('Number of rates that were created.', 1),
    replaced: integerField('Number of rates that replaced another one.', 0),
    unchanged: integerField('Number of rates that already existed with the same value.', 0),
  })
  .openapi('AddExchangeRatesResponse')

export function presentAdded(placed: PlannedRate[]): z.infer<typeof AddExchangeRatesResponse> {
  const count = (wanted: PlannedRate['status']) =>
    placed.filter(({ status }) => status === wanted).length
  return {
    results: placed.map(({ status, rate }) => ({ status, rate: presentRate(rate) })),
    created: count('created'),
    replaced: count('replaced'),
    unchanged: count('unchanged'),
  }
}
