import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { exchangeRateErrors } from '../exchange-rates.errors.ts'
import { checkedRates, type RateContent } from '../exchange-rates.rules.ts'
import { insertRates, replaceRates, storedBeside } from './bulk.queries.ts'
import { place, type Placed } from './bulk.rules.ts'

interface Sent {
  rates: RateContent[]
  replace: boolean
}

/** Adds many rates of the caller's own at once. */
export const addOwnRates = (ctx: SignedIn, sent: Sent): Promise<Placed[]> =>
  addRates(ctx, ctx.caller.userId, sent)

/** Adds many rates that everybody sees at once. */
export const addSystemRates = (ctx: SignedIn, sent: Sent): Promise<Placed[]> =>
  addRates(ctx, null, sent)

async function addRates(
  ctx: SignedIn,
  ownerId: string | null,
  { rates, replace }: Sent,
): Promise<Placed[]> {
  const wanted = checkedRates(rates)
  const [stored] = await read(ctx, storedBeside(ownerId, wanted))
  const stamps = { version: 1, createdAt: ctx.now, updatedAt: ctx.now }
  const fresh = wanted.map((rate) => ({ id: freshId(ctx, 'rate'), ownerId, ...rate, ...stamps }))
  const placed = place(fresh, stored, { replace })
  const of = (status: Placed['status']) => placed.filter((one) => one.status === status)
  const [created, replaced] = [of('created'), of('replaced')]
  return commit(ctx, {
    action: ownerId === null ? 'systemRates.added' : 'exchangeRates.added',
    resource: { type: 'exchangeRate', id: null },
    changes: {
      before: replaced.map(({ before }) => before),
      after: [...created, ...replaced].map(({ rate }) => rate),
    },
    writes: [
      insertRates(
        ownerId,
        created.map(({ rate }) => rate),
      ),
      ...(replaced.length > 0
        ? replaceRates(
            ownerId,
            replaced.map(({ rate }) => rate),
          )
        : []),
    ],
    result: placed,
    // Another request was faster between the read and the commit.
    conflicts: { 'exchange_rates.date': () => exchangeRateErrors.taken({ field: 'rates' }) },
  })
}
