import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { accountCountsFor, accountIsSeenBy, lookingOf } from '../access/access.public.ts'

/** A subquery of the currencies of the accounts that count in the net worth, closed ones too. */
export const currenciesOfWorth = (ctx: SignedIn): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts
    WHERE ${accountIsSeenBy(lookingOf(ctx))} AND ${accountCountsFor(lookingOf(ctx))}
      AND accounts.include_in_net_worth = 1`
