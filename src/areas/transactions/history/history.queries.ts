import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { accountIdsWithHistory } from '../../access/access.public.ts'
import type { LoggedChange } from './history.rules.ts'

/** The last commit first, one row more than the page. A position starts with a `sequence`. */
export const changesOf = (transactionId: string, { after, limit }: PageRequest) =>
  db.all<LoggedChange>(sql`SELECT l.number AS sequence, l.id, l.at, l.type, l.actor_type AS actorType,
      l.actor_id AS actorId, l.content
    FROM log_entries l WHERE l.resource_id = ${transactionId} AND l.content IS NOT NULL
      ${after ? sql`AND l.number < CAST(${after[0]} AS INTEGER)` : sql``}
    ORDER BY l.number DESC LIMIT ${limit + 1}`)

export const countOfChanges = (transactionId: string) =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM log_events
    WHERE resource_id = ${transactionId} AND content IS NOT NULL`)

/** The accounts whose past the caller may know. */
export const accountsWithHistory = (ctx: SignedIn) =>
  db.all<{ id: string }>(accountIdsWithHistory(ctx))
