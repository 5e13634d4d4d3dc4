import { isDeepStrictEqual } from 'node:util'
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { work } from '../../src/areas/index.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { consume, tick } from '../../src/platform/work/tasks.ts'
import { type Dump, dump, newOwner, type Owner } from '../areas/own-user/owners.fixtures.ts'
import { makeDue } from '../areas/own-user/user-traces.fixtures.ts'
import { rows } from '../support/api.ts'

// Tasks and messages that nobody stores like this today: what another version left, or another hand.

const HOUR = 60 * 60 * 1000

let me: Owner

beforeAll(async () => {
  me = await newOwner()
})

afterEach(() => rows('DELETE FROM tasks'))

const store = (kind: string, payload: string, dedupeKey: string | null = null, state = 'queued') =>
  rows(
    `INSERT INTO tasks (id, kind, payload, state, max_attempts, created_at, next_attempt_at, dedupe_key)
      VALUES ('tsk_' || lower(hex(randomblob(13))), ?, ?, ?, 5, 0, 0, ?)`,
    kind,
    payload,
    state,
    dedupeKey,
  )

/** So that the clock does all itself, and leaves none to the queue. */
const jobs = work.jobs.map((job) => ({ ...job, waits: false }))

const tickAt = (now: number) =>
  tick({ jobs, schedule: {} }, 'now and then', env, {
    ...systemPorts,
    now: () => now,
  })

const statesOf = (kind: string) =>
  rows<{ state: string; error: string | null }>(
    'SELECT state, error FROM tasks WHERE kind = ?',
    kind,
  )

/** What was there after the last task: nobody but them changes it in between. */
let before: Dump | undefined

/** Stores tasks one by one, lets each be done, and gives how they ended and which tables are not as they were. */
async function triedAll(kind: string, payloads: string[]) {
  await rows('DELETE FROM tasks')
  before ??= await dump()
  const ended = []
  for (const payload of payloads) {
    await rows('DELETE FROM tasks')
    await store(kind, payload, `user.wipe ${me.id}`)
    await tickAt(Date.now())
    const [task] = await statesOf(kind)
    ended.push({ payload: payload.slice(0, 200), task })
  }
  const after = await dump()
  const had = before
  const changed = Object.keys(had).filter(
    (name) =>
      !['tasks', 'log_readers'].includes(name) && !isDeepStrictEqual(had[name], after[name]),
  )
  before = after
  return { ended, changed }
}

const refused = (payloads: string[]) => ({
  ended: payloads.map((payload) => ({
    payload: payload.slice(0, 200),
    task: { state: 'failed', error: 'tasks.badPayload' },
  })),
  changed: [],
})

const BROKEN = ['', '{"userId":', 'null', '[]', '"text"', '7', `"${'x'.repeat(1_500_000)}"`]

describe.each(work.jobs.map(({ kind }) => kind))('a task of the kind %s', (kind) => {
  it('fails at once when its payload is no object', async () => {
    expect(await triedAll(kind, BROKEN)).toEqual(refused(BROKEN))
  })
})

/** What is right of the payload of each kind that needs one, and what is wrong for each of its fields. */
const NEEDED: [kind: string, good: () => object, wrong: Record<string, unknown[]>][] = [
  ['mail.send', () => ({ id: 'mal_1', sealed: 'v1.x.y' }), { id: [7, null], sealed: [{}, null] }],
  ['auth.mailToNobody', () => ({ id: 'mal_1' }), { id: [7, undefined] }],
  [
    'trash.erase',
    () => ({ ownerId: me.id, before: 9e12 }),
    {
      ownerId: [undefined, null, 7, {}],
      before: [undefined, null, 'x', '9e15', 1.5, []],
      after: [7],
    },
  ],
  ['trash.purge', () => ({}), { after: [7, null, {}] }],
  ['files.purge', () => ({}), { after: [7, null, {}] }],
  ['files.sweep', () => ({}), { cursor: [7, null, {}] }],
  ['auditLog.export', () => ({ exportId: 'x' }), { exportId: [7, null, undefined, {}] }],
  ['export.make', () => ({ exportId: 'x' }), { exportId: [7, null, undefined, {}] }],
  ['export.startScheduled', () => ({}), { after: [7, null, {}] }],
  ['backup.make', () => ({ backupId: 'x' }), { backupId: [7, null, undefined, {}] }],
  ['backups.restore', () => ({ restoreId: 'x' }), { restoreId: [7, null, undefined, {}] }],
  ['imports.commit', () => ({ importId: 'x' }), { importId: [7, null, undefined, {}] }],
  ['imports.read', () => ({ importId: 'x' }), { importId: [7, null, undefined, {}] }],
  ['imports.revert', () => ({ importId: 'x' }), { importId: [7, null, undefined, {}] }],
  ['user.erase', () => ({ userId: 'usr_none' }), { userId: [7, null, undefined, {}] }],
  [
    'user.wipe',
    () => ({ userId: me.id, kinds: ['transactions', 'accounts'], requestedAt: 9e12, dueAt: 0 }),
    {
      userId: [7, undefined],
      kinds: ['transactions', ['users'], undefined],
      requestedAt: ['x', null, undefined],
      dueAt: ['x'],
    },
  ],
  [
    'ledger.check',
    () => ({}),
    {
      place: [7, { of: 'nothing', after: '' }, { of: 'accounts', after: 7 }],
      counts: ['x', { balances: 'x' }],
      findings: ['x', [7]],
    },
  ],
  ['recurring.settle', () => ({ ownerId: 'usr_none' }), { ownerId: [7, null, undefined] }],
  [
    'recurring.link',
    () => ({ ownerId: 'usr_none', from: '2026-01-01', to: '2026-12-31' }),
    { ownerId: [7, null, undefined], from: [7, null], to: [7, null] },
  ],
  [
    'webhooks.send',
    () => ({ ownerId: 'usr_none', webhookId: 'whk_none' }),
    { ownerId: [7, null, undefined], webhookId: [7, null, {}] },
  ],
  ['budgets.checkpoint', () => ({}), { budgetId: [7, {}], after: [7, {}] }],
  ['budgets.tellExpired', () => ({}), { day: [7, 'x', '2026-02-30'] }],
  ['assertions.check', () => ({}), { after: [7, {}] }],
  ['periodLocks.seal', () => ({ lockId: 'plk_none' }), { lockId: [7, null, undefined] }],
  ['ledger.recalculate', () => ({}), { after: [7], accounts: ['x'], differing: [null] }],
]

/** Kinds whose payload says nothing. */
const NEEDS_NOTHING = [
  'archives.expire',
  'auditLog.cut',
  'auditLog.storeSegments',
  'exchangeRates.fetch',
  'imports.expire',
  'platform.purge',
  'secrets.reseal',
  'user.scheduleErasures',
  'webhooks.purge',
]

it('every kind says what its payload must be', () => {
  const known = [...NEEDED.map(([kind]) => kind), ...NEEDS_NOTHING]
  expect(work.jobs.map(({ kind }) => kind).toSorted()).toEqual(known.toSorted())
})

it.each(NEEDED)('a payload of %s with one wrong field does nothing', async (kind, good, wrong) => {
  const payloads = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => JSON.stringify({ ...good(), [field]: value })),
  )
  expect(await triedAll(kind, payloads)).toEqual(refused(payloads))
})

it.each([
  ['user.erase', { userId: 'usr_none' }, 'succeeded', null],
  [
    'user.wipe',
    { userId: 'usr_none', kinds: ['accounts'], requestedAt: 1, dueAt: 1 },
    'queued',
    'user.wipeUndone',
  ],
  ['export.make', { exportId: 'exp_none' }, 'failed', 'exports.notFound'],
  ['backup.make', { backupId: 'bak_none' }, 'failed', 'backups.notFound'],
  ['backups.restore', { restoreId: 'rst_none' }, 'failed', 'backups.restoreNotFound'],
  ['auditLog.export', { exportId: 'ale_none' }, 'failed', 'auditLog.unknownExport'],
  ['trash.erase', { ownerId: 'usr_none', before: 9e12 }, 'succeeded', null],
  ['mail.send', { id: 'mal_1', sealed: 'v1.gone.AAAA' }, 'queued', 'secrets.unreadable'],
  ['kind.ofLastYear', {}, 'queued', 'tasks.unknownKind'],
])('%s for what is gone changes nothing', async (kind, payload, state, error) => {
  const { ended, changed } = await triedAll(kind, [JSON.stringify(payload)])
  expect([ended[0]?.task, changed]).toEqual([{ state, error }, []])
})

it('what cannot be done stops nothing else, however much of it there is', async () => {
  for (let at = 0; at < 100; at++) {
    await store('kind.ofLastYear', '{')
    await store('mail.send', '{"to":')
  }
  await store('platform.purge', '{}')
  let now = Date.now()
  for (let round = 0; round < 20; round++) {
    await tickAt(now)
    now += 5 * HOUR
  }
  expect(await statesOf('platform.purge')).toEqual([{ state: 'succeeded', error: null }])
  const states = await rows<{ state: string }>(
    "SELECT DISTINCT state FROM tasks WHERE kind <> 'platform.purge'",
  )
  expect(states.map(({ state }) => state).toSorted()).toEqual(['dead', 'failed'])
})

it('rows of no JSON keep nobody from being erased, and no secret from being sealed again', async () => {
  const gone = await newOwner()
  await makeDue(gone)
  await rows('DELETE FROM tasks')
  for (const kind of ['mail.send', 'user.wipe', 'other']) {
    await store(kind, '{"to":', `key of ${kind}`, 'dead')
  }
  await store('secrets.reseal', '{}')
  await store('user.erase', JSON.stringify({ userId: gone.id }))
  await tickAt(Date.now())
  expect(await statesOf('user.erase')).toEqual([{ state: 'succeeded', error: null }])
  expect(await statesOf('secrets.reseal')).toEqual([{ state: 'succeeded', error: null }])
  expect(
    await rows(
      'SELECT id FROM users WHERE id = ? AND email NOT LIKE ?',
      gone.id,
      '%@erased.invalid',
    ),
  ).toEqual([])
})

describe('a message that is no id of a task', () => {
  const bodies = ['', 'x'.repeat(100_000), "' OR 1=1--", 7, null, { id: 'tsk_1' }, ['tsk_1'], true]

  const batchOf = (queue: string, ids: unknown[]) =>
    createMessageBatch(
      queue,
      ids.map((body) => ({
        id: crypto.randomUUID(),
        timestamp: new Date(),
        attempts: 1,
        body: body as string,
      })),
    )

  it.each(['coffer-tasks', 'coffer-tasks-dead'])('stops no other one of %s', async (queue) => {
    await store('platform.purge', '{}')
    const [{ id } = { id: '' }] = await rows<{ id: string }>('SELECT id FROM tasks')
    const batch = batchOf(queue, [...bodies, id, id])
    await consume(work, batch, env)
    const [task] = await statesOf('platform.purge')
    expect(task).toEqual(
      queue === 'coffer-tasks'
        ? { state: 'succeeded', error: null }
        : { state: 'queued', error: 'tasks.undelivered' },
    )
    const { retryMessages } = await getQueueResult(batch, createExecutionContext())
    expect(retryMessages).toEqual([])
  })
})
