import { z } from '@hono/zod-openapi'
import { daysBetween } from '../../../../domain/calendar.ts'
import { type ChosenRate, isStale } from '../../../../domain/exchange.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  knownCurrencyInput,
  date,
  dateInput,
  nullableText,
  money,
  moneyInput,
  textField,
  integerField,
} from '../../../../http/fields.ts'
import { rateWarnings, staleField } from '../ages.contract.ts'
import { staleWarnings } from '../ages.rules.ts'
import { viaOf } from '../exchange-rates.rules.ts'
import type { AmountConversion, LatestRates } from './conversion.usecases.ts'

export const ConvertQuery = z.strictObject({
  amount: moneyInput(
    'Amount to convert, with at most the decimals of its currency; may be negative.',
  ),
  from: knownCurrencyInput('Currency of the amount; may be one that ended.').openapi({
    example: 'USD',
  }),
  to: knownCurrencyInput('Currency to convert into; may be one that ended.'),
  date: dateInput(
    'Day of the rate; the newest rate on or before it applies. By default today.',
  ).optional(),
})

const rate = textField(
  'Rate, rounded to 12 decimals; the amount was computed with the unrounded rate.',
  '0.922339051836',
)

const rateDate = z.string().nullable().openapi({
  description: 'Date of the rate, or of the older one of two; null if no rate was needed.',
  format: 'date',
  example: '2026-11-20',
})

/** The way in which a rate was found. */
export const way = {
  path: z.enum(['same', 'direct', 'inverse', 'viaBase', 'viaReference']).openapi({
    description:
      'How the rate was found: a stored rate, the inverse of one, or a combination of two through the base currency or the reference currency (EUR).',
    example: 'inverse',
  }),
  via: nullableText('Currency that connects two rates; null for a single rate.'),
}

export const ConvertResponse = z
  .object({
    amount: money('Amount that was converted.'),
    from: currency('Currency of the amount.').openapi({ example: 'USD' }),
    converted: money('Converted amount, rounded once, half to even.'),
    to: currency('Currency of the converted amount.'),
    date: date('Requested day.'),
    rate,
    rateDate,
    stale: staleField,
    ...way,
    warnings: rateWarnings,
  })
  .openapi('ConvertResponse')

export const LatestRatesResponse = z
  .object({
    baseCurrency: currency('Base currency, into which the rates convert.'),
    date: date('Today (UTC), from which the ages are counted.'),
    rates: z
      .array(
        z.object({
          currency: currency(
            'Currency of which one unit is worth `rate` units of the base currency.',
          ).openapi({
            example: 'USD',
          }),
          rate,
          rateDate: date('Date of the rate, or of the older one of two.'),
          ageDays: integerField('Age of the rate in days.', 1),
          stale: staleField,
          ...way,
        }),
      )
      .openapi({ description: 'Rates of every currency that the caller works with, by code.' }),
    missing: z
      .array(z.string())
      .openapi({ description: 'Currencies without a rate, by code.', example: ['KWD'] }),
    count,
  })
  .openapi('LatestRatesResponse')

export const presentConversion = (found: AmountConversion): z.infer<typeof ConvertResponse> => ({
  amount: formatMoney(found.minor, found.from),
  from: found.from,
  converted: formatMoney(found.convertedMinor, found.to),
  to: found.to,
  date: found.date,
  rate: found.chosen.rateText,
  rateDate: found.chosen.date ?? null,
  stale: isStale(found.chosen, found.date),
  ...wayOf(found.chosen, found.base),
  warnings: staleWarnings([{ currency: found.from, chosen: found.chosen, day: found.date }]),
})

export const presentLatest = ({
  base,
  today,
  rates,
  missing,
}: LatestRates): z.infer<typeof LatestRatesResponse> => ({
  baseCurrency: base,
  date: today,
  rates: rates.map(({ currency, chosen, date }) => ({
    currency,
    rate: chosen.rateText,
    rateDate: date,
    ageDays: daysBetween(date, today),
    stale: isStale(chosen, today),
    ...wayOf(chosen, base),
  })),
  missing,
  count: rates.length,
})

const wayOf = (chosen: ChosenRate, base: string) => ({
  path: chosen.path,
  via: viaOf(chosen, base),
})
