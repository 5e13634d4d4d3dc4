import { dateInZone } from '../../../../domain/calendar.ts'
import { REFERENCE_CURRENCY } from '../../../../domain/exchange.ts'
import { type Context, freshId, type SignedIn } from '../../../../platform/context.ts'
import {
  checkAccess,
  commit,
  read,
  requireVersion,
} from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { coveredSpans, neededByAll, storeCoverage } from '../coverage/coverage.queries.ts'
import { gapsOf } from '../coverage/coverage.rules.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { OF_RATES, systemRateEvents, systemRatesEvents } from '../exchange-rates.events.ts'
import { byRateDay, Filling } from '../past/past.rules.ts'
import { fetchReferenceFile, fillPast, isSettled } from '../past/past.usecases.ts'
import { deleteSystemRateRow, placesOfNew, storeFetched, systemRateById } from './system.queries.ts'
import { byDay, readReferenceRates } from './system.rules.ts'

export const FETCH_RATES = 'exchangeRates.fetch'

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
 * Fetches the reference rates and stores those that are new, all in one commit, then those of the past that are needed. Does nothing
 * until a source is configured; what is not a whole file of rates changes nothing.
 */
export async function fetchRates(ctx: Context, finish: Statement[]): Promise<void> {
  const { exchangeRatesUrl: source } = ctx.settings
  const end = (...changes: Change[]) =>
    commit(ctx, { changes: [...changes, withoutEvents(finish)], result: undefined })
  if (source === undefined) {
    return end()
  }
  const rates = readReferenceRates(
    await fetchReferenceFile(ctx, source),
    dateInZone(ctx.now, 'UTC'),
  )
  const [places, needs, covered] = await read(
    ctx,
    placesOfNew(rates),
    neededByAll(),
    coveredSpans(),
  )
  const isNew = new Set(places.map(({ at }) => at))
  const fresh = rates.filter((_, at) => isNew.has(at))
  const days = byRateDay(rates)
  const newest = days[0]?.date ?? ''
  const quoted = new Set(rates.map(({ to }) => to))
  const settled = needs.filter(({ currency }) => isSettled(currency, { quoted, covered }))
  const filling = new Filling(gapsOf(settled, covered, newest), quoted)
  days.forEach((day) => filling.add(day))
  const { spans } = filling.take()
  const stored: Change = {
    statements: [
      storeFetched(
        fresh.map((rate) => ({ id: freshId(ctx, 'rate'), ...rate })),
        ctx.now,
      ),
      ...storeCoverage(spans, ctx.now),
    ],
    events:
      fresh.length === 0
        ? []
        : [systemRatesEvents.fetched(OF_RATES, { from: REFERENCE_CURRENCY, after: byDay(fresh) })],
  }
  if (gapsOf(needs, [...covered, ...spans], newest).size === 0) {
    return end(stored)
  }
  await commit(ctx, { changes: [stored], result: undefined })
  await fillPast(ctx, source, { newest, quoted })
  return end()
}
