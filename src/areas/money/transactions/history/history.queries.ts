import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { among, db, upToBytes } from '../../../../platform/statements.ts'
import { accountIdsWithHistory } from '../../../identity/access/access.public.ts'
import type { LoggedChange } from './history.rules.ts'

/**
 * Of one side of a transaction, and of the transfer that it is of, which an earlier log told of as a whole. Where it was
 * moved to another account the event of that one tells of both.
 */
const isToldOf = (ids: string[]) => sql`l.resource_id IN ${among(ids)} AND l.content IS NOT NULL
  AND NOT (l.type = 'transaction.updated' AND l.content->'after' IS NULL)`

/** The last commit first, one row more than the page, which ends early where its contents are long. */
export const changesOf = (ids: string[], { after, limit }: PageRequest) =>
  db.all<LoggedChange>(
    upToBytes(
      sql`SELECT l.number AS sequence, l.id, l.at, l.type, l.actor_type AS actorType,
      l.actor_id AS actorId, l.account_id AS accountId, l.content
    FROM log_entries l WHERE ${isToldOf(ids)}
      ${after ? sql`AND l.number < CAST(${after[0]} AS INTEGER)` : sql``}
    ORDER BY l.number DESC LIMIT ${limit + 1}`,
      sql`octet_length(content)`,
    ),
  )

export const countOfChanges = (ids: string[]) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM log_entries l WHERE ${isToldOf(ids)}`)

/** The accounts whose past the caller may know. */
export const accountsWithHistory = (ctx: SignedIn) =>
  db.all<{ id: string; currency: string }>(
    sql`SELECT id, currency FROM accounts WHERE id IN (${accountIdsWithHistory(ctx)})`,
  )
