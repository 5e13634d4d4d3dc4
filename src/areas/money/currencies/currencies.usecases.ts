import { CURRENCIES, type Currency, findCurrency } from '../../../domain/currency.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  checkAccess,
  commit,
  commitAndRead,
  read,
  requireVersion,
} from '../../../platform/database/database.ts'
import { userEvents } from '../../identity/user-administration/user-administration.public.ts'
import { currencyErrors } from './currencies.errors.ts'
import { currenciesEvents } from './currencies.events.ts'
import {
  changeBase,
  chooseCurrencies,
  ownCurrencies,
  type OwnCurrenciesRow,
} from './currencies.queries.ts'
import { repeatedAt } from './currencies.rules.ts'

export interface OwnCurrencies extends Omit<OwnCurrenciesRow, 'chosen' | 'inUse'> {
  chosen: string[]
  inUse: string[]
}

/** The catalogue is code, so there is nothing to fetch. */
export async function listCurrencies(
  ctx: SignedIn,
  active: 'true' | 'false' | undefined,
): Promise<Currency[]> {
  await checkAccess(ctx)
  return CURRENCIES.filter((one) => active === undefined || String(one.active) === active)
}

export async function getCurrency(ctx: SignedIn, code: string): Promise<Currency> {
  await checkAccess(ctx)
  const found = findCurrency(code)
  if (!found) {
    throw currencyErrors.notFound()
  }
  return found
}

export async function getOwnCurrencies(ctx: SignedIn): Promise<OwnCurrencies> {
  const [[row]] = await read(ctx, ownCurrencies(ctx))
  return ownFrom(row)
}

/** Chooses the currencies to work with; those of accounts and the base are listed all the same. */
export async function setOwnCurrencies(ctx: SignedIn, codes: string[]): Promise<OwnCurrencies> {
  const at = repeatedAt(codes)
  if (at !== undefined) {
    throw currencyErrors.repeated({ field: `currencies.${at}` })
  }
  const before = await getOwnCurrencies(ctx)
  requireVersion(ctx, before.version)
  const [after] = await commitAndRead(
    ctx,
    {
      changes: [
        {
          statements: chooseCurrencies(ctx, before, codes),
          events: [
            currenciesEvents.chosen(
              { id: ctx.caller.userId, version: before.version + 1 },
              { before: { currencies: before.chosen }, after: { currencies: codes } },
            ),
          ],
        },
      ],
    },
    ownCurrencies(ctx),
  )
  return ownFrom(after)
}

/** No amount is stored in the base currency, so there is nothing to compute anew. */
export async function changeBaseCurrency(ctx: SignedIn, wanted: string): Promise<OwnCurrencies> {
  const own = await getOwnCurrencies(ctx)
  return commit(ctx, {
    changes: [
      {
        statements: changeBase(ctx, { before: own.base, after: wanted }),
        events: [
          userEvents.updated(
            { id: ctx.caller.userId },
            { before: { baseCurrency: own.base }, after: { baseCurrency: wanted } },
          ),
        ],
      },
    ],
    result: { ...own, base: wanted },
  })
}

function ownFrom(row: OwnCurrenciesRow | undefined): OwnCurrencies {
  if (!row) {
    throw new Error('the session check let somebody pass who is not there')
  }
  const codesIn = (json: string) => JSON.parse(json) as string[]
  return { ...row, chosen: codesIn(row.chosen), inUse: codesIn(row.inUse) }
}
