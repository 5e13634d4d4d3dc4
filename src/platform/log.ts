import { type SQL, sql } from 'drizzle-orm'
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
  const nobody = ctx.access === 'system' ? 'system' : 'anonymous'
  // As text: every commit pays for building this one.
  return db.run(sql`INSERT INTO audit_log (id, at, action, actor_type, actor_id, owner_id, resource_type,
      resource_id, account_id, changes, facts, request_id, ip, user_agent)
    VALUES (${freshId(ctx, 'log')}, ${ctx.now}, ${entry.action}, ${actorId === null ? nobody : 'user'},
      ${actorId}, ${entry.ownerId ?? actorId}, ${entry.resource.type}, ${entry.resource.id},
      ${entry.accountId ?? null}, ${entry.changes ? JSON.stringify(entry.changes) : null},
      ${entry.facts ?? null}, ${ctx.requestId}, ${ctx.client.ip}, ${ctx.client.userAgent})`)
}
