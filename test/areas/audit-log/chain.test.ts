import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { verifyAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { sealLog } from '../../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { createAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { settingsOf } from '../../../src/env.ts'
import { commit } from '../../../src/platform/database/database.ts'
import type { DomainEvent, Thing } from '../../../src/platform/log/events.ts'
import { tick } from '../../../src/platform/work/tasks.ts'
import { type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newUser as newStoredUser } from '../../support/world.ts'
import {
  contextOf,
  emptyLog,
  fill,
  newUser,
  openScratch,
  run,
  scratch,
  service,
  type Verification,
  verifyAs,
  WHOLE,
} from './scratch.ts'
import { redactAll } from './stepping.ts'
import { someBytes } from '../../support/of-file.ts'

let admin: Principal & { id: string }

beforeAll(async () => {
  admin = await openScratch()
})

beforeEach(emptyLog)

const CONTENT = { before: { name: 'a' }, after: { name: 'b' } }

const thingChanged = (thing: Thing) =>
  ({ ...thing, type: 'thing.changed', content: CONTENT }) as DomainEvent

const verify = async (from = 1) => (await verifyAs(admin, { from })).body

describe('sealing', () => {
  it('seals all commits of the log in their order, each with the hash of the one before', async () => {
    await fill()
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 5, sealed: 5, redacted: 0 })
    const seals = await run<{ number: number; hash: string; key_id: string }>(
      'SELECT * FROM log_seals ORDER BY number',
    )
    expect(seals.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
    expect(new Set(seals.map(({ hash }) => hash)).size).toBe(5)
    expect(seals[0]?.key_id).toBe(settingsOf(env).encryptionKeys[0]?.id)
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
    const second = await verifyAs(admin, { from: 1001 })
    expect(second.body).toMatchObject({ ...WHOLE, verified: 205 })
    expect(costOf(second.headers).rowsRead).toBeLessThan(5000)
    const [{ commits } = { commits: 0 }] = await run<{ commits: number }>(
      "SELECT count(*) AS commits FROM log_commits WHERE type = 'auditLog.sealed'",
    )
    expect(commits).toBe(3)
  })

  it('takes few of large rows at once, and goes on behind what alone is too much', async () => {
    const content = JSON.stringify({ note: [null, 'x'.repeat(1_500_000)] })
    await fill({ count: 5, content, items: 2 })
    await run('UPDATE log_events SET content = ? WHERE commit_number = 3', content)
    await sealLog(contextOf())
    const first = await verify()
    expect(first).toMatchObject({ valid: true, verified: 3, sealed: 6, next: 4 })
    expect(await verify(4)).toMatchObject({ ...WHOLE, verified: 3 })
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

  it('makes seals that nobody changes, removes or replaces', async () => {
    await newStoredUser()
    await sealLog(contextWith())
    for (const statement of [
      "UPDATE log_seals SET hash = 'x' WHERE number = 1",
      'DELETE FROM log_seals WHERE number = 1',
      "INSERT OR REPLACE INTO log_seals VALUES (1, '', '', '')",
    ]) {
      await expect(rows(statement)).rejects.toThrow('log_seals is append-only')
    }
  })

  it('stops where the last commit that it sealed is gone', async () => {
    await fill({ items: 0 })
    await sealLog(contextOf())
    await run('DELETE FROM log_commits WHERE number = 5')
    await fill({ count: 3 })
    await expect(sealLog(contextOf())).rejects.toThrow('The service failed. Try again later.')
    const broken = { number: 5, logId: null, reason: 'entryMissing' }
    expect(await verify()).toMatchObject({ valid: false, verified: 4, broken })
  })
})

describe('verifying', () => {
  it('does not see that the end was cut off, but by the head that somebody kept', async () => {
    await fill()
    await sealLog(contextOf())
    const { head } = await verify()
    await run('DELETE FROM log_seals WHERE number > 3')
    await run("UPDATE log_commits SET actor_id = 'usr_x' WHERE number = 5")
    await sealLog(contextOf())
    const found = await verify()
    expect(found.valid).toBe(true)
    const [seal] = await run<{ hash: string }>(
      'SELECT hash FROM log_seals WHERE number = ?',
      head?.number,
    )
    expect(seal?.hash).not.toBe(head?.hash)
  })

  it('goes on at any number, and finds what is wrong from there only', async () => {
    await fill({ count: 6 })
    await sealLog(contextOf())
    await run("UPDATE log_events SET resource_type = 'x' WHERE commit_number = 2")
    expect(await verify(2)).toMatchObject({ valid: false, broken: { number: 2 } })
    expect(await verify(3)).toMatchObject({ ...WHOLE, verified: 4 })
    expect(await verify(7)).toMatchObject({ ...WHOLE, verified: 0 })
    const beyond = await verifyAs(admin, { from: 8 })
    expect([beyond.status, beyond.error.code, beyond.error.field]).toEqual([
      400,
      'auditLog.notSealed',
      'from',
    ])
  })

  it('finds nothing wrong with an empty log', async () => {
    expect(await verify()).toMatchObject({ ...WHOLE, verified: 0, sealed: 0, head: null })
  })

  it('holds seals that were made under an older key, while the ring has it', async () => {
    const older = { id: 'older', bytes: someBytes(32) }
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
    expect((await verifyAs(user)).status).toBe(403)
    const account = { name: 'One', type: 'checking', currency: 'EUR' }
    const { body } = await service.call<{ id: string }>(createAccount, { as: admin, json: account })
    const tokenFor = async (accountIds?: string[]) => {
      const json = { name: 'x', scopes: ['allAuditLogs.read'], accountIds }
      const made = await service.call<{ token: string }>(createAccessToken, { as: admin, json })
      return { accessToken: made.body.token }
    }
    expect((await verifyAs(await tokenFor())).status).toBe(200)
    const refused = await verifyAs(await tokenFor([body.id]))
    expect([refused.status, refused.error.code]).toEqual([403, 'auditLog.restrictedToken'])
  })

  it.each(['0', '-1', '1.5', 'x', '1'.repeat(16)])('refuses from=%s', async (from) => {
    expect((await verifyAs(admin, { from })).status).toBe(400)
  })
})

describe('what was taken out as a user was erased', () => {
  async function erase(userId: string): Promise<void> {
    await run("UPDATE users SET status = 'deleted' WHERE id = ?", userId)
    await redactAll(userId, contextOf())
  }

  it('is counted, and nothing is wrong with it', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ ownerId: id, actorId: admin.id })
    await fill({ count: 2, ownerId: id, actorId: id, type: 'file.downloaded' })
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
    await emptyLog()
    await fill({ count: 2, ownerId: admin.id, actorId: id })
    await fill({ count: 2, ownerId: id })
    await sealLog(contextOf())
    await erase(id)
    const changed = async (sql: string) => {
      await run(sql)
      const { broken } = await verify()
      return broken
    }
    const third = `UPDATE log_events SET content = '{"name":["x","y"]}' WHERE resource_id = 'thg_3'`
    expect(await changed(third)).toEqual({ number: 3, logId: 'log_3', reason: 'contentChanged' })
    const first = "UPDATE log_events SET content = NULL WHERE resource_id = 'thg_1'"
    expect(await changed(first)).toEqual({ number: 1, logId: 'log_1', reason: 'contentChanged' })
  })

  it('leaves proven what the same commit says of others, and of nobody', async () => {
    const { id: other } = await newUser()
    await emptyLog()
    const caller = { userId: admin.id, sessionId: null, tokenHash: null }
    const client = { ip: '192.0.2.1', userAgent: 'UA' }
    await commit(contextOf({ caller, client }), {
      changes: [
        {
          statements: [],
          events: [
            thingChanged({ id: 'mine' }),
            thingChanged({ id: 'theirs', ownerId: other }),
            thingChanged({ id: 'nobodys', ownerId: null }),
            thingChanged({ id: 'theirs too', ownerId: other }),
          ],
        },
      ],
      result: undefined,
    })
    await sealLog(contextOf())
    const [seal] = await run<{ content_hash: string }>(
      'SELECT content_hash FROM log_seals WHERE number = 1',
    )
    // One part for each owner, and one for where it came from.
    expect(seal?.content_hash.split('.')).toHaveLength(4)
    await erase(other)
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 1 })
    const told = await run<{ content: string | null; ip: string | null }>(
      'SELECT content, ip FROM log_entries WHERE commit_number = 1 ORDER BY number',
    )
    expect(told.map(({ content, ip }) => [content !== null, ip])).toEqual([
      [true, '192.0.2.1'],
      [false, '192.0.2.1'],
      [true, '192.0.2.1'],
      [false, '192.0.2.1'],
    ])
    for (const [id, content] of [
      ['mine', null],
      ['nobodys', null],
      ['theirs', '{"after":{}}'],
    ] as const) {
      await run('UPDATE log_events SET content = ?1 WHERE resource_id = ?2', content, id)
      expect((await verify()).broken).toMatchObject({ number: 1, reason: 'contentChanged' })
      await run(
        `UPDATE log_events SET content = ?1 WHERE resource_id = ?2`,
        id === 'theirs' ? null : JSON.stringify(CONTENT),
        id,
      )
      expect(await verify()).toMatchObject(WHOLE)
    }
    await run('UPDATE log_commits SET ip = NULL, user_agent = NULL WHERE number = 1')
    expect((await verify()).broken).toMatchObject({ number: 1, reason: 'contentChanged' })
  })

  it('takes nothing out of what nobody owns with the owner of its commit', async () => {
    const { id } = await newUser()
    await emptyLog()
    const caller = { userId: id, sessionId: null, tokenHash: null }
    const events = [thingChanged({ id: 'mine' }), thingChanged({ id: 'nobodys', ownerId: null })]
    await commit(contextOf({ caller }), {
      changes: [{ statements: [], events }],
      result: undefined,
    })
    await sealLog(contextOf())
    await erase(id)
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 1 })
    await run("UPDATE log_events SET content = NULL WHERE resource_id = 'nobodys'")
    expect((await verify()).broken).toMatchObject({ number: 1, reason: 'contentChanged' })
  })

  it('may be taken out before it is sealed', async () => {
    const { id } = await newUser()
    await emptyLog()
    await fill({ ownerId: id })
    await erase(id)
    await sealLog(contextOf())
    expect(await verify()).toMatchObject({ ...WHOLE, redacted: 0 })
  })
})
