import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../drizzle/schema/system.ts'
import { type Context, freshId } from './context.ts'
import { db, inParameters, insertInto, prepared, type Statement } from './statements.ts'

/** What a commit tells the one log about itself. */
export interface LogEntry {
  /** `resource.pastTense`, e.g. `account.created`. */
  action: string
  resource: { type: string; id: string | null }
  /** Whose data changed, when it is not the caller's. */
  ownerId?: string
  /** Who acted, where no caller is signed in: the user that logs in or registers. */
  actorId?: string
  /** Set when the row belongs to an account's history. */
  accountId?: string
  /** The account that what changed is booked on; where it is shared with a group, the group is told. */
  bookedOn?: string
  /** The group that it happened in, where that does not follow from the account. */
  groupId?: string
  /** What changed: `{ before, after }` images or `{ field: [before, after] }`. Never a secret. */
  changes?: Record<string, unknown>
  /** SQL that gives JSON text, evaluated after the writes of the commit. */
  facts?: SQL
  /** What one commit changed of each of many things; `resource` then stands for all of them. */
  items?: LogItem[]
}

export interface LogItem {
  resourceId: string
  changes: Record<string, unknown>
}

/** The row of the log that a commit writes, with its items. */
export function logStatements(ctx: Context, entry: LogEntry): Statement[] {
  const id = freshId(ctx, 'log')
  const { items = [] } = entry
  return [
    rowStatement(ctx, id, entry),
    ...inParameters(items).map(({ json }) => insertItems({ logId: id, items: json })),
  ]
}

function rowStatement(ctx: Context, id: string, entry: LogEntry): Statement {
  const actorId = entry.actorId ?? ctx.caller?.userId ?? null
  const nobody = ctx.access === 'system' ? 'system' : 'anonymous'
  const tokenHash = ctx.caller?.tokenHash ?? null
  const row: LogRow = {
    id,
    at: ctx.now,
    action: entry.action,
    actorType: actorId === null ? nobody : tokenHash === null ? 'user' : 'token',
    actorId,
    tokenId: null,
    ownerId: entry.ownerId ?? actorId,
    resourceType: entry.resource.type,
    resourceId: entry.resource.id,
    accountId: entry.accountId ?? null,
    bookedOn: entry.bookedOn ?? entry.accountId ?? null,
    groupId: entry.groupId ?? null,
    changes: entry.changes ? JSON.stringify(entry.changes) : null,
    facts: null,
    requestId: ctx.requestId,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  }
  // What is SQL of its own makes another statement; without it the row is always the same one.
  return entry.facts || tokenHash !== null
    ? db.insert(auditLog).values({
        ...row,
        // Asked for only where the commit is the first door; this one may be deleting the token.
        tokenId:
          ctx.caller?.token?.id ??
          sql`(SELECT id FROM personal_access_tokens WHERE token_hash = ${tokenHash})`,
        facts: entry.facts ?? null,
        groupId: groupOf(row.groupId, row.bookedOn),
      })
    : insertPlainRow(row)
}

type LogRow = typeof auditLog.$inferSelect

/** The group that it is news to: the one that the account is shared with, unless another is named. */
const groupOf = (named: string | null | Placeholder, bookedOn: string | null | Placeholder): SQL =>
  sql`ifnull(${named}, (SELECT s.group_id FROM shares s WHERE s.account_id = ${bookedOn} AND s.group_id IS NOT NULL))`

const insertPlainRow = insertInto(auditLog, {
  groupId: groupOf(sql.placeholder('groupId'), sql.placeholder('bookedOn')),
})

const insertItems = prepared<{ logId: string; items: string }, unknown>(() =>
  db.run(sql`INSERT INTO audit_log_items (resource_id, log_id, changes)
    SELECT value->>'resourceId', ${sql.placeholder('logId')}, value->'changes'
    FROM json_each(${sql.placeholder('items')})`),
)
