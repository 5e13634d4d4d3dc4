import { z } from '@hono/zod-openapi'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { isActiveCurrency } from '../../../../domain/currency.ts'
import { convertForDisplay, type Exchange, isStale } from '../../../../domain/exchange.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, money } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { usedRate } from '../ages.contract.ts'
import { BASE } from './amounts.rules.ts'

export const convertInQuery = z
  .string()
  .refine(
    (code) => code === BASE || isActiveCurrency(code),
    must('must be base or the ISO 4217 code of an active currency, such as EUR'),
  )
  .optional()
  .openapi({
    description:
      'Currency into which amounts are also converted, at the rate of their day: its code, or `base` for the base currency.',
    example: 'base',
  })

const { rate, rateDate, stale } = usedRate

export const convertedAmount = z
  .object({
    amount: money('Converted `signedAmount`.'),
    currency: currency(),
    rate,
    rateDate,
    stale,
  })
  .nullable()
  .optional()
  .openapi({
    description:
      '`signedAmount` at the rate of the date, present only if requested; null if there is no rate.',
  })

export const presentConverted = (
  row: { amountMinor: number; currency: string; date: CalendarDate },
  { to, chosen }: Exchange,
): z.infer<typeof convertedAmount> =>
  chosen
    ? {
        amount: formatMoney(convertForDisplay(row.amountMinor, row.currency, to, chosen.rate), to),
        currency: to,
        rate: chosen.rateText,
        rateDate: chosen.date ?? null,
        stale: isStale(chosen, row.date),
      }
    : null
