import { dateInZone } from '../../../../domain/calendar.ts'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import {
  checkAccess,
  commit,
  read,
  requireVersion,
} from '../../../../platform/database/database.ts'
import { type Thing, withoutEvents } from '../../../../platform/log/events.ts'
import { fetchOutbound } from '../../../../platform/outbound/outbound.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { systemRateEvents, systemRatesEvents } from '../exchange-rates.events.ts'
import { deleteSystemRateRow, placesOfNew, storeFetched, systemRateById } from './system.queries.ts'
import { byDay, readReferenceRates } from './system.rules.ts'

/** The subject of events about many rates. */
const OF_RATES: Thing = { id: null, resourceType: 'exchangeRate' }

export const FETCH_RATES = 'exchangeRates.fetch'

/** The file of 90 days has some 75 KiB. */
const MOST_BYTES = 256 * 1024

export async function deleteSystemRate(ctx: SignedIn, id: string): Promise<void> {
  const [[before]] = await read(ctx, systemRateById(id))
  if (!before) {
    throw exchangeRateErrors.notFound()
  }
  requireVersion(ctx, before.version)
  return commit(ctx, {
    changes: [
      {
        statements: deleteSystemRateRow(before),
        events: [
          systemRateEvents.deleted(
            { id, resourceType: 'exchangeRate' },
            { before: { ...before, ownerId: null } },
          ),
        ],
      },
    ],
    result: undefined,
  })
}

/** Has the rates fetched now, beside every night; throws `exchangeRates.noSource`. */
export async function refreshSystemRates(ctx: SignedIn): Promise<void> {
  await checkAccess(ctx)
  if (ctx.settings.exchangeRatesUrl === undefined) {
    throw exchangeRateErrors.noSource()
  }
  return commit(ctx, {
    changes: [{ statements: [], events: [systemRatesEvents.requested(OF_RATES)] }],
    tasks: [{ kind: FETCH_RATES, payload: {}, cancellable: true }],
    result: undefined,
  })
}

/**
 * Fetches the reference rates and stores those that are new, all in one commit. Does nothing until a source is
 * configured; what is not a whole file of rates changes nothing.
 */
export async function fetchRates(ctx: Context, finish: Statement[]): Promise<void> {
  const { exchangeRatesUrl } = ctx.settings
  const rates = exchangeRatesUrl === undefined ? [] : await fetchFile(ctx, exchangeRatesUrl)
  const [places] = await read(ctx, placesOfNew(rates))
  const isNew = new Set(places.map(({ at }) => at))
  const fresh = rates.filter((_, at) => isNew.has(at))
  await commit(ctx, {
    changes: [
      {
        statements: [
          storeFetched(
            fresh.map((rate) => ({ id: freshId(ctx, 'rate'), ...rate })),
            ctx.now,
          ),
        ],
        events: [
          systemRatesEvents.fetched(OF_RATES, { from: REFERENCE_CURRENCY, after: byDay(fresh) }),
        ],
      },
      withoutEvents(finish),
    ],
    result: undefined,
  })
}

async function fetchFile(ctx: Context, url: string) {
  const response = await fetchOutbound(ctx, url, { maxBytes: MOST_BYTES })
  if (response.status !== 200) {
    throw exchangeRateErrors.sourceFailed()
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  return readReferenceRates(bytes, dateInZone(ctx.now, 'UTC'))
}
