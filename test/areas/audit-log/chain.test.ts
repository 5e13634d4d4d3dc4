import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { z } from '@hono/zod-openapi'
import { work } from '../../../src/areas/index.ts'
import { redactRows, rowsTellingOf } from '../../../src/areas/audit-log/audit-log.public.ts'
import { itemsOfUnsealed, unsealedRows } from '../../../src/areas/audit-log/chain/chain.queries.ts'
import { verifyAuditLog } from '../../../src/areas/audit-log/chain/chain.routes.ts'
import type { AuditLogVerification } from '../../../src/areas/audit-log/chain/chain.schemas.ts'
import { sealLog } from '../../../src/areas/audit-log/chain/chain.usecases.ts'
import { createAccessToken } from '../../../src/areas/access-tokens/access-tokens.routes.ts'
import { createAccount } from '../../../src/areas/accounts/accounts.routes.ts'
import { settingsOf } from '../../../src/env.ts'
import { commit, read } from '../../../src/platform/database.ts'
import { tick } from '../../../src/platform/tasks.ts'
import type { Principal } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { contextOf, fill, newUser, run, scratch, service } from './scratch.ts'

let admin: Principal & { id: string }
/** What the database had to say while it had its triggers. */
let refusals: string[] = []

beforeAll(async () => {
  await applyD1Migrations(env.SCRATCH, env.TEST_MIGRATIONS)
  await fill({ count: 2 })
  await sealLog(contextOf())
  refusals = await Promise.all(
    [
      "UPDATE audit_chain SET hash = 'x' WHERE number = 1",
      'DELETE FROM audit_chain WHERE number = 2',
      "INSERT OR REPLACE INTO audit_chain VALUES (1, 'log_3', '', '', '')",
      "INSERT OR REPLACE INTO audit_chain VALUES (3, 'log_1', '', '', '')",
    ].map((sql) => run(sql).then(String, String)),
  )
  const triggers = await run<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'audit_*'",
  )
  for (const { name } of triggers) {
    await run(`DROP TRIGGER ${name}`)
  }
  // Without its foreign key, too.
  const columns = 'number integer PRIMARY KEY, log_id UNIQUE, content_hash, hash, key_id'
  await env.SCRATCH.batch(
    ['DROP TABLE audit_chain', `CREATE TABLE audit_chain (${columns})`].map((sql) =>
      env.SCRATCH.prepare(sql),
    ),
  )
  admin = await newUser()
  await run("INSERT INTO user_roles (user_id, role_id) VALUES (?, 'rol_admin')", admin.id)
  await run('DELETE FROM tasks')
})

beforeEach(async () => {
  for (const table of ['audit_chain', 'audit_log_items', 'audit_log']) {
    await run(`DELETE FROM ${table}`)
  }
})

type Verification = z.infer<typeof AuditLogVerification>

const ask = (query: Record<string, string | number> = {}, as: Principal = admin) =>
  service.call<Verification>(verifyAuditLog, { as, query })

const verify = async (from = 1) => (await ask({ from })).body

const WHOLE = { valid: true, broken: null, next: null }

describe('sealing', () => {
  it('links all that the log has in its order, each to the one before', async () => {
    await fill()
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 5, sealed: 5, redacted: 0 })
    const links = await run<{ number: number; log_id: string; hash: string; key_id: string }>(
      'SELECT * FROM audit_chain ORDER BY number',
    )
    expect(links.map(({ log_id }) => log_id)).toEqual([1, 2, 3, 4, 5].map((at) => `log_${at}`))
    expect(new Set(links.map(({ hash }) => hash)).size).toBe(5)
    expect(links[0]?.key_id).toBe(settingsOf(env).encryptionKeys[0]?.id)
  })

  it('goes on from where it was, its own rows included, but not for those alone', async () => {
    await fill()
    for (const expected of [5, 5, 5]) {
      await sealLog(contextOf())
      expect(await verify()).toMatchObject({ ...WHOLE, sealed: expected, unsealed: 1 })
    }
    await fill({ count: 2 })
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 8, sealed: 8, unsealed: 1 })
  })

  it('takes more than fits into one commit', async () => {
    await fill({ count: 1203, items: 0 })
    await sealLog(contextOf())
    // Two of its own three rows came before the last commit looked.
    const first = await verify()
    expect(first).toMatchObject({ valid: true, verified: 1000, sealed: 1205, next: 1001 })
    const second = await ask({ from: 1001 })
    expect(second.body).toMatchObject({ ...WHOLE, verified: 205 })
    expect(costOf(second.headers).rowsRead).toBeLessThan(5000)
    const [{ commits } = { commits: 0 }] = await run<{ commits: number }>(
      "SELECT count(*) AS commits FROM audit_log WHERE action = 'auditLog.sealed'",
    )
    expect(commits).toBe(3)
  })

  it('takes few of large rows at once, and goes on behind what alone is too much', async () => {
    const changes = JSON.stringify({ note: [null, 'x'.repeat(1_500_000)] })
    await fill({ count: 5, changes, items: 2 })
    await run("UPDATE audit_log_items SET changes = ? WHERE log_id = 'log_3'", changes)
    await sealLog(contextOf())
    const first = await verify()
    expect(first).toMatchObject({ valid: true, verified: 3, sealed: 6, next: 4 })
    expect(await verify(4)).toMatchObject({ ...WHOLE, verified: 3 })
  })

  it('looks at no more than it takes, also where the database has learned a log of a few rows', async () => {
    await fill({ count: 3 })
    await run('ANALYZE')
    await fill({ count: 400, items: 20, changes: JSON.stringify('x'.repeat(400_000)) })
    const ctx = contextOf()
    const [taken, items] = await read(ctx, unsealedRows(), itemsOfUnsealed())
    expect([taken.length, items.length]).toEqual([13, 3 + 10 * 20])
    expect(ctx.cost.rowsRead).toBeLessThan(6 * items.length)
  })

  it('is done by one only of two that are at it at once', async () => {
    await fill({ count: 600 })
    await Promise.all([sealLog(contextOf()), sealLog(contextOf()), sealLog(contextOf())])
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, unsealed: 1 })
  })

  it('comes with every tick of the clock, and tells the log of the service where the chain ends', async () => {
    await fill()
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
    await tick({ ...work, schedule: {} }, '*/5 * * * *', scratch)
    log.mockRestore()
    const { head, sealed } = await verify()
    expect(sealed).toBe(5)
    const said = lines.map((line) => JSON.parse(line) as { event: string })
    expect(said).toContainEqual({ level: 'info', event: 'auditLog.sealed', ...head })
  })

  it('makes links that nobody changes, removes or replaces', () => {
    expect(refusals).toHaveLength(4)
    for (const refusal of refusals) {
      expect(refusal).toContain('audit_chain is append-only')
    }
  })

  it('stops where the last row that it sealed is gone', async () => {
    await fill({ items: 0 })
    await sealLog(contextOf())
    await run("DELETE FROM audit_log WHERE id = 'log_5'")
    await fill({ count: 3 })
    await expect(sealLog(contextOf())).rejects.toThrow('The service failed.')
    const broken = { number: 5, logId: 'log_5', reason: 'entryMissing' }
    expect(await verify()).toMatchObject({ valid: false, verified: 4, broken })
  })
})

describe('verifying', () => {
  const TAMPERINGS: [string, string[], object][] = [
    [
      'a field that was changed',
      ["UPDATE audit_log SET actor_id = 'usr_x' WHERE id = 'log_3'"],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'the time that was changed',
      ["UPDATE audit_log SET at = at + 1 WHERE id = 'log_3'"],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'what was done, told differently',
      [`UPDATE audit_log SET changes = '{"name":["a","c"]}' WHERE id = 'log_3'`],
      { number: 3, logId: 'log_3', reason: 'contentChanged' },
    ],
    [
      'other facts',
      [`UPDATE audit_log SET facts = '{"bytes":2}' WHERE id = 'log_3'`],
      { number: 3, logId: 'log_3', reason: 'contentChanged' },
    ],
    [
      'another address that it came from',
      ["UPDATE audit_log SET ip = '192.0.2.2' WHERE id = 'log_3'"],
      { number: 3, logId: 'log_3', reason: 'contentChanged' },
    ],
    [
      'an item that was changed',
      [`UPDATE audit_log_items SET changes = '[]' WHERE log_id = 'log_3'`],
      { number: 3, logId: 'log_3', reason: 'contentChanged' },
    ],
    [
      'an item that was removed',
      ["DELETE FROM audit_log_items WHERE log_id = 'log_3'"],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'an item that was added',
      ["INSERT INTO audit_log_items VALUES ('txn_9', 'log_3', '{}')"],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'content that was taken out of what is said of somebody who is still there',
      [
        "UPDATE audit_log SET changes = NULL, facts = NULL, ip = NULL, user_agent = NULL WHERE id = 'log_3'",
      ],
      { number: 3, logId: 'log_3', reason: 'contentChanged' },
    ],
    [
      'a row that was removed with its link',
      [
        "DELETE FROM audit_chain WHERE log_id = 'log_3'",
        "DELETE FROM audit_log_items WHERE log_id = 'log_3'",
        "DELETE FROM audit_log WHERE id = 'log_3'",
      ],
      { number: 3, logId: null, reason: 'linkMissing' },
    ],
    [
      'a row that was removed with its link, and the others moved up',
      [
        "DELETE FROM audit_chain WHERE log_id = 'log_3'",
        "DELETE FROM audit_log_items WHERE log_id = 'log_3'",
        "DELETE FROM audit_log WHERE id = 'log_3'",
        'UPDATE audit_chain SET number = number - 1 WHERE number > 3',
      ],
      { number: 3, logId: 'log_4', reason: 'entryChanged' },
    ],
    [
      'the first row, removed with its link',
      [
        "DELETE FROM audit_chain WHERE log_id = 'log_1'",
        "DELETE FROM audit_log_items WHERE log_id = 'log_1'",
        "DELETE FROM audit_log WHERE id = 'log_1'",
      ],
      { number: 1, logId: null, reason: 'linkMissing' },
    ],
    [
      'a link that was removed',
      ["DELETE FROM audit_chain WHERE log_id = 'log_3'"],
      { number: 3, logId: null, reason: 'linkMissing' },
    ],
    [
      'links that were swapped',
      [
        'UPDATE audit_chain SET number = 99 WHERE number = 3',
        'UPDATE audit_chain SET number = 3 WHERE number = 4',
        'UPDATE audit_chain SET number = 4 WHERE number = 99',
      ],
      { number: 3, logId: 'log_4', reason: 'entryChanged' },
    ],
    [
      'rows that were swapped',
      [
        "UPDATE audit_log SET rowid = rowid + 1000 WHERE id = 'log_3'",
        "UPDATE audit_log SET rowid = rowid - 1 WHERE id = 'log_4'",
        "UPDATE audit_log SET rowid = rowid - 999 WHERE id = 'log_3'",
      ],
      { number: 4, logId: 'log_4', reason: 'outOfOrder' },
    ],
    [
      'what two rows say, swapped',
      [
        "UPDATE audit_log SET resource_id = 'thg_4' WHERE id = 'log_3'",
        "UPDATE audit_log SET resource_id = 'thg_3' WHERE id = 'log_4'",
      ],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'a row that was put between others',
      [
        "UPDATE audit_log SET rowid = rowid + 1000 WHERE id IN ('log_4', 'log_5', 'log_6')",
        `INSERT INTO audit_log (rowid, id, at, action, actor_type, resource_type, request_id)
          SELECT rowid + 1, 'log_x', 3, 'thing.changed', 'user', 'thing', 'req_1' FROM audit_log WHERE id = 'log_3'`,
      ],
      { number: 4, logId: 'log_x', reason: 'entryAdded' },
    ],
    [
      'a row that was put before all others',
      [
        `INSERT INTO audit_log (rowid, id, at, action, actor_type, resource_type, request_id)
          VALUES (-1, 'log_x', 3, 'thing.changed', 'user', 'thing', 'req_1')`,
      ],
      { number: 1, logId: 'log_x', reason: 'entryAdded' },
    ],
    [
      'a hash of content that was changed with it',
      [
        'UPDATE audit_chain SET content_hash = (SELECT content_hash FROM audit_chain WHERE number = 2) WHERE number = 3',
      ],
      { number: 3, logId: 'log_3', reason: 'entryChanged' },
    ],
    [
      'a key that nobody has',
      ["UPDATE audit_chain SET key_id = 'mine' WHERE number = 3"],
      { number: 3, logId: 'log_3', reason: 'unknownKey' },
    ],
  ]

  it.each(TAMPERINGS)('finds %s', async (_, statements, broken) => {
    const { id } = admin
    await fill({ count: 6, ownerId: id })
    await sealLog(contextOf())
    expect((await verify()).valid).toBe(true)
    await env.SCRATCH.batch(statements.map((sql) => env.SCRATCH.prepare(sql)))
    const found = await verify()
    expect(found).toMatchObject({ valid: false, broken, next: null })
    expect(found.verified).toBe((found.broken?.number ?? 0) - 1)
  })

  it('does not see that the end was cut off, but by the head that somebody kept', async () => {
    await fill()
    await sealLog(contextOf())
    const { head } = await verify()
    await run('DELETE FROM audit_chain WHERE number > 3')
    await run("UPDATE audit_log SET actor_id = 'usr_x' WHERE id = 'log_5'")
    await sealLog(contextOf())
    const found = await verify()
    expect(found.valid).toBe(true)
    const [link] = await run<{ hash: string }>(
      'SELECT hash FROM audit_chain WHERE number = ?',
      head?.number,
    )
    expect(link?.hash).not.toBe(head?.hash)
  })

  it('goes on at any number, and finds what is wrong from there only', async () => {
    await fill({ count: 6 })
    await sealLog(contextOf())
    await run("UPDATE audit_log SET resource_type = 'x' WHERE id = 'log_2'")
    expect(await verify(2)).toMatchObject({ valid: false, broken: { number: 2 } })
    expect(await verify(3)).toMatchObject({ ...WHOLE, verified: 4 })
    expect(await verify(7)).toMatchObject({ ...WHOLE, verified: 0 })
    const beyond = await ask({ from: 8 })
    expect([beyond.status, beyond.error.code, beyond.error.field]).toEqual([
      400,
      'auditLog.notSealed',
      'from',
    ])
  })

  it('finds nothing wrong with an empty log', async () => {
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 0, sealed: 0, head: null })
  })

  it('holds links that were made under an older key, while the ring has it', async () => {
    const older = { id: 'older', bytes: crypto.getRandomValues(new Uint8Array(32)) }
    const settings = { ...settingsOf(env), encryptionKeys: [older] }
    await fill()
    await sealLog(contextOf({ settings }))
    expect(await verify()).toMatchObject({
      valid: false,
      broken: { number: 1, reason: 'unknownKey' },
    })
    const keys = JSON.parse(env.ENCRYPTION_KEYS) as object[]
    const ring = [...keys, { id: 'older', key: Buffer.from(older.bytes).toString('base64') }]
    const both = serviceWith({ env: { DB: env.SCRATCH, ENCRYPTION_KEYS: JSON.stringify(ring) } })
    const found = await both.call<Verification>(verifyAuditLog, { as: admin })
    expect(found.body).toMatchObject({ ...WHOLE, verified: 5 })
  })

  it('is for whoever may read the whole log, and with a token for some accounts for nobody', async () => {
    const user = await newUser()
    expect((await ask({}, user)).status).toBe(403)
    const account = { name: 'One', type: 'checking', currency: 'EUR' }
    const { body } = await service.call<{ id: string }>(createAccount, { as: admin, json: account })
    const tokenFor = async (accountIds?: string[]) => {
      const json = { name: 'x', scopes: ['allAuditLogs.read'], accountIds }
      const made = await service.call<{ token: string }>(createAccessToken, { as: admin, json })
      return { accessToken: made.body.token }
    }
    expect((await ask({}, await tokenFor())).status).toBe(200)
    const refused = await ask({}, await tokenFor([body.id]))
    expect([refused.status, refused.error.code]).toEqual([403, 'auditLog.restrictedToken'])
  })

  it.each(['0', '-1', '1.5', 'x', '1'.repeat(16)])('refuses from=%s', async (from) => {
    expect((await ask({ from })).status).toBe(400)
  })
})

describe('what was taken out as a user was erased', () => {
  async function erase(userId: string): Promise<void> {
    await run("UPDATE users SET status = 'deleted' WHERE id = ?", userId)
    const [found] = await read(contextOf(), rowsTellingOf(userId, 0))
    await commit(contextOf(), {
      action: 'user.dataErased',
      resource: { type: 'user', id: userId },
      writes: redactRows(
        userId,
        found.map(({ id }) => id),
      ),
      result: undefined,
    })
  }

  it('is counted, and nothing is wrong with it', async () => {
    const { id } = await newUser()
    await run('DELETE FROM audit_log')
    await fill({ ownerId: id, actorId: admin.id })
    await fill({ count: 2, ownerId: id, actorId: id, action: 'file.downloaded' })
    await fill({ count: 2, ownerId: admin.id, actorId: id })
    await fill({ count: 1, ownerId: admin.id })
    await sealLog(contextOf())
    await erase(id)
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 10, redacted: 9 })
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 9 })
  })

  it('is no cover for changing what others own, or for another story', async () => {
    const { id } = await newUser()
    await run('DELETE FROM audit_log')
    await fill({ count: 2, ownerId: admin.id, actorId: id })
    await fill({ count: 2, ownerId: id })
    await sealLog(contextOf())
    await erase(id)
    const changed = async (sql: string) => {
      await run(sql)
      const { broken } = await verify()
      return broken
    }
    const third = `UPDATE audit_log SET changes = '{"name":["x","y"]}' WHERE id = 'log_3'`
    expect(await changed(third)).toEqual({ number: 3, logId: 'log_3', reason: 'contentChanged' })
    const first = "UPDATE audit_log SET changes = NULL WHERE id = 'log_1'"
    expect(await changed(first)).toEqual({ number: 1, logId: 'log_1', reason: 'contentChanged' })
  })

  it('may be taken out before it is sealed', async () => {
    const { id } = await newUser()
    await run('DELETE FROM audit_log')
    await fill({ ownerId: id })
    await erase(id)
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 0 })
  })
})
