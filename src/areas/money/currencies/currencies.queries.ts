import { and, eq, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../../drizzle/schema/system.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { accountIsSeenBy, viewerOf } from '../../identity/access/access.public.ts'
import { currencyErrors } from './currencies.errors.ts'

/** The SQL that lists the currencies of the open accounts that the caller sees. */
export const currenciesInUse = (ctx: SignedIn): SQL =>
  sql`SELECT DISTINCT accounts.currency FROM accounts WHERE ${accountIsSeenBy(viewerOf(ctx))} AND accounts.status = 'open'`

/** The SQL that lists every currency that the caller works with: chosen, of an open account, or the base. */
export const currenciesOfUser = (ctx: SignedIn): SQL =>
  sql`${currenciesInUse(ctx)}
    UNION SELECT chosen.value FROM user_currencies c, json_each(c.codes) chosen WHERE c.user_id = ${ctx.caller.userId}
    UNION SELECT u.base_currency FROM users u WHERE u.id = ${ctx.caller.userId}`

export interface OwnCurrenciesRow {
  base: string
  /** JSON lists of codes. */
  chosen: string
  inUse: string
  version: number
  createdAt: number
  updatedAt: number
}

/** Everybody has such a list, of version 1, from the day they came; the row comes with the first choice. */
export const ownCurrencies = (ctx: SignedIn) =>
  db.all<OwnCurrenciesRow>(sql`SELECT u.base_currency AS base, ifnull(c.codes, '[]') AS chosen,
      (SELECT json_group_array(used.currency) FROM (${currenciesInUse(ctx)}) used) AS inUse,
      ifnull(c.version, 1) AS version, u.created_at AS createdAt,
      ifnull(c.updated_at, u.created_at) AS updatedAt
    FROM users u LEFT JOIN user_currencies c ON c.user_id = u.id WHERE u.id = ${ctx.caller.userId}`)

/** Refuses when the list was changed since `version`. */
export const chooseCurrencies = (
  { caller, now }: SignedIn,
  { version, createdAt }: Pick<OwnCurrenciesRow, 'version' | 'createdAt'>,
  codes: string[],
): Statement[] => [
  db.run(sql`INSERT INTO user_currencies (user_id, codes, version, created_at, updated_at)
    VALUES (${caller.userId}, ${JSON.stringify(codes)}, 2, ${createdAt}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET codes = excluded.codes, version = version + 1,
      updated_at = excluded.updated_at
    WHERE version = CAST(${version} AS INTEGER)`),
  requireChangedOne(changedMeanwhile),
]

/** Refuses when it is no longer what was read. */
export const changeBase = (
  { caller, now }: SignedIn,
  { before, after }: { before: string; after: string },
): Statement[] => [
  db
    .update(users)
    .set({ baseCurrency: after, version: sql`${users.version} + 1`, updatedAt: now })
    .where(and(eq(users.id, caller.userId), eq(users.baseCurrency, before))),
  requireChangedOne(currencyErrors.baseChanged),
]
