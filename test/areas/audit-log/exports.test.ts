import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  getAuditLogExport,
  downloadAuditLogExport,
  exportAuditLog,
} from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { makeLogExportJob } from '../../../src/areas/insight/audit-log/audit-log.jobs.ts'
import { work } from '../../../src/areas/index.ts'
import { cancelJob } from '../../../src/areas/operations/jobs/jobs.routes.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { tick } from '../../../src/platform/work/tasks.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { call, fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { keysInBucket } from '../backups/archives.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { storeCommit } from './stored-log.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

type Wanted = Record<string, string>

/** Asks for an export that nobody but the test makes. */
async function ask(as: Principal, json: Wanted) {
  const { id, job } = await ok(exportAuditLog, { as, json: json as object })
  await rows('UPDATE tasks SET next_attempt_at = ? WHERE id = ?', Date.now() + HOUR, job.id)
  return { id, taskId: job.id }
}

async function make(as: Principal, json: Wanted) {
  const { id, taskId } = await ask(as, json)
  await deliver(work, taskId, 2 * HOUR)
  return ok(getAuditLogExport, { as, id })
}

const download = (as: Principal, id: string) =>
  fetchRaw(downloadAuditLogExport.path.replace('{id}', id), {
    headers: { Authorization: `Bearer ${as.accessToken}` },
  })

const textOf = async (as: Principal, id: string) => (await download(as, id)).text()

async function withTags(...names: string[]): Promise<TestUser> {
  const user = await newUser()
  for (const name of names) {
    await ok(createTag, { as: user, json: { name } })
  }
  return user
}

const keyOf = async (id: string) =>
  (await rows<{ object_key: string | null }>('SELECT object_key FROM archives WHERE id = ?', id))[0]
    ?.object_key ?? ''

describe('an export of the log', () => {
  it('has what the search finds, one object per line, the newest first', async () => {
    const [admin, user] = await Promise.all([newAdmin(), withTags('One', 'Two')])
    const made = await make(admin, { ownerId: user.id, action: 'tag.created' })
    expect(made).toMatchObject({ state: 'ready', format: 'ndjson', entries: 2 })
    const response = await download(admin, made.id)
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="coffer-audit-log-\d{4}-\d\d-\d\d\.ndjson"/,
    )
    const text = await response.text()
    expect(text.length).toBe(made.size)
    const lines = text.trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { at: string; changes: object[] })
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({ action: 'tag.created', actorId: user.id })
    expect(entries[0]?.changes).toContainEqual({ field: 'name', before: null, after: 'Two' })
    const [{ at } = { at: 0 }] = await rows<{ at: number }>(
      "SELECT max(at) AS at FROM log_entries WHERE owner_id = ? AND type = 'tag.created'",
      user.id,
    )
    expect(Date.parse(entries[0]?.at ?? '')).toBe(at)
  })

  it('keeps to the span that was asked for', async () => {
    const [admin, user] = await Promise.all([newAdmin(), withTags('One')])
    const about = { ownerId: user.id, action: 'tag.created' }
    const none = await make(admin, { ...about, until: '2000-01-01T00:00:00Z' })
    expect(none.entries).toBe(0)
  })

  it('is a table whose cells are no formulas', async () => {
    const [admin, user] = await Promise.all([newAdmin(), withTags('One "and" two')])
    await storeCommit({ ownerId: user.id, userAgent: '=HYPERLINK("http://evil.test")' })
    const { id } = await make(admin, { ownerId: user.id, format: 'csv' })
    const response = await download(admin, id)
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    const [head, ...lines] = (await response.text()).trim().split('\r\n')
    expect(head).toMatch(/^id,commitId,at,action,/)
    expect(lines).toHaveLength(3)
    const cells = lines.map((line) => [...line.matchAll(/"(?:[^"]|"")*"(?:,|$)/g)])
    expect(new Set(cells.map((row) => row.length))).toEqual(new Set([head?.split(',').length]))
    expect(lines[0]).toContain(`"'=HYPERLINK(""http://evil.test"")"`)
    expect(lines[1]).toContain('""after"":""One \\""and\\"" two""')
  })

  it('has more than one read brings, and what is long as a whole', async () => {
    const [admin, user] = await Promise.all([newAdmin(), newUser()])
    const noted = (text: string) => ({ content: { note: ['', text] } })
    const texts = Array.from({ length: 1100 }, (_, at) =>
      at === 700 ? 'x'.repeat(30_000) : 'short',
    )
    // A step ends within the commit of many events.
    await storeCommit({ type: 'x', ownerId: user.id, events: texts.slice(0, 800).map(noted) })
    for (const text of texts.slice(800)) {
      await storeCommit({ type: 'x', ownerId: user.id, events: [noted(text)] })
    }
    const { id, entries } = await make(admin, { ownerId: user.id, action: 'x' })
    expect(entries).toBe(1100)
    const text = await textOf(admin, id)
    expect(new Set(text.trim().split('\n')).size).toBe(1100)
    expect(text).toContain('x'.repeat(30_000))
  })

  it('is downloaded by who asked for it alone, which the log tells', async () => {
    const [admin, other] = await Promise.all([newAdmin(), newAdmin()])
    const { id, size } = await make(admin, { ownerId: admin.id })
    await textOf(admin, id)
    const [logged] = await rows(
      `SELECT owner_id, resource_type, facts FROM log_entries
        WHERE resource_id = ? AND type = 'file.downloaded'`,
      id,
    )
    const facts = JSON.stringify({ kind: 'auditLog', bytes: size })
    expect(logged).toEqual({ owner_id: admin.id, resource_type: 'auditLog', facts })
    expect((await download(other, id)).status).toBe(404)
    expect((await call(getAuditLogExport, { as: other, id })).status).toBe(404)
  })

  it('is for whoever may read the whole log, and not for a token that is for some accounts', async () => {
    const [admin, user] = await Promise.all([newAdmin(), newUser()])
    expect((await call(exportAuditLog, { as: user, json: {} })).status).toBe(403)
    const account = await newAccount(admin)
    const { id } = await make(admin, { ownerId: user.id })
    const as = await giveToken(admin, ['allAuditLogs.read'], [account.id])
    const refused = await call(exportAuditLog, { as, json: {} })
    expect([refused.status, refused.error.code]).toEqual([403, 'auditLog.restrictedToken'])
    expect((await call(getAuditLogExport, { as, id })).status).toBe(403)
    expect((await download(as, id)).status).toBe(403)
  })

  it('is made one at a time, and can be called off', async () => {
    const admin = await newAdmin()
    const { id, taskId } = await ask(admin, { ownerId: admin.id })
    const second = await call(exportAuditLog, { as: admin, json: {} })
    expect([second.status, second.error.code]).toEqual([409, 'auditLog.exportUnderWay'])
    const early = await download(admin, id)
    expect([early.status, ((await early.json()) as { code: string }).code]).toEqual([
      409,
      'auditLog.exportNotReady',
    ])
    await ok(cancelJob, { as: admin, id: taskId })
    expect((await ok(getAuditLogExport, { as: admin, id })).state).toBe('cancelled')
    await ask(admin, { ownerId: admin.id })
  })

  it('leaves one object behind however often it is begun', async () => {
    const admin = await newAdmin()
    const { id, taskId } = await ask(admin, { ownerId: admin.id })
    await env.FILES.put('archives/left-behind', 'half of it')
    await rows("UPDATE archives SET object_key = 'archives/left-behind' WHERE id = ?", id)
    await deliver(work, taskId, 2 * HOUR)
    expect(await env.FILES.head('archives/left-behind')).toBeNull()
    expect(await env.FILES.head(await keyOf(id))).not.toBeNull()
  })

  it('is gone after seven days', async () => {
    const admin = await newAdmin()
    const { id } = await make(admin, { ownerId: admin.id })
    const key = await keyOf(id)
    const expire = work.jobs.filter(({ kind }) => kind === 'archives.expire')
    const clock = { jobs: expire, schedule: { x: ['archives.expire'] } }
    await tick(clock, 'x', env, { ...systemPorts, now: () => Date.now() + 8 * DAY })
    expect(await env.FILES.head(key)).toBeNull()
    expect((await ok(getAuditLogExport, { as: admin, id })).state).toBe('expired')
    const late = await download(admin, id)
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([
      409,
      'auditLog.exportNotKept',
    ])
  })

  it('is gone with whoever it tells of, also while it is made', async () => {
    const [admin, user] = [await newAdmin(), await withTags('One')]
    const { id } = await make(admin, { ownerId: user.id })
    const key = await keyOf(id)
    const { id: begun } = await ask(admin, { ownerId: user.id })
    await rows("UPDATE archives SET object_key = 'archives/begun' WHERE id = ?", begun)
    await rows('UPDATE users SET deletion_due_at = 1 WHERE id = ?', user.id)
    await eraseUserJob.run(contextWith(), { userId: user.id }, [])
    expect(await env.FILES.head(key)).toBeNull()
    for (const one of [id, begun]) {
      expect(await ok(getAuditLogExport, { as: admin, id: one })).toMatchObject({
        state: 'expired',
        format: 'ndjson',
      })
    }
  })

  it.each([2, 4])('is not begun or kept when it ends before trip %i', async (at) => {
    const [admin, user] = [await newAdmin(), await withTags('One')]
    const { id } = await ask(admin, { ownerId: user.id })
    const before = await keysInBucket()
    const database = databaseWith(async (trip, go) => {
      if (trip === at) {
        await rows("UPDATE archives SET state = 'expired', object_key = NULL WHERE id = ?", id)
      }
      return go()
    }).withSession('first-primary')
    await expect(
      makeLogExportJob.run(contextWith({ database }), { exportId: id }, []),
    ).rejects.toMatchObject({ code: 'auditLog.unknownExport' })
    expect(await keysInBucket()).toEqual(before)
  })

  it('knows none that never was, and none by a format of its own', async () => {
    const admin = await newAdmin()
    expect((await call(getAuditLogExport, { as: admin, id: someId('exp') })).status).toBe(404)
    expect((await download(admin, someId('exp'))).status).toBe(404)
    const json = { format: 'xlsx' } as never
    expect((await call(exportAuditLog, { as: admin, json })).status).toBe(400)
  })
})
