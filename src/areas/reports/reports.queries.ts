import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { accountIsSeenBy } from '../access/access.public.ts'

/** A subquery of the currencies of the accounts that count in the net worth, closed ones too. */
export const currenciesOfWorth = ({ caller }: SignedIn): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts
    WHERE ${accountIsSeenBy(caller)} AND accounts.include_in_net_worth = 1`
