import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseWhen } from '../../platform/guards.ts'
import type { Statement } from '../../platform/statements.ts'

// The one place that knows whose accounts a caller sees. Every finder of something that belongs to an
// account goes through it; what it does not list does not exist for the caller.

/** Whether a user sees a row of `accounts`: for queries that have that table anyway. */
export const accountIsSeenBy = (userId: string | Placeholder): SQL =>
  sql`accounts.owner_id = ${userId} AND accounts.deleted_at IS NULL`

/** A subquery of the ids of the accounts that the caller sees: for all other queries. */
export const visibleAccountIds = (ctx: SignedIn): SQL =>
  sql`SELECT accounts.id FROM accounts WHERE ${accountIsSeenBy(ctx.caller.userId)}`

/** A subquery of the ids of the accounts whose history the caller sees: also of own ones in the trash. */
export const accountIdsWithHistory = (ctx: SignedIn): SQL =>
  sql`SELECT id FROM accounts WHERE owner_id = ${ctx.caller.userId}`

/** Re-asserts in a commit that the caller may still book on all of these accounts. */
export const mustStillBookOn = (ctx: SignedIn, accountIds: string[]): Statement =>
  refuseWhen(
    'gone',
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(accountIds)}) wanted
      WHERE wanted.value NOT IN (${visibleAccountIds(ctx)}))`,
  )
