import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseWhen } from '../../platform/guards.ts'
import { db, prepared, type Statement } from '../../platform/statements.ts'

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

/**
 * Re-asserts in a commit that the caller sees all of these accounts (else `gone`), and that they are open
 * (else `conflict`).
 */
export const mustBookOn = ({ caller }: SignedIn, accountIds: string[]): Statement =>
  bookGuard({ userId: caller.userId, ids: JSON.stringify(accountIds) })

const bookGuard = prepared<{ userId: string; ids: string }, unknown>(() =>
  db.run(sql`INSERT INTO write_guard (reason)
    SELECT CASE WHEN accounts.id IS NULL THEN 'gone' ELSE 'conflict' END
    FROM json_each(${sql.placeholder('ids')}) wanted LEFT JOIN accounts
      ON accounts.id = wanted.value AND ${accountIsSeenBy(sql.placeholder('userId'))}
    WHERE accounts.id IS NULL OR accounts.status <> 'open' LIMIT 1`),
)

/** Re-asserts in a commit that the caller sees all of these accounts (else `gone`), open or not. */
export const mustStillSee = (ctx: SignedIn, accountIds: string[]): Statement =>
  refuseWhen(
    'gone',
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(accountIds)}) wanted
      WHERE wanted.value NOT IN (${visibleAccountIds(ctx)}))`,
  )
