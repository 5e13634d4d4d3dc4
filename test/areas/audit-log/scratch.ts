import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { z } from '@hono/zod-openapi'
import { verifyAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import type { AuditLogVerification } from '../../../src/areas/insight/audit-log/chain/chain.contract.ts'
import { register } from '../../../src/areas/identity/auth/auth.routes.ts'
import type { Bindings } from '../../../src/env.ts'
import type { Principal } from '../../support/api.ts'
import { PASSWORD_MARK } from '../../support/canaries.ts'
import { contextWith, serviceWith } from '../../support/service.ts'

// A log in a database of its own, to be done to what no database allows.

export const scratch: Bindings = { ...env, DB: env.SCRATCH }
export const service = serviceWith({ env: { DB: env.SCRATCH } })

export const run = async <Row>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await env.SCRATCH.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results

export const contextOf = (changed: Parameters<typeof contextWith>[0] = {}) =>
  contextWith({ database: env.SCRATCH.withSession('first-primary'), ...changed })

let serial = 0

export async function newUser(): Promise<Principal & { id: string }> {
  const email = `chain-${++serial}@coffer.test`
  const json = { email, password: `${PASSWORD_MARK} ${crypto.randomUUID()}`, name: 'Ada' }
  const { body } = await service.call<{ accessToken: string; user: { id: string } }>(register, {
    json,
  })
  return { accessToken: body.accessToken, id: body.user.id }
}

/** Makes the tables, without the triggers that keep the log as it is; gives an administrator. */
export async function openScratch(): Promise<Principal & { id: string }> {
  await applyD1Migrations(env.SCRATCH, env.TEST_MIGRATIONS)
  const triggers = await run<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'log_*'",
  )
  for (const { name } of triggers) {
    await run(`DROP TRIGGER ${name}`)
  }
  const admin = await newUser()
  await run("INSERT INTO user_roles (user_id, role_id) VALUES (?, 'rol_admin')", admin.id)
  await run('DELETE FROM tasks')
  return admin
}

export async function emptyLog(): Promise<void> {
  for (const table of ['log_seals', 'log_events', 'log_commits']) {
    await run(`DELETE FROM ${table}`)
  }
}

export type Verification = z.infer<typeof AuditLogVerification>

export const verifyAs = (as: Principal, query: Record<string, string | number> = {}) =>
  service.call<Verification>(verifyAuditLog, { as, query })

/** What an answer says where the log is as it was, up to its end. */
export const WHOLE = { valid: true, broken: null, next: null }

interface Wanted {
  count?: number
  ownerId?: string | null
  actorId?: string | null
  type?: string
  items?: number
  content?: string
}

/**
 * Commits log_1, log_2 and so on that say all that one can say: each has an event for a thing, and one for each of its
 * items.
 */
export async function fill(wanted: Wanted = {}): Promise<void> {
  const { count = 5, ownerId = null, actorId = ownerId, type = 'thing.changed' } = wanted
  const { items = 1, content = '{"name":["a","b"]}' } = wanted
  const [{ last } = { last: 0 }] = await run<{ last: number }>(
    'SELECT ifnull(max(number), 0) AS last FROM log_commits',
  )
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO log_commits (number, id, at, operation, actor_type, actor_id, type, owner_id, request_id, ip,
        user_agent, first_event, event_count)
      SELECT ?1 + i, 'log_' || CAST(?1 + i AS INTEGER), ?1 + i, ?3, 'user', ?4, ?3, ?5, 'req_1', '192.0.2.1', 'UA',
        ifnull((SELECT max(number) FROM log_events), 0) + 1 + (i - 1) * (1 + ?6), 1 + ?6 FROM n`,
    last,
    count,
    type,
    actorId,
    ownerId,
    items,
  )
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO log_events (number, commit_number, resource_type, resource_id, content, facts)
      SELECT c.first_event + i, c.number, 'thing', iif(i = 0, 'thg_' || c.number, 'txn_' || i),
        iif(i = 0, ?3, '{"note":["a","b"]}'), iif(i = 0, '{"bytes":1}', NULL)
      FROM log_commits c, n WHERE c.number > ?1`,
    last,
    items,
    content,
  )
}
