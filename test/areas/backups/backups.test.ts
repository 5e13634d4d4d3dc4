import { createHash } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listAccountGroups } from '../../../src/areas/money/accounts/folders/folders.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  deleteBackup,
  getBackup,
  listBackups,
  createBackup,
} from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import { listExchangeRates } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { listPayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, listTags } from '../../../src/areas/money/tags/tags.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { getProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { listValuations } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { sha256Text } from '../../../src/platform/secrets/crypto.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { call, ok, rows } from '../../support/api.ts'
import { testEvents } from '../../support/events.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { ask, contentsOf, download, keyOf, make, putFile, rowsIn } from './archives.ts'

const hashOf = (bytes: Uint8Array | ArrayBuffer) =>
  createHash('sha256').update(new Uint8Array(bytes)).digest('hex')

describe('a backup', () => {
  it('has what the interface tells its owner, row by row, and as many as it counts', async () => {
    const me = await newOwner()
    const { id, state, manifest } = await make(me)
    expect(state).toBe('ready')
    const files = await contentsOf(me, id)
    const as = me
    const query = { limit: 200 }
    const told: Record<string, { count: number; rows: object[] }> = {
      accounts: await ok(getUserAccounts, { as }).then((r) => ({ ...r, rows: r.accounts })),
      accountGroups: await ok(listAccountGroups, { as }).then((r) => ({
        ...r,
        rows: r.accountGroups,
      })),
      accountHistory: await ok(getAccountHistory, { as }).then((r) => ({
        count: r.length,
        rows: r,
      })),
      categories: await ok(listCategories, { as, query }).then((r) => ({
        ...r,
        rows: r.categories,
      })),
      tags: await ok(listTags, { as, query }).then((r) => ({ ...r, rows: r.tags })),
      payees: await ok(listPayees, { as, query }).then((r) => ({ ...r, rows: r.payees })),
      transactions: await ok(listTransactions, { as, query }).then((r) => ({
        ...r,
        rows: r.transactions,
      })),
      transfers: await ok(listTransfers, { as, query }).then((r) => ({ ...r, rows: r.transfers })),
      valuations: await ok(listValuations, { as, query }).then((r) => ({
        ...r,
        rows: r.valuations,
      })),
      exchangeRates: await ok(listExchangeRates, { as, query: { source: 'user' } }).then((r) => ({
        ...r,
        rows: r.exchangeRates,
      })),
      trash: await ok(listTrash, { as, query }).then((r) => ({ ...r, rows: r.items })),
    }
    const shared = new Set(
      (await ok(getUserAccounts, { as })).accounts
        .filter(({ permission }) => permission !== 'owner')
        .map(({ id: accountId }) => accountId),
    )
    expect(shared.size).toBe(1)
    for (const [kind, { count, rows: all }] of Object.entries(told)) {
      expect(all, kind).toHaveLength(count)
      // What others share is told to the user, too, and is theirs.
      const own = (all as { id: string; accountId?: string }[]).filter(
        ({ id: rowId, accountId }) => !shared.has(accountId ?? rowId),
      )
      expect(own.length, kind).toBeGreaterThan(0)
      expect(manifest?.counts[kind], kind).toBe(own.length)
      expect(rowsIn(files, kind), kind).toEqual(own)
    }
    expect(rowsIn(files, 'profile')).toEqual([await ok(getProfile, { as })])
    expect(manifest?.counts).toMatchObject({
      profile: 1,
      preferences: 1,
      currencies: 1,
      transactionLinks: 1,
      distinctPairs: 1,
      importStatements: 1,
    })
    expect(rowsIn(files, 'importStatements')).toMatchObject([
      { accountId: me.two, currency: 'EUR', sum: '-3.00', rows: 1, closing: null },
    ])
    expect(rowsIn<{ action: string }>(files, 'auditLog').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.registered', 'account.created', 'backup.requested']),
    )
  })

  it('has a manifest with the hash of each file, and a hash of its own', async () => {
    const me = await newUser()
    const attachment = await putFile(me.id, '../a/b:"c".txt', 'a receipt')
    // A name that is cut, and would be in the middle of a letter.
    await putFile(me.id, `${'😀'.repeat(99)}.json`, '{}')
    const lost = await putFile(me.id, 'lost.txt', 'gone')
    await env.FILES.delete(`files/${lost}`)
    const account = await newAccount(me)
    await rows(
      `INSERT INTO attachment_links (id, attachment_id, kind, target_id, owner_id, created_by, created_at)
        VALUES (?1, ?1, 'account', ?2, ?3, ?3, 0)`,
      attachment,
      account.id,
      me.id,
    )
    const backup = await make(me)
    const archive = await (await download(me, backup.id)).arrayBuffer()
    expect([archive.byteLength, hashOf(archive)]).toEqual([backup.size, backup.sha256])
    const { 'manifest.json': manifest, ...files } = await contentsOf(me, backup.id)
    expect(JSON.parse(new TextDecoder().decode(manifest))).toEqual(backup.manifest)
    expect(backup.manifest?.files.map(({ path }) => path)).toEqual(Object.keys(files))
    for (const { path, sha256, size } of backup.manifest?.files ?? []) {
      expect([size, sha256], path).toEqual([files[path]?.length, hashOf(files[path] ?? archive)])
    }
    const path = `files/${attachment}/_a_b__c_.txt`
    expect(new TextDecoder().decode(files[path])).toBe('a receipt')
    const told = rowsIn<{ id: string }>(files, 'attachments').find((row) => row.id === attachment)
    expect(told).toMatchObject({ path, links: [{ kind: 'account', id: account.id }] })
    expect(backup.manifest?.missing).toEqual([`files/${lost}/lost.txt`])
    expect(backup.manifest?.changedMeanwhile).toBe(false)
  })

  it('has nothing of others, not even of what they share', async () => {
    const [me, other] = [await newUser(), await newOwner()]
    await newAccount(me)
    await storeShare(other.one, { user: me }, 'manage')
    const files = await contentsOf(me, (await make(me)).id)
    const text = Object.values(files)
      .map((bytes) => new TextDecoder().decode(bytes))
      .join('\n')
    for (const word of [other.word, other.one, other.id, other.email]) {
      expect(text).not.toContain(word)
    }
    expect(rowsIn(files, 'accounts')).toHaveLength(1)
  })

  it('says what others did with own things, not from where or with which token', async () => {
    const me = await newUser()
    const other = await newUser()
    const { accessToken, id: tokenId } = await giveToken(other, ['read'])
    const ctx = contextWith({
      caller: { userId: other.id, sessionId: null, tokenHash: sha256Text(accessToken) },
      client: { ip: '192.0.2.7', userAgent: 'UA' },
    })
    const event = testEvents.done({ id: me.id, ownerId: me.id })
    await commit(ctx, { changes: [{ statements: [], events: [event] }], result: undefined })
    const logged = await rows(
      'SELECT * FROM log_entries WHERE resource_id = ? AND token_id = ?',
      me.id,
      tokenId,
    )
    expect(logged).toMatchObject([{ actor_id: other.id, ip: '192.0.2.7', user_agent: 'UA' }])
    const files = await contentsOf(me, (await make(me)).id)
    const told = rowsIn<{ action: string }>(files, 'auditLog')
    expect(told.find(({ action }) => action === 'test.done')).toMatchObject({
      actorId: other.id,
      tokenId: null,
      ip: null,
      userAgent: null,
    })
  })

  it('is downloaded as a file to save, and each time is in the log', async () => {
    const me = await newUser()
    const { id, size } = await make(me)
    const { headers, body } = await download(me, id)
    await body?.cancel()
    expect(headers.get('Content-Type')).toBe('application/zip')
    expect(headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="coffer-backup-\d{4}-\d\d-\d\d\.zip";/,
    )
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    const logged = await rows<{ facts: string; owner_id: string }>(
      "SELECT * FROM log_entries WHERE resource_id = ? AND type = 'file.downloaded'",
      id,
    )
    expect(logged).toMatchObject([{ resource_type: 'backup', owner_id: me.id }])
    expect(JSON.parse(logged[0]?.facts ?? '')).toEqual({ kind: 'backup', bytes: size })
  })

  it('is asked for once at a time, however many ask at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all([1, 2, 3].map(() => call(createBackup, { as: me })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('backups.underWay')
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const other = await newUser()
    const [one, again] = [
      await ok(createBackup, { as: other, headers }),
      await ok(createBackup, { as: other, headers }),
    ]
    expect(again).toEqual(one)
    expect((await ok(listBackups, { as: other })).count).toBe(1)
  })

  it('is not downloaded before it is ready, and there are three at most', async () => {
    const me = await newUser()
    const { id } = await ask(me)
    expect((await download(me, id)).status).toBe(409)
    expect(await ok(getBackup, { as: me, id })).toMatchObject({ state: 'queued', manifest: null })
    await ok(deleteBackup, { as: me, id })
    for (const _ of [1, 2, 3]) {
      await make(me)
    }
    const { error } = await call(createBackup, { as: me })
    expect(error.code).toBe('backups.tooMany')
    const { backups } = await ok(listBackups, { as: me })
    expect(backups.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready'])
    await ok(deleteBackup, { as: me, id: backups[0]?.id ?? '' })
    expect((await call(createBackup, { as: me })).status).toBe(202)
  })

  it('is listed page by page, newest first', async () => {
    const me = await newUser()
    const [older, newer] = [await make(me), await make(me)]
    const first = await ok(listBackups, { as: me, query: { limit: 1 } })
    const rest = await ok(listBackups, {
      as: me,
      query: { limit: 1, cursor: first.nextCursor ?? '' },
    })
    expect([...first.backups, ...rest.backups].map(({ id }) => id)).toEqual([newer.id, older.id])
    expect([first.count, rest.nextCursor]).toEqual([2, null])
  })

  it('is deleted with its object, by the version that one has seen', async () => {
    const me = await newUser()
    const { id } = await make(me)
    const { headers } = await call(getBackup, { as: me, id })
    const key = (await keyOf(id)) ?? ''
    const stale = { 'If-Match': '"1-x"' }
    expect((await call(deleteBackup, { as: me, id, headers: stale })).status).toBe(412)
    expect(await env.FILES.head(key)).not.toBeNull()
    const seen = { 'If-Match': headers.get('ETag') ?? '' }
    expect((await call(deleteBackup, { as: me, id, headers: seen })).status).toBe(204)
    expect(await env.FILES.head(key)).toBeNull()
    expect((await call(getBackup, { as: me, id })).status).toBe(404)
  })

  it('is nobody else’s business', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await make(me)
    expect((await call(getBackup, { as: other, id })).status).toBe(404)
    expect((await download(other, id)).status).toBe(404)
    expect((await call(deleteBackup, { as: other, id })).status).toBe(404)
    expect((await ok(listBackups, { as: other })).count).toBe(0)
  })

  it('is of all accounts, so nothing for a token that is for some', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id } = await make(me)
    const as = await giveToken(me, ['backups.read', 'backups.write'], [account.id])
    const refused = [
      await call(createBackup, { as }),
      await call(listBackups, { as }),
      await call(getBackup, { as, id }),
      await call(deleteBackup, { as, id }),
    ]
    expect(refused.map(({ error }) => error.code)).toEqual(
      Array.from({ length: 4 }, () => 'backups.tokenIsRestricted'),
    )
    expect((await download(as, id)).status).toBe(403)
    const free = await giveToken(me, ['backups.read', 'backups.write'])
    expect((await ok(listBackups, { as: free })).count).toBe(1)
    await ok(createTag, { as: me, json: { name: 'Later' } })
    expect((await make(free)).state).toBe('ready')
  })
})
