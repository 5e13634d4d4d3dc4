import { z } from '@hono/zod-openapi'
import { daysBetween } from '../../../../domain/calendar.ts'
import type { ChosenRate } from '../../../../domain/exchange.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  nullableText,
  money,
  moneyInput,
  textField,
  integerField,
} from '../../../../http/fields.ts'
import { viaOf } from '../exchange-rates.rules.ts'
import type { Conversion, LatestRates } from './conversion.usecases.ts'

export const ConvertQuery = z.strictObject({
  amount: moneyInput('What to convert, with the minor digits of its currency; may be negative.'),
  from: currencyInput('The currency of the amount.').openapi({ example: 'USD' }),
  to: currencyInput('The currency to convert into.'),
  date: dateInput(
    'The day whose rate counts: the newest on or before it. Today without it.',
  ).optional(),
})

const rate = textField(
  'The rate, rounded to 12 places; the amount is not rounded by it.',
  '0.922339051836',
)

const rateDate = z.string().nullable().openapi({
  description: 'Day of the rate, the older one of two; null where no rate was needed.',
  format: 'date',
  example: '2026-11-20',
})

/** How a rate was found. */
export const way = {
  path: z.enum(['same', 'direct', 'inverse', 'viaBase', 'viaReference']).openapi({
    description:
      'How the rate came about: stored, the inverse of a stored one, or two of these over the base currency or the reference currency (EUR).',
    example: 'inverse',
  }),
  via: nullableText('The currency that two rates meet in; null for one rate.'),
}

export const ConvertResponse = z
  .object({
    amount: money('What was converted.'),
    from: currency('Its currency.').openapi({ example: 'USD' }),
    converted: money('What it is worth, rounded half to even once.'),
    to: currency('The currency that it was converted into.'),
    date: date('The day that was asked for.'),
    rate,
    rateDate,
    ...way,
  })
  .openapi('ConvertResponse')

export const LatestRatesResponse = z
  .object({
    baseCurrency: currency('What the rates lead to.'),
    date: date('Today (UTC), which the ages count from.'),
    rates: z
      .array(
        z.object({
          currency: currency('One unit of it is worth `rate` of the base currency.').openapi({
            example: 'USD',
          }),
          rate,
          rateDate: date('Day of the rate, the older one of two.'),
          ageDays: integerField('Days since then.', 1),
          ...way,
        }),
      )
      .openapi({ description: 'By code, for every currency that the caller works with.' }),
    missing: z
      .array(z.string())
      .openapi({ description: 'Those without any rate, by code.', example: ['KWD'] }),
    count,
  })
  .openapi('LatestRatesResponse')

export const presentConversion = (found: Conversion): z.infer<typeof ConvertResponse> => ({
  amount: formatMoney(found.minor, found.from),
  from: found.from,
  converted: formatMoney(found.convertedMinor, found.to),
  to: found.to,
  date: found.date,
  rate: found.chosen.rateText,
  rateDate: found.chosen.date ?? null,
  ...wayOf(found.chosen, found.base),
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
    ...wayOf(chosen, base),
  })),
  missing,
  count: rates.length,
})

const wayOf = (chosen: ChosenRate, base: string) => ({
  path: chosen.path,
  via: viaOf(chosen, base),
})
