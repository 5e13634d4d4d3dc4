import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { BY_EVENT, type LogList } from '../../../../platform/log-reading.ts'
import { among, db, itemsOf, nothing, type Statement } from '../../../../platform/statements.ts'
import { isNotPrivateEntry } from '../../../identity/access/access.public.ts'
import type { ChangedLine, ChangeOfLine } from './checking.rules.ts'

/** The days of an account on which to look for lines that changed since. */
export interface SuspectDays {
  accountId: string
  /** The day before the first one. */
  after: string
  through: string
  since: number
}

/** Lines of an account that an answer goes by. */
const MOST_LINES = 200

/** The lines of these days that were made or changed since, the newest change first; one range of an index for each account. */
export const linesChanged = (ctx: SignedIn, days: SuspectDays[]): Statement<ChangedLine[]> =>
  days.length === 0
    ? nothing()
    : db.all(sql`SELECT accountId, transactionId, line, date, amountMinor, status, kind, changedAt FROM (
        SELECT e.account_id AS accountId, e.transaction_id AS transactionId, e.line, e.date, e.amount_minor AS amountMinor,
          e.status, t.kind, t.updated_at AS changedAt,
          row_number() OVER (PARTITION BY e.account_id ORDER BY t.updated_at DESC, e.transaction_id, e.line) AS place
        FROM ${itemsOf(JSON.stringify(days))} wanted
          CROSS JOIN entries e ON e.account_id = wanted.value->>'accountId' AND e.side = 'account'
            AND e.date > wanted.value->>'after' AND e.date <= wanted.value->>'through'
          CROSS JOIN transactions t ON t.id = e.transaction_id AND t.updated_at > wanted.value->>'since'
        WHERE ${isNotPrivateEntry(ctx)})
      WHERE place <= ${sql.raw(String(MOST_LINES))}`)

/** What the log tells of these since a time, the newest first. */
export const changesSince = (ids: string[], since: number): LogList<ChangeOfLine> => ({
  order: 'newest',
  scope: { things: among(ids), from: since },
  rows: ({ after, limit }) =>
    sql`SELECT l.number AS sequence, l.at, l.type, l.resource_id AS resourceId, l.account_id AS accountId, l.actor_id AS actorId,
        l.content
      FROM log_entries l WHERE l.resource_id IN ${among(ids)} AND l.at > ${since} AND l.content IS NOT NULL
        ${after ? sql`AND l.number < CAST(${after[0]} AS INTEGER)` : sql``}
      ORDER BY l.number DESC LIMIT ${limit + 1}`,
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})
