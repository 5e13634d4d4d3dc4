import type { CalendarDate } from '../../domain/calendar.ts'
import { formatRate, parseRate } from '../../domain/exchange.ts'
import { freshId, type SignedIn } from '../../platform/context.ts'
import { commit, read } from '../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { exchangeRateErrors } from './exchange-rates.errors.ts'
import {
  countOfRates,
  type ExchangeRateFilter,
  type ExchangeRateRow,
  insertRate,
  pageOfRates,
} from './exchange-rates.queries.ts'

export interface NewExchangeRate {
  from: string
  to: string
  date: CalendarDate
  /** As it came; see `parseRate`. */
  rate: string
}

/** One page of the caller's rates. */
export async function listExchangeRates(
  ctx: SignedIn,
  filter: ExchangeRateFilter,
  page: PageRequest,
): Promise<Page<ExchangeRateRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfRates(ctx, filter, page),
    countOfRates(ctx, filter),
  )
  return { ...cutPage(found, page, ({ date, id }) => [date, id]), count: total?.count ?? 0 }
}

/** Adds a rate of the caller's own, in its shortest form. */
export async function createExchangeRate(
  ctx: SignedIn,
  { from, to, date, rate }: NewExchangeRate,
): Promise<ExchangeRateRow> {
  if (from === to) {
    throw exchangeRateErrors.samePair({ field: 'to' })
  }
  const added: ExchangeRateRow = {
    id: freshId(ctx, 'rate'),
    ownerId: ctx.caller.userId,
    from,
    to,
    date,
    rate: formatRate(parseRate(rate, 'rate')),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    action: 'exchangeRate.created',
    resource: { type: 'exchangeRate', id: added.id },
    changes: { after: added },
    writes: [insertRate(added)],
    result: added,
    conflicts: { 'exchange_rates.date': () => exchangeRateErrors.taken({ field: 'date' }) },
  })
}
