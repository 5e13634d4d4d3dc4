import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { isEvent } from '../../../../platform/log/log.ts'
import { BY_EVENT, type LogEntry, type LogList } from '../../../../platform/log/log-reading.ts'
import { TELLS_PRIVATE } from '../../../../platform/log/log-segments.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { db, type Statement, upToBytes } from '../../../../platform/database/statements.ts'
import {
  keptAccountIds,
  ownedBy,
  sharedWithMeAccountIds,
} from '../../../identity/access/access.public.ts'

/** An event that belongs to an account's history, with the user's own words on it. */
export interface HistoryRow {
  id: string
  /** Grows with every commit, as ids do not within a moment. */
  sequence: number
  at: number
  type: string
  actorType: 'user' | 'token' | 'system' | 'anonymous'
  actorId: string | null
  accountId: string
  accountName: string
  /** Calendar date that the event counts for. */
  date: string
  currency: string
  changeMinor: number
  balanceAfterMinor: number
  transactionId: string | null
  /** 1 of an own account: comments are its owner's. */
  isOwn: number
  comment: string | null
  version: number
  updatedAt: number
}

/** A record with what the log holds of the account itself; null where something else was booked. */
export interface HistoryRecord extends HistoryRow {
  /** JSON of `{ before, after }`. */
  content: string | null
}

const columnsFor = ({
  caller,
}: SignedIn) => sql`l.id, l.number AS sequence, l.at, l.type, l.actor_type AS actorType, l.actor_id AS actorId,
    l.account_id AS accountId, a.name AS accountName, l.facts->>'date' AS date,
    l.facts->>'currency' AS currency, l.facts->>'changeMinor' AS changeMinor,
    l.facts->>'balanceAfterMinor' AS balanceAfterMinor, l.facts->>'transactionId' AS transactionId,
    ${ownedBy(caller, 'a.owner_id')} AS isOwn, CASE WHEN ${ownedBy(caller, 'a.owner_id')} THEN n.comment END AS comment,
    ifnull(n.version, 1) AS version, ifnull(n.updated_at, l.at) AS updatedAt`

const FROM = sql`FROM log_entries l JOIN accounts a ON a.id = l.account_id
  LEFT JOIN history_notes n ON n.event_id = l.id`

/**
 * True if an erased transaction was ever private: its creator is no longer known. With its schema, the name of the
 * table means the remaining rows, also where lines of a segment stand in for the table.
 */
const WAS_PRIVATE = sql`NOT EXISTS (SELECT 1 FROM transactions g WHERE g.id = l.facts->>'transactionId')
  AND (EXISTS (SELECT 1 FROM main.log_events p WHERE p.resource_id = l.facts->>'transactionId' AND ${TELLS_PRIVATE})
    OR EXISTS (SELECT 1 FROM log_segment_things t WHERE t.thing_id = l.facts->>'transactionId' AND t.was_private = 1))`

/** The log has no facts about users who are being erased. */
const isSeenBy = (ctx: SignedIn): SQL =>
  sql`l.facts IS NOT NULL AND (l.account_id IN (${keptAccountIds(ctx)}) AND n.hidden_at IS NULL
    OR l.account_id IN (${sharedWithMeAccountIds(ctx)}) AND NOT EXISTS (SELECT 1 FROM transactions h
      WHERE h.id = l.facts->>'transactionId' AND h.private = 1 AND h.created_by <> ${ctx.caller.userId})
      AND NOT (${WAS_PRIVATE}))`

export interface HistoryFilter {
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** SQL of the accounts whose history the caller may see some of. */
const accountsOf = (ctx: SignedIn, accountId?: string) =>
  accountId === undefined
    ? sql`(${keptAccountIds(ctx)} UNION ALL ${sharedWithMeAccountIds(ctx)})`
    : sql`(${accountId})`

/** The last commit first. */
export const historyList = (ctx: SignedIn, filter: HistoryFilter): LogList<HistoryRow> => ({
  order: 'newest',
  scope: {
    things: accountsOf(ctx, filter.accountId),
    firstDate: filter.from,
    lastDate: filter.to,
  },
  rows: (page) => historyRows(ctx, filter, page),
  placeOf: ({ at, sequence }) => ({ at, commit: 0, event: sequence }),
  position: BY_EVENT,
})

/** One row more than the page, which ends early where comments are long. */
function historyRows(ctx: SignedIn, filter: HistoryFilter, page: PageRequest): SQL<HistoryRow> {
  const { accountId, from, to } = filter
  const conditions = [
    sql`l.history IS NOT NULL`,
    isSeenBy(ctx),
    ...(accountId === undefined ? [] : [sql`l.account_id = ${accountId}`]),
    ...(from === undefined ? [] : [sql`l.facts->>'date' >= ${from}`]),
    ...(to === undefined ? [] : [sql`l.facts->>'date' <= ${to}`]),
    ...(page.after === undefined ? [] : [sql`l.number < CAST(${page.after[0]} AS INTEGER)`]),
  ]
  return upToBytes(
    sql`SELECT ${columnsFor(ctx)} ${FROM} WHERE ${sql.join(conditions, sql` AND `)} ORDER BY l.number DESC LIMIT ${page.limit + 1}`,
    sql`ifnull(octet_length(comment), 0)`,
  )
}

export const historyEntry = (ctx: SignedIn, id: string): LogEntry<HistoryRecord> => ({
  id,
  things: accountsOf(ctx),
  row: sql`SELECT ${columnsFor(ctx)}, CASE l.resource_type WHEN 'account' THEN l.content END AS content
    ${FROM} WHERE ${isEvent(id)} AND l.history IS NOT NULL AND ${isSeenBy(ctx)}`,
})

/** Keeps the user's words beside the event, if nobody has written since `version`. */
export const setNote = (
  ctx: SignedIn,
  { id, accountId, version }: Pick<HistoryRow, 'id' | 'accountId' | 'version'>,
  note: { comment: string | null; hiddenAt: number | null },
): Statement[] => [
  db.run(sql`INSERT INTO history_notes (event_id, account_id, comment, hidden_at, version, updated_at)
    VALUES (${id}, ${accountId}, ${note.comment}, ${note.hiddenAt}, 2, ${ctx.now})
    ON CONFLICT (event_id) DO UPDATE SET comment = excluded.comment, hidden_at = excluded.hidden_at,
      version = version + 1, updated_at = excluded.updated_at
    WHERE version = CAST(${version} AS INTEGER)`),
  requireChangedOne(changedMeanwhile),
]
