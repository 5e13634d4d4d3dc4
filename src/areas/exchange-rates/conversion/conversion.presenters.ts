import type { z } from '@hono/zod-openapi'
import { daysBetween } from '../../../domain/calendar.ts'
import type { ChosenRate } from '../../../domain/exchange.ts'
import { formatMoney } from '../../../domain/money.ts'
import { viaOf } from '../exchange-rates.rules.ts'
import type { ConvertResponse, LatestRatesResponse } from './conversion.schemas.ts'
import type { Conversion, LatestRates } from './conversion.usecases.ts'

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
