import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { BY_EVENT, type LogList } from '../../../platform/log/log-reading.ts'
import {
  among,
  db,
  itemsOf,
  nothing,
  type Statement,
} from '../../../platform/database/statements.ts'
import type { WideSum } from '../../../platform/database/wide-sums.ts'
import { type Basis, sumAtEnd } from '../../../ledger/search/search.public.ts'
import {
  isNotPrivateEntry,
  accountIsSeenBy,
  viewerOf,
} from '../../identity/access/access.public.ts'
import type { ChangedLine, ChangeOfLine } from './balance-assertions.rules.ts'

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

/** Lists the changes of these in the log since a time, the newest first. */
export const loggedChangesSince = (ids: string[], since: number): LogList<ChangeOfLine> => ({
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

/** The balance of an account at the end of a day, by a statement of its bank. */
export interface StatedClosing {
  accountId: string
  date: string
  amountMinor: number
  /** The first day that the file tells of the account; null where it does not say. */
  from: string | null
}

export interface StatedClosingRow {
  accountId: string
  date: string
  amountMinor: number
  ownerId: string
  /** All lines where the file tells of the account from its first one, else those that are cleared. */
  basis: Basis
  actual: WideSum
  /** 1 where something is stated of the same sum. */
  isStated: number
}

/** Closings with what is booked up to their days; two seeks for each. */
export const closingsToAssert = (ctx: SignedIn, closings: StatedClosing[]) =>
  closings.length === 0
    ? nothing<StatedClosingRow>()
    : db.all<StatedClosingRow>(sql`SELECT accounts.id AS accountId, wanted.date, wanted.amount AS amountMinor,
        accounts.owner_id AS ownerId, wanted.basis,
        ${sumAtEnd(sql`accounts.id`, sql`wanted.date`, sql`wanted.basis`)} AS actual,
        EXISTS (SELECT 1 FROM balance_assertions b WHERE b.account_id = accounts.id AND b.date = wanted.date
          AND b.edge = 'endOfDay' AND b.basis = wanted.basis) AS isStated
      FROM (SELECT value->>'accountId' AS account_id, value->>'date' AS date, value->>'amountMinor' AS amount,
          iif(value->>'from' IS NULL OR EXISTS (SELECT 1 FROM entries e WHERE e.account_id = value->>'accountId'
            AND e.side = 'account' AND e.date < value->>'from'), 'cleared', 'balance') AS basis
        FROM json_each(${JSON.stringify(closings)})) wanted
      CROSS JOIN accounts ON accounts.id = wanted.account_id AND ${accountIsSeenBy(viewerOf(ctx))}`)
