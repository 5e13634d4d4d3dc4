import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { transactionIdFrom } from '../../../../domain/ids.ts'
import { BY_EVENT, type LogList } from '../../../../platform/log/log-reading.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { among, db, upToBytes } from '../../../../platform/database/statements.ts'
import { accountIdsWithHistory, ownedBy } from '../../../identity/access/access.public.ts'
import type { LoggedChange } from './history.rules.ts'

/**
 * The events of one side of a transaction, and of the transfer that it belongs to. Where it was moved to another account,
 * the event of that account tells of both.
 */
const isEventOf = (
  subject: Subject,
) => sql`l.resource_id IN ${idsOf(subject)} AND l.content IS NOT NULL
  AND NOT (l.type = 'transaction.updated' AND l.content->'after' IS NULL)`

/** A transaction and the ids that its events are found by: its own, or those of its legs. */
interface Subject {
  transactionId: string
  line: number
  ids: string[]
}

/** With that of the single row that became this leg. */
const idsOf = ({ transactionId, line, ids }: Subject) =>
  sql`(SELECT value FROM ${among(ids)} UNION SELECT u.transaction_id FROM unbooked_entries u
    JOIN transactions m ON m.id = u.transaction_id AND m.matched_into = ${transactionId}
    WHERE u.transaction_id = ${transactionIdFrom(transactionId)} AND u.line = 1 AND (u.amount_minor < 0) = (${line} = 1))`

/** The last commit first. */
export const changesList = (ctx: SignedIn, subject: Subject): LogList<LoggedChange> => ({
  order: 'newest',
  scope: { things: idsOf(subject) },
  rows: (page) => changesOf(ctx, subject, page),
  count: sql`SELECT count(*) AS count FROM log_entries l WHERE ${isEventOf(subject)}`,
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/**
 * True if the caller may see the content of an event: it is of an account whose past they may know, before or after,
 * and if it is private, the transaction is theirs.
 */
const isKnownTo = (ctx: SignedIn, transactionId: string) => {
  const known = sql`(${accountIdsWithHistory(ctx)})`
  return sql`(l.account_id IN ${known} OR l.content->'before'->>'accountId' IN ${known})
    AND (l.content->'private' IS NULL OR EXISTS (SELECT 1 FROM transactions t WHERE t.id = ${transactionId}
      AND (${ownedBy(ctx.caller, 't.owner_id')} OR t.created_by = ${ctx.caller.userId})))`
}

/** One row more than the page, which ends early where the contents are long that the caller may see. */
const changesOf = (
  ctx: SignedIn,
  subject: Subject,
  { after, limit }: PageRequest,
): SQL<LoggedChange> =>
  upToBytes(
    sql`SELECT l.number AS sequence, l.id, l.at, l.type, l.actor_type AS actorType,
      l.actor_id AS actorId, l.account_id AS accountId, ifnull(l.facts ->> 'forced', 0) AS isForcedOnLock,
      iif(${isKnownTo(ctx, subject.transactionId)}, l.content, '{}') AS content
    FROM log_entries l WHERE ${isEventOf(subject)}
      ${after ? sql`AND l.number < CAST(${after[0]} AS INTEGER)` : sql``}
    ORDER BY l.number DESC LIMIT ${limit + 1}`,
    sql`octet_length(content)`,
  )

/** The accounts whose past the caller may know. */
export const accountsWithHistory = (ctx: SignedIn) =>
  db.all<{ id: string; currency: string }>(
    sql`SELECT id, currency FROM accounts WHERE id IN (${accountIdsWithHistory(ctx)})`,
  )
