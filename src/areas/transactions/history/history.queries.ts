import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db } from '../../../platform/statements.ts'
import { accountIdsWithHistory } from '../../access/access.public.ts'
import type { LoggedChange } from './history.rules.ts'

// A commit on one transaction is a row of its own, one on many has an item for each.
const ofOne = (transactionId: string) =>
  sql`audit_log l WHERE l.resource_id = ${transactionId} AND l.changes IS NOT NULL`
const ofMany = (transactionId: string) =>
  sql`audit_log_items i JOIN audit_log l ON l.id = i.log_id WHERE i.resource_id = ${transactionId}`

/** The last commit first, one row more than the page. A position starts with a `sequence`. */
export function changesOf(transactionId: string, { after, limit }: PageRequest) {
  const columns = sql`SELECT l.rowid AS sequence, l.id, l.at, l.action, l.actor_type AS actorType,
    l.actor_id AS actorId`
  const older = after ? sql`AND l.rowid < CAST(${after[0]} AS INTEGER)` : sql``
  return db.all<LoggedChange>(
    sql`${columns}, l.changes FROM ${ofOne(transactionId)} ${older}
      UNION ALL ${columns}, i.changes FROM ${ofMany(transactionId)} ${older}
      ORDER BY sequence DESC LIMIT ${limit + 1}`,
  )
}

export const countOfChanges = (transactionId: string) =>
  db.all<{ count: number }>(
    sql`SELECT (SELECT count(*) FROM ${ofOne(transactionId)})
      + (SELECT count(*) FROM ${ofMany(transactionId)}) AS count`,
  )

/** The accounts whose past the caller may know. */
export const accountsWithHistory = (ctx: SignedIn) =>
  db.all<{ id: string }>(accountIdsWithHistory(ctx))
