import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { db } from '../../../platform/database/statements.ts'
import { accountCountsFor, accountIsSeenBy, viewerOf } from '../../identity/access/access.public.ts'

/** A subquery of the currencies of the accounts that count in the net worth, closed ones too. */
export const currenciesOfWorth = (ctx: SignedIn): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts
    WHERE ${accountIsSeenBy(viewerOf(ctx))} AND ${accountCountsFor(viewerOf(ctx))}
      AND accounts.include_in_net_worth = 1`

/** Finds a row if the caller prefers that amounts are hidden. */
export const amountsHidden = ({ caller }: SignedIn) =>
  db.all<{ hidden: 1 }>(sql`SELECT 1 AS hidden FROM user_preferences
    WHERE user_id = ${caller.userId} AND chosen ->> 'hideAmounts' = 1`)
