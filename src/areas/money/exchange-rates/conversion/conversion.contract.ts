import { z } from '@hono/zod-openapi'
import { daysBetween } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  knownCurrencyInput,
  date,
  dateInput,
  money,
  moneyInput,
  integerField,
} from '../../../../http/fields.ts'
import { presentUsedRate, rateWarnings, usedRate } from '../ages.contract.ts'
import { staleWarnings } from '../ages.rules.ts'
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

export const ConvertResponse = z
  .object({
    amount: money('Amount that was converted.'),
    from: currency('Currency of the amount.').openapi({ example: 'USD' }),
    converted: money('Converted amount, rounded once, half to even.'),
    to: currency('Currency of the converted amount.'),
    date: date('Requested day.'),
    ...usedRate,
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
          ...usedRate,
          rateDate: date('Date of the rate, or of the older one of two.'),
          ageDays: integerField('Age of the rate in days.', 1),
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
  ...presentUsedRate(found.chosen, { day: found.date, base: found.base }),
  warnings: staleWarnings([{ ...found, currency: found.from, day: found.date }]),
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
    ...presentUsedRate(chosen, { day: today, base }),
    rateDate: date,
    ageDays: daysBetween(date, today),
  })),
  missing,
  count: rates.length,
})
