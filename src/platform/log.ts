import type { SQL } from 'drizzle-orm'
import { auditLog } from '../../drizzle/schema/system.ts'
import { type Context, freshId } from './context.ts'
import { db, type Statement } from './statements.ts'

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
  /** What changed: `{ before, after }` images or `{ field: [before, after] }`. Never a secret. */
  changes?: Record<string, unknown>
  /** SQL that gives JSON text, evaluated after the writes of the commit. */
  facts?: SQL
}

export function logStatement(ctx: Context, entry: LogEntry): Statement {
  const actorId = entry.actorId ?? ctx.caller?.userId ?? null
  const anonymous = ctx.access === 'system' ? ('system' as const) : ('anonymous' as const)
  return db.insert(auditLog).values({
    id: freshId(ctx, 'log'),
    at: ctx.now,
    action: entry.action,
    actorType: actorId === null ? anonymous : 'user',
    actorId,
    ownerId: entry.ownerId ?? actorId,
    resourceType: entry.resource.type,
    resourceId: entry.resource.id,
    accountId: entry.accountId ?? null,
    changes: entry.changes ? JSON.stringify(entry.changes) : null,
    facts: entry.facts ?? null,
    requestId: ctx.requestId,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  })
}
