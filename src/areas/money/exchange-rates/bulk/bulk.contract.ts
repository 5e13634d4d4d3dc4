import { z } from '@hono/zod-openapi'
import { integerField } from '../../../../http/fields.ts'
import {
  CreateExchangeRateRequest,
  ExchangeRateResponse,
  presentRate,
} from '../exchange-rates.contract.ts'
import type { Placed } from './bulk.rules.ts'

const MOST = 500

export const AddExchangeRatesRequest = z
  .strictObject({
    rates: z
      .array(CreateExchangeRateRequest)
      .min(1)
      .max(MOST)
      .openapi({ description: `The rates, up to ${MOST}; all of them are stored, or none.` }),
    replace: z.boolean().default(false).openapi({
      description:
        'Whether a rate takes the place of one of the same pair and date; otherwise that is a 409.',
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
            .openapi({ description: 'What became of it.', example: 'created' }),
          rate: ExchangeRateResponse,
        }),
      )
      .openapi({ description: 'One for each rate that was sent, in that order.' }),
    created: integerField('How many are new.', 1),
    replaced: integerField('How many took the place of another.', 0),
    unchanged: integerField('How many were there already, with that very rate.', 0),
  })
  .openapi('AddExchangeRatesResponse')

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
