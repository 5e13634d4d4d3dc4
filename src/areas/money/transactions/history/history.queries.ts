import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { BY_EVENT, type LogList } from '../../../../platform/log-reading.ts'
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

/** The last commit first. */
export const changesList = (ids: string[]): LogList<LoggedChange> => ({
  order: 'newest',
  scope: { things: among(ids) },
  rows: (page) => changesOf(ids, page),
  count: sql`SELECT count(*) AS count FROM log_entries l WHERE ${isToldOf(ids)}`,
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/** One row more than the page, which ends early where its contents are long. */
const changesOf = (ids: string[], { after, limit }: PageRequest): SQL<LoggedChange> =>
  upToBytes(
    sql`SELECT l.number AS sequence, l.id, l.at, l.type, l.actor_type AS actorType,
      l.actor_id AS actorId, l.account_id AS accountId, l.content
    FROM log_entries l WHERE ${isToldOf(ids)}
      ${after ? sql`AND l.number < CAST(${after[0]} AS INTEGER)` : sql``}
    ORDER BY l.number DESC LIMIT ${limit + 1}`,
    sql`octet_length(content)`,
  )

/** The accounts whose past the caller may know. */
export const accountsWithHistory = (ctx: SignedIn) =>
  db.all<{ id: string; currency: string }>(
    sql`SELECT id, currency FROM accounts WHERE id IN (${accountIdsWithHistory(ctx)})`,
  )
