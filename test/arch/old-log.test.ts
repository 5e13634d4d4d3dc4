import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  historyEntry,
  historyList,
} from '../../src/areas/money/accounts/history/history.queries.ts'
import { logEntry } from '../../src/areas/insight/audit-log/audit-log.queries.ts'
import { sealLog, verifyAuditLog } from '../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import {
  countOfDownloaders,
  downloadsByDay,
  recentDownloads,
} from '../../src/areas/operations/metrics/downloads/downloads.queries.ts'
import { changesList } from '../../src/areas/money/transactions/history/history.queries.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Bindings } from '../../src/env.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import type { Context, SignedIn } from '../../src/platform/context.ts'
import { commit, read } from '../../src/platform/database.ts'
import { proverFor } from '../../src/platform/key-ring.ts'
import { entryFinders, pageFinders } from '../../src/platform/log-reading.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { testBindings } from '../support/bindings.ts'
import { testPorts } from '../support/ports.ts'
import { temporaryFolder } from '../support/running.ts'
import { insert, splitAt, sqlOf } from './old-database.ts'

// The log of before 0019 had a row per commit, with items for each of many things, and a chain of its own hashes. What
// it said, and what the chain proved of it, must be the same afterwards.

const { before, after } = splitAt('0019_events.sql')

const folder = temporaryFolder()
afterAll(folder.remove)

const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined)
afterAll(() => quiet.mockRestore())

const bindings = { ...(await testBindings()), CORS_ORIGINS: '', CLIENT_IP_HEADER: '' }

const AT = Date.UTC(2026, 0, 5)

const idAt = (number: number) => newId('log', AT + number, new Uint8Array(10).fill(number))

interface OldRow {
  id: string
  at: number
  action: string
  actor_type: string
  actor_id: string | null
  token_id: string | null
  owner_id: string | null
  resource_type: string
  resource_id: string | null
  account_id: string | null
  booked_on: string | null
  group_id: string | null
  changes: string | null
  facts: string | null
  request_id: string
  ip: string | null
  user_agent: string | null
}

interface OldItem {
  resource_id: string
  changes: string
}

const IMAGE = JSON.stringify({ before: { note: 'a' }, after: { note: 'b' } })

const factsOf = (changeMinor: number, transactionId: string | null = null) =>
  JSON.stringify({
    ...{ date: '2026-01-05', currency: 'EUR', changeMinor, balanceAfterMinor: changeMinor },
    ...{ transactionId },
  })

type ToldRow = Partial<OldRow> & { items?: OldItem[] }

/** Rows of every kind that the log had, in its order. */
const ROWS: ToldRow[] = [
  // Before 0013 a row of an account's history did not name the account that it was booked on.
  {
    ...{ action: 'account.created', resource_type: 'account', resource_id: 'acc' },
    ...{ account_id: 'acc', facts: factsOf(0) },
  },
  {
    ...{ action: 'transactions.created', resource_type: 'transaction' },
    items: [
      { resource_id: 'txn_2', changes: '{"after":{"note":"two"}}' },
      { resource_id: 'txn_1', changes: '{"after":{"note":"one"}}' },
    ],
  },
  {
    ...{ action: 'transaction.updated', resource_type: 'transaction', resource_id: 'txn_1' },
    ...{ booked_on: 'acc', group_id: 'grp', token_id: 'tok', actor_type: 'token' },
  },
  {
    ...{ action: 'transaction.created', resource_type: 'transaction', resource_id: 'txn_3' },
    ...{ account_id: 'acc', booked_on: 'acc', facts: factsOf(500, 'txn_3') },
  },
  {
    ...{ action: 'transactions.updated', resource_type: 'transaction', owner_id: 'usr_gone' },
    ...{ facts: '{"forced":true}' },
    items: [
      { resource_id: 'txn_4', changes: IMAGE },
      { resource_id: 'txn_5', changes: IMAGE },
    ],
  },
  {
    ...{ action: 'file.downloaded', resource_type: 'attachment', resource_id: 'att' },
    ...{ changes: null, facts: '{"kind":"attachment","bytes":700}' },
  },
  {
    ...{ action: 'task.done', resource_type: 'task', actor_type: 'system', changes: null },
    ...{ actor_id: null, owner_id: null, ip: null, user_agent: null },
  },
  { action: 'user.updated', resource_type: 'user', resource_id: 'usr_me', actor_id: 'usr_gone' },
]

const REDACTED = 5

/** Not sealed when the log changes its form. */
const LATE: ToldRow = { action: 'tag.created', resource_type: 'tag', resource_id: 'tag' }

function store(old: DatabaseSync, number: number): { row: OldRow; items: OldItem[] } {
  const { items = [], ...said } = ROWS[number - 1] ?? LATE
  const row: OldRow = {
    ...{ id: idAt(number), at: AT + number, action: '', actor_type: 'user', actor_id: 'usr_me' },
    ...{ token_id: null, owner_id: 'usr_me', resource_type: '', resource_id: null },
    ...{ account_id: null, booked_on: null, group_id: null, changes: IMAGE, facts: null },
    ...{ request_id: `req_${number}`, ip: '192.0.2.1', user_agent: 'UA' },
    ...said,
  }
  insert(old, 'audit_log', { ...row })
  for (const item of items) {
    insert(old, 'audit_log_items', { ...item, log_id: row.id })
  }
  return { row, items: items.toSorted((a, b) => (a.resource_id < b.resource_id ? -1 : 1)) }
}

type Prove = (text: string) => Promise<string>

/** A link of the chain as it was made until 0019. */
async function linkOf(
  { row, items }: ReturnType<typeof store>,
  number: number,
  previous: string,
  prove: Prove,
) {
  const isDownload = row.action === 'file.downloaded'
  const [kept, going] = isDownload ? [row.facts, null] : [null, row.facts]
  const changes = items.map((item) => item.changes)
  const told = await prove(JSON.stringify(['told', row.id, row.changes, going, changes]))
  const origin = await prove(JSON.stringify(['origin', row.id, row.ip, row.user_agent]))
  const contentHash = `${told}.${origin}`
  const hash = await prove(
    JSON.stringify([
      ...['row', previous, number, row.id, row.at, row.action, row.actor_type, row.actor_id],
      ...[row.token_id, row.owner_id, row.resource_type, row.resource_id, row.account_id],
      ...[row.booked_on, row.group_id, kept, row.request_id],
      items.map((item) => item.resource_id),
      contentHash,
    ]),
  )
  return { contentHash, hash }
}

const base = join(folder.path, 'base.sqlite')

beforeAll(async () => {
  const old = new DatabaseSync(base)
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  insert(old, 'users', { id: 'usr_me', email_key: 'me' })
  insert(old, 'users', { id: 'usr_gone', email_key: 'gone' })
  insert(old, 'accounts', { id: 'acc', owner_id: 'usr_me', name: 'Giro', currency: 'EUR' })
  const ctx = systemContext({ ...bindings, DB: { withSession: () => null } } as never, 'test')
  const prover = await proverFor(ctx, 'coffer audit chain v1')
  if (!prover) {
    throw new Error('the ring has no key')
  }
  let previous = ''
  for (const number of ROWS.keys().map((at) => at + 1)) {
    const stored = store(old, number)
    const { contentHash, hash } = await linkOf(stored, number, previous, prover.prove)
    old
      .prepare('INSERT INTO audit_chain VALUES (?, ?, ?, ?, ?)')
      .run(number, stored.row.id, contentHash, hash, prover.keyId)
    previous = hash
  }
  store(old, ROWS.length + 1)
  insert(old, 'account_history_notes', {
    ...{ log_id: idAt(4), comment: 'Mine', hidden_at: null, version: 3, updated_at: AT + 99 },
  })
  const gone = idAt(REDACTED)
  old.exec(`UPDATE users SET status = 'deleted' WHERE id = 'usr_gone';
    UPDATE audit_log_items SET changes = '{}' WHERE log_id = '${gone}';
    UPDATE audit_log SET changes = NULL, facts = NULL, ip = NULL, user_agent = NULL WHERE id = '${gone}'`)
  old.close()
})

let made = 0

/** A database whose log was written before 0019, and which has all migrations now. */
function migrated(tampering?: string) {
  made += 1
  const path = join(folder.path, `${made}.sqlite`)
  copyFileSync(base, path)
  if (tampering !== undefined) {
    const old = new DatabaseSync(path)
    for (const name of ['audit_log', 'audit_log_items', 'audit_chain']) {
      old.exec(`DROP TRIGGER ${name}_no_update; DROP TRIGGER ${name}_no_delete`)
    }
    old.exec(tampering)
    old.close()
  }
  const { binding, exec, requireIntact, close } = openDatabase(path)
  for (const file of after) {
    exec(sqlOf(file))
  }
  requireIntact()
  return { context: () => contextOf(binding), close }
}

const contextOf = (binding: D1Database): Context =>
  systemContext({ ...bindings, DB: binding } as unknown as Bindings, 'test', testPorts)

const asMe = (ctx: Context): SignedIn => ({
  ...ctx,
  caller: {
    ...{ userId: 'usr_me', sessionId: null, tokenHash: null },
    profile: {} as NonNullable<SignedIn['caller']['profile']>,
  },
})

const PAGE = { limit: 50, after: undefined }

it('proves of the log of before what its chain proved, and seals on behind it', async () => {
  const { context, close } = migrated()
  const all = ROWS.length
  const found = await verifyAuditLog(context(), 1)
  expect(found).toMatchObject({
    broken: null,
    verified: all,
    redacted: 1,
    sealed: all,
    unsealed: 1,
  })
  await commit(context(), {
    changes: [
      {
        statements: [],
        events: [
          { id: 'tag', type: 'tag.updated', content: { after: { name: 'x' } } },
          { id: 'tag_2', type: 'tag.updated', ownerId: 'usr_me' },
        ] as never,
      },
    ],
    result: undefined,
  })
  await sealLog(context())
  const later = await verifyAuditLog(context(), 1)
  expect(later).toMatchObject({ broken: null, verified: all + 2, redacted: 1, sealed: all + 2 })
  expect(await verifyAuditLog(context(), all)).toMatchObject({ broken: null, verified: 3 })
  close()
})

it('says the same of everything that the log of before said', async () => {
  const { context, close } = migrated()
  const ctx = asMe(context())
  const idOf = (number: number, event?: number) =>
    event ? `${idAt(number)}-${event}` : idAt(number)
  const [history, [noted], changes, more] = await read(
    ctx,
    pageFinders(historyList(ctx, {}), PAGE)[0],
    entryFinders(historyEntry(ctx, idOf(4)))[0],
    pageFinders(changesList(ctx, { ids: ['txn_1'], transactionId: 'txn_1' }), PAGE)[0],
    pageFinders(changesList(ctx, { ids: ['txn_2'], transactionId: 'txn_2' }), PAGE)[0],
  )
  expect(
    history.map(({ id, type, accountId, changeMinor }) => [id, type, accountId, changeMinor]),
  ).toEqual([
    [idOf(4), 'transaction.created', 'acc', 500],
    [idOf(1), 'account.created', 'acc', 0],
  ])
  expect(history.map(({ comment, version, updatedAt }) => [comment, version, updatedAt])).toEqual([
    ['Mine', 3, AT + 99],
    [null, 1, AT + 1],
  ])
  expect(noted).toMatchObject({
    id: idOf(4),
    comment: 'Mine',
    transactionId: 'txn_3',
    date: '2026-01-05',
  })
  expect(changes.map(({ id, type, content }) => [id, type, content])).toEqual([
    [idOf(3), 'transaction.updated', IMAGE],
    [idOf(2, 2), 'transactions.created', '{"after":{"note":"one"}}'],
  ])
  expect(more.map(({ id }) => id)).toEqual([idOf(2, 3)])
  const [days, [who], recent] = await read(
    ctx,
    downloadsByDay(),
    countOfDownloaders(),
    pageFinders(recentDownloads(), PAGE)[0],
  )
  expect(days).toEqual([{ date: '2026-01-05', kind: 'attachment', downloads: 1, bytes: 700 }])
  expect(who?.users).toBe(1)
  expect(recent).toMatchObject([{ at: AT + 6, userId: 'usr_me', resourceId: 'att', bytes: 700 }])
  const [[third], [redacted], [item], [ofSystem]] = await read(
    ctx,
    entryFinders(logEntry(idOf(3)))[0],
    entryFinders(logEntry(idOf(REDACTED)))[0],
    entryFinders(logEntry(idOf(REDACTED, 3)))[0],
    entryFinders(logEntry(idOf(7)))[0],
  )
  expect(third).toMatchObject({
    ...{ id: idOf(3), commitId: idOf(3), type: 'transaction.updated', at: AT + 3, version: null },
    ...{ actorType: 'token', actorId: 'usr_me', tokenId: 'tok', ownerId: 'usr_me' },
    ...{ resourceType: 'transaction', resourceId: 'txn_1', accountId: 'acc', groupId: 'grp' },
    ...{ content: IMAGE, requestId: 'req_3', ip: '192.0.2.1', userAgent: 'UA', number: 3 },
  })
  expect(redacted).toMatchObject({ content: null, ip: null, userAgent: null, ownerId: 'usr_gone' })
  expect(item).toMatchObject({ resourceId: 'txn_5', content: '{}', commitId: idOf(REDACTED) })
  expect(ofSystem).toMatchObject({
    actorType: 'system',
    actorId: null,
    ownerId: null,
    content: null,
  })
  close()
})

const third = `id = '${idAt(3)}'`
const ofSecond = `log_id = '${idAt(2)}'`

it.each<[string, string, number, string]>([
  [
    'a field that was changed',
    `UPDATE audit_log SET group_id = 'x' WHERE ${third}`,
    3,
    'entryChanged',
  ],
  [
    'a type that was changed',
    `UPDATE audit_log SET action = 'x' WHERE ${third}`,
    3,
    'entryChanged',
  ],
  [
    'an event that was put into the history of an account',
    `UPDATE audit_log SET account_id = 'acc' WHERE ${third}`,
    3,
    'entryChanged',
  ],
  [
    'an event that was taken out of the history of an account',
    `UPDATE audit_log SET account_id = NULL WHERE id = '${idAt(1)}'`,
    1,
    'entryChanged',
  ],
  [
    'content that was changed',
    `UPDATE audit_log SET changes = '{}' WHERE ${third}`,
    3,
    'contentChanged',
  ],
  [
    'how much was downloaded',
    `UPDATE audit_log SET facts = '{"bytes":1}' WHERE id = '${idAt(6)}'`,
    6,
    'entryChanged',
  ],
  [
    'an item that was changed',
    `UPDATE audit_log_items SET changes = '[]' WHERE ${ofSecond} AND resource_id = 'txn_1'`,
    2,
    'contentChanged',
  ],
  [
    'an item that was removed',
    `DELETE FROM audit_log_items WHERE ${ofSecond} AND resource_id = 'txn_1'`,
    2,
    'entryChanged',
  ],
  [
    'an item that was added',
    `INSERT INTO audit_log_items VALUES ('txn_9', '${idAt(2)}', '{}')`,
    2,
    'entryChanged',
  ],
  [
    'another story of somebody who is erased',
    `UPDATE audit_log SET changes = '{"a":1}' WHERE id = '${idAt(REDACTED)}'`,
    REDACTED,
    'contentChanged',
  ],
  [
    'a row that was removed with its link',
    `DELETE FROM audit_chain WHERE number = 3; DELETE FROM audit_log WHERE ${third}`,
    3,
    'linkMissing',
  ],
  [
    'rows that were swapped',
    `UPDATE audit_log SET rowid = 99 WHERE ${third};
      UPDATE audit_log SET rowid = 3 WHERE id = '${idAt(4)}'; UPDATE audit_log SET rowid = 4 WHERE ${third}`,
    3,
    'entryChanged',
  ],
])('finds in the log of before %s', async (_, tampering, number, reason) => {
  const { context, close } = migrated(tampering)
  expect((await verifyAuditLog(context(), 1)).broken).toMatchObject({ number, reason })
  close()
})
