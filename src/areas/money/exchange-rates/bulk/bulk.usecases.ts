import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { Thing } from '../../../../platform/log/events.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { exchangeRateEvents, systemRateEvents } from '../exchange-rates.events.ts'
import type { ExchangeRateRow } from '../exchange-rates.queries.ts'
import { checkedRates, type RateContent } from '../exchange-rates.rules.ts'
import { insertRates, replaceRates, storedBeside } from './bulk.queries.ts'
import { place, type PlannedRate } from './bulk.rules.ts'

interface CreateRatesInput {
  rates: RateContent[]
  replace: boolean
}

/** Adds many rates of the caller's own at once. */
export const createExchangeRates = (
  ctx: SignedIn,
  sent: CreateRatesInput,
): Promise<PlannedRate[]> => addRates(ctx, ctx.caller.userId, sent)

/** Adds many rates that everybody sees at once. */
export const createSystemRates = (ctx: SignedIn, sent: CreateRatesInput): Promise<PlannedRate[]> =>
  addRates(ctx, null, sent)

async function addRates(
  ctx: SignedIn,
  ownerId: string | null,
  { rates, replace }: CreateRatesInput,
): Promise<PlannedRate[]> {
  const wanted = checkedRates(rates)
  const [stored] = await read(ctx, storedBeside(ownerId, wanted))
  const stamps = { version: 1, createdAt: ctx.now, updatedAt: ctx.now }
  const fresh = wanted.map((rate) => ({ id: freshId(ctx, 'rate'), ownerId, ...rate, ...stamps }))
  const placed = place(fresh, stored, { replace })
  const created = placed.filter(({ status }) => status === 'created').map(({ rate }) => rate)
  const replaced = placed.flatMap(({ status, rate, before }) =>
    status === 'replaced' && before ? [{ before, after: rate }] : [],
  )
  const rateEvents = ownerId === null ? systemRateEvents : exchangeRateEvents
  const thingOf = ({ id, version }: ExchangeRateRow): Thing => ({
    ...{ id, version },
    ...(ownerId === null ? { resourceType: 'exchangeRate' } : {}),
  })
  return commit(ctx, {
    changes: [
      {
        statements: [insertRates(ownerId, created)],
        events: created.map((after) => rateEvents.created(thingOf(after), { after })),
      },
      {
        statements:
          replaced.length === 0
            ? []
            : replaceRates(
                ownerId,
                replaced.map(({ after }) => after),
              ),
        events: replaced.map((images) => rateEvents.updated(thingOf(images.after), images)),
      },
    ],
    result: placed,
    // Another request was faster between the read and the commit.
    conflicts: { 'exchange_rates.date': () => exchangeRateErrors.taken({ field: 'rates' }) },
  })
}
