import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Caller, SignedIn } from '../../platform/context.ts'
import { refuseWhen } from '../../platform/guards.ts'
import { db, prepared, type Statement } from '../../platform/statements.ts'

// The one place that knows whose accounts a caller sees. Every finder of something that belongs to an
// account goes through it; what it does not list does not exist for the caller.

/** Who looks: a user, and the access token that may restrict it to some accounts. */
export type Looking = Pick<Caller, 'userId' | 'tokenHash'>

/** Whether a caller sees a row of `accounts`: for queries that have that table anyway. */
export const accountIsSeenBy = (looking: Looking | LookingLater): SQL =>
  sql`accounts.owner_id = ${looking.userId} AND accounts.deleted_at IS NULL AND ${isWithinToken(looking)}`

/** The same of a query that is filled in later, with `userId` and `tokenHash` of the caller. */
type LookingLater = Record<keyof Looking, Placeholder>

export const lookingLater: LookingLater = {
  userId: sql.placeholder('userId'),
  tokenHash: sql.placeholder('tokenHash'),
}

const isWithinToken = ({ tokenHash }: Looking | LookingLater) =>
  sql`(${tokenHash} IS NULL OR EXISTS (SELECT 1 FROM personal_access_tokens held
    WHERE held.token_hash = ${tokenHash} AND (held.account_ids IS NULL
      OR accounts.id IN (SELECT value FROM json_each(held.account_ids)))))`

/** Whether an account of the owner is one that the caller's access token, if it came with one, is for. */
export const isForAccount = ({ caller }: SignedIn, accountId: string): boolean =>
  caller.token?.accountIds?.includes(accountId) ?? true

/** A subquery of the ids of the accounts that the caller sees: for all other queries. */
export const visibleAccountIds = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts WHERE ${accountIsSeenBy(ctx.caller)}`

/** A subquery of the ids of the accounts whose history the caller sees: also of own ones in the trash. */
export const accountIdsWithHistory = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts
    WHERE accounts.owner_id = ${ctx.caller.userId} AND ${isWithinToken(ctx.caller)}`

/** A subquery of those of them that are not being erased: the caller sees them, or would if they were restored. */
export const keptAccountIds = (ctx: SignedIn): SQL =>
  sql`${accountIdsWithHistory(ctx)} AND accounts.erased_at IS NULL`

/** Whether no account is hidden from the caller, as it is from an access token for some of them. */
export const isUnrestricted = ({ caller }: SignedIn): SQL =>
  sql`(${caller.tokenHash} IS NULL OR EXISTS (SELECT 1 FROM personal_access_tokens held
    WHERE held.token_hash = ${caller.tokenHash} AND held.account_ids IS NULL))`

/**
 * Re-asserts in a commit that the caller sees all of these accounts (else `gone`), and that they are open
 * (else `conflict`).
 */
export const mustBookOn = ({ caller }: SignedIn, accountIds: string[]): Statement =>
  bookGuard({ ...caller, ids: JSON.stringify(accountIds) })

const bookGuard = prepared<Looking & { ids: string }, unknown>(() =>
  db.run(sql`INSERT INTO write_guard (reason)
    SELECT CASE WHEN accounts.id IS NULL THEN 'gone' ELSE 'conflict' END
    FROM json_each(${sql.placeholder('ids')}) wanted LEFT JOIN accounts
      ON accounts.id = wanted.value AND ${accountIsSeenBy(lookingLater)}
    WHERE accounts.id IS NULL OR accounts.status <> 'open' LIMIT 1`),
)

/** Re-asserts in a commit that the caller sees all of these accounts (else `gone`), open or not. */
export const mustStillSee = (ctx: SignedIn, accountIds: string[]): Statement =>
  refuseWhen(
    'gone',
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(accountIds)}) wanted
      WHERE wanted.value NOT IN (${visibleAccountIds(ctx)}))`,
  )
