import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { accountCountsFor, accountIsSeenBy, viewerOf } from '../../identity/access/access.public.ts'

/** A subquery of the currencies of the accounts that count in the net worth, closed ones too. */
export const currenciesOfWorth = (ctx: SignedIn): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts
    WHERE ${accountIsSeenBy(viewerOf(ctx))} AND ${accountCountsFor(viewerOf(ctx))}
      AND accounts.include_in_net_worth = 1`
