import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { readPage } from '../../../platform/database/owned-resource.ts'
import type { Page, PageRequest } from '../../../platform/database/paging.ts'
import { exchangeRateErrors } from './exchange-rates.errors.ts'
import { exchangeRateEvents } from './exchange-rates.events.ts'
import {
  countOfRates,
  type ExchangeRateFilter,
  type ExchangeRateRow,
  ownRateRows,
  pageOfRates,
  rateById,
} from './exchange-rates.queries.ts'
import { checkedRate, type RateContent } from './exchange-rates.rules.ts'

/** One page of the rates that the caller sees: own ones, and those of the system. */
export const listExchangeRates = (
  ctx: SignedIn,
  filter: ExchangeRateFilter,
  page: PageRequest,
): Promise<Page<ExchangeRateRow>> =>
  readPage(
    ctx,
    page,
    { rows: pageOfRates(ctx, filter, page), count: countOfRates(ctx, filter) },
    ({ date, own, id }) => [date, String(own), id],
  )

/** The rates of one pair, as they are stored: the other way round is another pair. */
export async function listExchangeRatesOfPair(
  ctx: SignedIn,
  filter: ExchangeRateFilter,
  page: PageRequest,
): Promise<Page<ExchangeRateRow>> {
  if (filter.from === filter.to) {
    throw exchangeRateErrors.samePair({ field: 'to' })
  }
  return listExchangeRates(ctx, filter, page)
}

export async function getExchangeRate(ctx: SignedIn, id: string): Promise<ExchangeRateRow> {
  const [[rate]] = await read(ctx, rateById(ctx, id))
  if (!rate) {
    throw exchangeRateErrors.notFound()
  }
  return rate
}

/** Adds a rate of the caller's own, in its shortest form. */
export async function createExchangeRate(
  ctx: SignedIn,
  sent: RateContent,
): Promise<ExchangeRateRow> {
  const added = {
    id: freshId(ctx, 'rate'),
    ownerId: ctx.caller.userId,
    ...checkedRate(sent),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [ownRateRows.insert(added)],
        events: [
          exchangeRateEvents.created({ id: added.id, version: added.version }, { after: added }),
        ],
      },
    ],
    result: added,
    conflicts,
  })
}

/** Changes what is sent of an own rate. */
export async function updateExchangeRate(
  ctx: SignedIn,
  id: string,
  sent: { [Field in keyof RateContent]?: RateContent[Field] | undefined },
): Promise<ExchangeRateRow> {
  const before = await findOwnRate(ctx, id)
  const content = checkedRate({
    from: sent.from ?? before.from,
    to: sent.to ?? before.to,
    date: sent.date ?? before.date,
    rate: sent.rate ?? before.rate,
  })
  const after = { ...before, ...content, version: before.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: ownRateRows.update(ctx, before, content),
        events: [exchangeRateEvents.updated({ id, version: after.version }, { before, after })],
      },
    ],
    result: after,
    conflicts,
  })
}

export async function deleteExchangeRate(ctx: SignedIn, id: string): Promise<void> {
  const before = await findOwnRate(ctx, id)
  return commit(ctx, {
    changes: [
      {
        statements: ownRateRows.delete(before),
        events: [exchangeRateEvents.deleted({ id }, { before })],
      },
    ],
    result: undefined,
  })
}

const conflicts = { 'exchange_rates.date': () => exchangeRateErrors.taken({ field: 'date' }) }

type OwnRate = ExchangeRateRow & { ownerId: string }

/** An own rate that is about to be written, of the version that the caller expects. */
async function findOwnRate(ctx: SignedIn, id: string): Promise<OwnRate> {
  const { ownerId, ...rate } = await getExchangeRate(ctx, id)
  if (ownerId === null) {
    throw exchangeRateErrors.systemRate()
  }
  requireVersion(ctx, rate.version)
  return { ...rate, ownerId }
}
