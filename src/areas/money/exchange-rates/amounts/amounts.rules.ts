import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Exchange } from '../../../../domain/exchange.ts'

/** Stands for the base currency of the caller, whatever it is. */
export const BASE = 'base'

export interface DatedAmount {
  currency: string
  date: CalendarDate
  exchange?: Exchange
}
