import { env } from 'cloudflare:workers'
import { registerUser } from '../../../src/areas/auth/auth.routes.ts'
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
  const { body } = await service.call<{ accessToken: string; user: { id: string } }>(registerUser, {
    json,
  })
  return { accessToken: body.accessToken, id: body.user.id }
}

interface Wanted {
  count?: number
  ownerId?: string | null
  actorId?: string | null
  action?: string
  items?: number
  changes?: string
}

/** Rows of the log, log_1, log_2 and so on, that say all that one can say. */
export async function fill(wanted: Wanted = {}): Promise<void> {
  const { count = 5, ownerId = null, actorId = ownerId, action = 'thing.changed' } = wanted
  const { items = 1, changes = '{"name":["a","b"]}' } = wanted
  const [{ last } = { last: 0 }] = await run<{ last: number }>(
    'SELECT count(*) AS last FROM audit_log',
  )
  await run(
    `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2)
      INSERT INTO audit_log (id, at, action, actor_type, actor_id, owner_id, resource_type,
        resource_id, changes, facts, request_id, ip, user_agent)
      SELECT 'log_' || i, i, ?3, 'user', ?4, ?5, 'thing', 'thg_' || i, ?6, '{"bytes":1}', 'req_1',
        '192.0.2.1', 'UA' FROM n`,
    last,
    count,
    action,
    actorId,
    ownerId,
    changes,
  )
  await run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO audit_log_items (resource_id, log_id, changes)
      SELECT 'txn_' || i, l.id, '{"note":["a","b"]}' FROM audit_log l, n
      WHERE ?1 > 0 AND l.at > ?2`,
    items,
    last,
  )
}
