import { gunzipSync } from 'node:zlib'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { auditLogData } from '../../../src/areas/insight/audit-log/audit-log.data.ts'
import { sealLog } from '../../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { cutLog } from '../../../src/areas/insight/audit-log/segments/verifying.usecases.ts'
import { storeSegments } from '../../../src/areas/insight/audit-log/segments/segments.usecases.ts'
import type { SignedIn } from '../../../src/platform/context.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { signAccessToken } from '../../../src/platform/secrets/tokens.ts'
import { verifyAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import type { TestUser } from '../../support/world.ts'
import { storeCommit } from './stored-log.ts'

// A log of many months: the clock of the tests goes back before anything happens, and forth again.

const MONTH = 31 * 24 * 60 * 60 * 1000
const NOW = Date.now()

/** Sets the clock so many months before now. */
export function monthsAgo(months: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW - months * MONTH })
}

export const backToNow = (): unknown => vi.useRealTimers()

/** Sessions that outlive the months between. */
export const keepSessions = (): Promise<unknown> =>
  rows('UPDATE sessions SET idle_expires_at = 4e12, absolute_expires_at = 4e12')

/** Signed in again, by the clock as it is. */
export async function again<User extends Principal & { id: string }>(user: User): Promise<User> {
  const [session] = await rows<{ id: string }>(
    'SELECT id FROM sessions WHERE user_id = ? ORDER BY id LIMIT 1',
    user.id,
  )
  const accessToken = await signAccessToken(contextWith(), {
    userId: user.id,
    sessionId: session?.id ?? '',
  })
  return { ...user, accessToken }
}

/** Seals what is there, and has all readers go through it. */
export async function sealAndRead(): Promise<void> {
  await sealLog(contextWith())
  while (
    !(await runReaders(work.readers ?? [], (operation) => contextWith({ operation }))) ||
    (await isBehind())
  ) {
    // The next run goes on.
  }
}

const isBehind = async () =>
  (await rows('SELECT 1 FROM log_readers WHERE cursor < (SELECT max(number) FROM log_events)'))
    .length > 0 || (await rows('SELECT 1 FROM log_readers')).length < (work.readers ?? []).length

/** What the nights do. */
export async function storeAndCut(): Promise<void> {
  await storeSegments(contextWith(), [])
  await cutLog(contextWith(), [])
}

export const firstCommit = async (): Promise<number> =>
  (await rows<{ number: number }>('SELECT min(number) AS number FROM log_commits'))[0]?.number ?? 0

interface Listed {
  rows: unknown[]
  /** Of each page, where it has one. */
  counts: unknown[]
}

/** All pages of a list, by `nextCursor` or the `Link` header. */
export async function wholeList(as: Principal, path: string, limit: number): Promise<Listed> {
  const found: Listed = { rows: [], counts: [] }
  const glue = path.includes('?') ? '&' : '?'
  let next: string | undefined = `${path}${glue}limit=${limit}`
  while (next !== undefined) {
    const response = await fetchRaw(next, {
      headers: { Authorization: `Bearer ${as.accessToken}` },
    })
    const body = (await response.json()) as Record<string, unknown>
    if (!response.ok) {
      throw new Error(`${next}: ${response.status} ${JSON.stringify(body)}`)
    }
    const list = Array.isArray(body) ? body : Object.values(body).find(Array.isArray)
    found.rows.push(...(list ?? []))
    found.counts.push(body['count'])
    const cursor = body['nextCursor'] as string | null | undefined
    next = cursor
      ? `${path}${glue}limit=${limit}&cursor=${encodeURIComponent(cursor)}`
      : /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return found
}

/** What a backup has of the log. */
export async function loggedOf({ id }: { id: string }): Promise<object[]> {
  const caller = { userId: id, sessionId: null, tokenHash: null, profile: { permissions: [] } }
  const ctx = contextWith({ caller: caller as unknown as SignedIn['caller'] }) as SignedIn
  const [content] = auditLogData.exports ?? []
  const found: object[] = []
  for await (const page of content?.pages(ctx, () => undefined) ?? []) {
    found.push(...page)
  }
  return found
}

export const objects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: 'log/' })).objects.map(({ key }) => key).toSorted()

/** The middle of a month so many months ago. */
export const ago = (months: number): number => NOW - months * MONTH

/** Stores a commit of somebody for each of these months, all in the order of the list; gives the ids of their events. */
export async function storeMonths(
  actorId: string,
  months: number[],
  wanted: Parameters<typeof storeCommit>[0] = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const month of months) {
    const content = { name: ['a', 'b'] }
    const events = [{ resourceType: 'thing', resourceId: `thg_${month}`, content }]
    const origin = { ip: '192.0.2.1', userAgent: 'UA' }
    ids.push(...(await storeCommit({ at: ago(month), actorId, ...origin, events, ...wanted })))
  }
  return ids
}

/** Takes the log away, which its triggers do not let anybody do. */
export async function emptyLog(): Promise<void> {
  const triggers = await rows<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'log_*'",
  )
  for (const { name } of triggers) {
    await rows(`DROP TRIGGER ${name}`)
  }
  for (const table of [
    'seals',
    'events',
    'commits',
    'segments',
    'segment_users',
    'segment_things',
  ]) {
    await rows(`DELETE FROM log_${table}`)
  }
  await rows('DELETE FROM log_readers')
  for (const trigger of triggers) {
    await rows(trigger.sql)
  }
  await env.FILES.delete(await objects())
}

export const verify = async (as: Principal, from = 1) =>
  ok(verifyAuditLog, { as, query: { from: String(from) } })

/** Verifies from the first commit to the last. */
export async function verifyAll(as: Principal) {
  let redacted = 0
  for (let from: number | null = 1; from !== null;) {
    const found: Awaited<ReturnType<typeof verify>> = await verify(as, from)
    redacted += found.redacted
    if (found.broken) {
      return { broken: found.broken, redacted }
    }
    from = found.next
  }
  return { broken: null, redacted }
}

export const WHOLE = { broken: null, redacted: 0 }

export const segments = () =>
  rows<{ first: number; last: number; key: string }>(
    'SELECT first_commit AS first, last_commit AS last, object_key AS key FROM log_segments ORDER BY 1',
  )

export const textOf = async (key: string): Promise<string> =>
  gunzipSync(
    Buffer.from(await new Response((await env.FILES.get(key))?.body).arrayBuffer()),
  ).toString()

export const idsOf = async (as: Principal, path: string, limit = 200): Promise<string[]> =>
  (await wholeList(as, path, limit)).rows.map((row) => (row as { id: string }).id)

/** Sets the clock to noon in UTC, and signs the user in by that clock. */
export async function on(day: string, user: TestUser): Promise<TestUser> {
  await keepSessions()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${day}T12:00:00Z`) })
  return again(user)
}
