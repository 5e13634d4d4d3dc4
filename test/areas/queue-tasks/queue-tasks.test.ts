import type { z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import {
  cancelQueueTask,
  getQueueTask,
  getQueueTaskStatistics,
  listAllQueueTasks,
  purgeQueueTasks,
  retryQueueTask,
} from '../../../src/areas/operations/queue-tasks/queue-tasks.routes.ts'
import type { QueueTasksQueryDTO } from '../../../src/areas/operations/queue-tasks/queue-tasks.contract.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { call, ok, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { mailTask } from '../../../src/platform/outbound/mail.ts'
import { deliver, effectsOf, finishing, newKind, storeTask, workOf } from './tasks.ts'

const DAY = 24 * 60 * 60 * 1000
/** So that no sweep of another test does the work. */
const dueAt = Date.now() + 365 * DAY

const failing = (kind: string, error: Error = new Error('no')) =>
  workOf(kind, () => Promise.reject(error))

const logOf = (id: string) =>
  rows<{ type: string; actor_type: string; owner_id: string | null }>(
    'SELECT type, actor_type, owner_id FROM log_entries WHERE resource_id = ? ORDER BY number',
    id,
  )

describe('the list of all tasks', () => {
  it('shows what there is to see of a task, and no more', async () => {
    const [admin, user] = [await newAdmin(), await newUser()]
    const kind = newKind()
    const id = await storeTask({ kind, payload: { to: 'x' }, summary: 'two', dueAt }, user)
    const { tasks, count } = await ok(listAllQueueTasks, { as: admin, json: { kinds: [kind] } })
    expect(count).toBe(1)
    expect(tasks).toEqual([
      {
        id,
        kind,
        state: 'queued',
        attempts: 0,
        maxAttempts: 5,
        progress: null,
        summary: 'two',
        error: null,
        cancelRequestedAt: null,
        createdBy: user.id,
        createdAt: expect.any(String),
        startedAt: null,
        finishedAt: null,
        nextAttemptAt: new Date(dueAt).toISOString(),
      },
    ])
    expect(await ok(getQueueTask, { as: admin, id })).toEqual(tasks[0])
  })

  it('says of a mail which it is, and neither to whom nor what it says', async () => {
    const [admin, user] = [await newAdmin(), await newUser()]
    const values = { token: 'a token of this test', minutes: 30 }
    const mail = { to: 'somebody@coffer.test', template: 'passwordReset' as const, values }
    const id = await storeTask({ ...(await mailTask(contextWith(), mail)), dueAt }, user)
    const { text, body } = await call(getQueueTask, { as: admin, id })
    expect(body).toMatchObject({ kind: 'mail.send', summary: 'passwordReset' })
    expect(text).not.toMatch(/somebody|a token of this test|sealed|"to"/)
  })

  it('is filtered by state, kind, user and time', async () => {
    const [admin, ada, ben] = [await newAdmin(), await newUser(), await newUser()]
    const [one, two] = [newKind(), newKind()]
    const old = Date.UTC(2020, 0, 1)
    const ids = [
      await storeTask({ kind: one, dueAt }, ada),
      await storeTask({ kind: one, dueAt }, ben),
      await storeTask({ kind: two, dueAt }, ada),
      await storeTask({ kind: two, dueAt }, undefined, old),
    ]
    await ok(cancelQueueTask, { as: admin, id: ids[2] ?? '' })
    const find = async (json: Partial<z.input<typeof QueueTasksQueryDTO>>) => {
      const found = await ok(listAllQueueTasks, { as: admin, json: { kinds: [one, two], ...json } })
      expect(found.count).toBe(found.tasks.length)
      return found.tasks.map(({ id }) => ids.indexOf(id)).toSorted()
    }
    expect(await find({})).toEqual([0, 1, 2, 3])
    expect(await find({ kinds: [one] })).toEqual([0, 1])
    expect(await find({ userId: ada.id })).toEqual([0, 2])
    expect(await find({ states: ['cancelled', 'dead'] })).toEqual([2])
    expect(await find({ states: ['queued'], userId: ada.id })).toEqual([0])
    expect(await find({ to: '2020-01-01T00:00:00Z' })).toEqual([3])
    expect(await find({ to: '2019-12-31T23:59:59.999Z' })).toEqual([])
    expect(await find({ from: '2020-01-01T00:00:00.001Z' })).toEqual([0, 1, 2])
    expect(await find({ userId: 'usr_nobody' })).toEqual([])
  })

  it('goes through all, newest or oldest first, page by page', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      ids.push(await storeTask({ kind, dueAt }, undefined, 1000 * at))
    }
    const walk = async (sort: 'createdAt' | '-createdAt') => {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page: { tasks: { id: string }[]; count: number; nextCursor: string | null } =
          await ok(listAllQueueTasks, {
            as: admin,
            json: { kinds: [kind], sort, limit: 2, ...(cursor ? { cursor } : {}) },
          })
        expect(page.count).toBe(5)
        found.push(...page.tasks.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return found
    }
    expect(await walk('createdAt')).toEqual(ids)
    expect(await walk('-createdAt')).toEqual(ids.toReversed())
    const { nextCursor } = await ok(listAllQueueTasks, {
      as: admin,
      json: { kinds: [kind], limit: 2 },
    })
    const other = await call(listAllQueueTasks, {
      as: admin,
      json: { kinds: [kind], sort: 'createdAt', cursor: nextCursor ?? '' },
    })
    expect(other.error.code).toBe('request.invalidCursor')
  })

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: '50' }, 'limit'],
    [{ states: ['lost'] }, 'states.0'],
    [{ states: [] }, 'states'],
    [{ kinds: [''] }, 'kinds.0'],
    [{ from: 'yesterday' }, 'from'],
    [{ sort: 'kind' }, 'sort'],
    [{ payload: 'x' }, 'payload'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(listAllQueueTasks, { as: await newAdmin(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })

  it('is for administrators alone', async () => {
    const user = await newUser()
    const id = await storeTask({ kind: newKind(), dueAt }, user)
    const answers = [
      await call(listAllQueueTasks, { as: user, json: {} }),
      await call(getQueueTaskStatistics, { as: user }),
      await call(getQueueTask, { as: user, id }),
      await call(retryQueueTask, { as: user, id }),
      await call(cancelQueueTask, { as: user, id }),
      await call(purgeQueueTasks, { as: user, json: { olderThanDays: 1 } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect((await call(listAllQueueTasks, { json: {} })).status).toBe(401)
  })
})

describe('trying a task again', () => {
  it('gives one that is dead five more attempts, without the number of any before', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const id = await storeTask({ kind })
    for (let at = 0; at < 5; at++) {
      await deliver(failing(kind), id, at * DAY)
    }
    expect(await ok(getQueueTask, { as: admin, id })).toMatchObject({
      state: 'dead',
      attempts: 5,
      error: 'service.failed',
      finishedAt: expect.any(String),
      nextAttemptAt: null,
    })
    const retried = await ok(retryQueueTask, { as: admin, id })
    expect(retried).toMatchObject({
      state: 'queued',
      attempts: 5,
      maxAttempts: 10,
      finishedAt: null,
    })
    expect(await ok(getQueueTask, { as: admin, id })).toEqual(retried)
    expect((await logOf(id)).at(-1)).toMatchObject({ type: 'task.retried', actor_type: 'user' })
    await deliver(workOf(kind, finishing(kind)), id, 1000)
    expect(await ok(getQueueTask, { as: admin, id })).toMatchObject({
      state: 'succeeded',
      attempts: 6,
      error: null,
    })
    expect(await effectsOf(kind)).toBe(1)
  })

  it('rings for it', async () => {
    const admin = await newAdmin()
    const id = await storeTask({ kind: newKind(), dueAt })
    await ok(cancelQueueTask, { as: admin, id })
    const rung: unknown[] = []
    const TASKS = {
      sendBatch: async (sent: Iterable<{ body: unknown }>) =>
        void rung.push(...Array.from(sent, ({ body }) => body)),
    } as unknown as Queue
    const { status } = await serviceWith({ env: { TASKS } }).call(retryQueueTask, { as: admin, id })
    expect([status, rung]).toEqual([200, [id]])
  })

  it('is for those that failed or were cancelled', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const id = await storeTask({ kind })
    const refusal = async () => (await call(retryQueueTask, { as: admin, id })).error.code
    expect(await refusal()).toBe('tasks.notEnded')
    await rows("UPDATE tasks SET state = 'running' WHERE id = ?", id)
    expect(await refusal()).toBe('tasks.notEnded')
    await rows("UPDATE tasks SET state = 'queued' WHERE id = ?", id)
    await deliver(workOf(kind, finishing(kind)), id)
    expect(await refusal()).toBe('tasks.notEnded')
    expect(await effectsOf(kind)).toBe(1)
    expect((await call(retryQueueTask, { as: admin, id: someId('tsk') })).error.code).toBe(
      'tasks.notFound',
    )
  })

  it('does not revive what its user called off', async () => {
    const [admin, user] = [await newAdmin(), await newUser()]
    const id = await storeTask({ kind: newKind(), cancellable: true, dueAt }, user)
    await ok(cancelQueueTask, { as: admin, id })
    const { status, error } = await call(retryQueueTask, { as: admin, id })
    expect([status, error.code]).toEqual([409, 'tasks.calledOff'])
  })

  it('happens once, however many ask at the same moment', async () => {
    const admin = await newAdmin()
    const id = await storeTask({ kind: newKind(), dueAt })
    await ok(cancelQueueTask, { as: admin, id })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(retryQueueTask, { as: admin, id })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await logOf(id)).filter(({ type }) => type === 'task.retried')).toHaveLength(1)
  })

  it('is refused when somebody else does it meanwhile', async () => {
    const admin = await newAdmin()
    const id = await storeTask({ kind: newKind(), dueAt })
    await ok(cancelQueueTask, { as: admin, id })
    const service = serviceWith({ meanwhile: () => ok(retryQueueTask, { as: admin, id }) })
    const { status, error } = await service.call(retryQueueTask, { as: admin, id })
    expect([status, error.code]).toEqual([409, 'tasks.changedMeanwhile'])
  })
})

describe('cancelling a task', () => {
  it('ends one that waits, which nobody does then', async () => {
    const [admin, user] = [await newAdmin(), await newUser()]
    const kind = newKind()
    const id = await storeTask({ kind }, user)
    const cancelled = await ok(cancelQueueTask, { as: admin, id })
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      finishedAt: expect.any(String),
      cancelRequestedAt: expect.any(String),
    })
    expect(await ok(getQueueTask, { as: admin, id })).toEqual(cancelled)
    expect(await ok(cancelQueueTask, { as: admin, id })).toEqual(cancelled)
    await deliver(workOf(kind, finishing(kind)), id, 365 * DAY)
    expect(await effectsOf(kind)).toBe(0)
    expect((await logOf(id)).map(({ type, owner_id }) => [type, owner_id])).toEqual([
      ['task.cancelled', user.id],
    ])
  })

  it('is too late once it has ended', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const id = await storeTask({ kind })
    await deliver(workOf(kind, finishing(kind)), id)
    const { status, error } = await call(cancelQueueTask, { as: admin, id })
    expect([status, error.code]).toEqual([409, 'tasks.ended'])
    expect((await call(cancelQueueTask, { as: admin, id: someId('tsk') })).status).toBe(404)
  })

  it('that meets the beginning of the work is refused, and changes nothing', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const id = await storeTask({ kind })
    const service = serviceWith({
      meanwhile: () => deliver(workOf(kind, finishing(kind)), id),
    })
    const { status, error } = await service.call(cancelQueueTask, { as: admin, id })
    expect([status, error.code]).toEqual([409, 'tasks.changedMeanwhile'])
    expect(await ok(getQueueTask, { as: admin, id })).toMatchObject({
      state: 'succeeded',
      cancelRequestedAt: null,
    })
    expect(await effectsOf(kind)).toBe(1)
  })

  it('answers a repeated request with the same key the same', async () => {
    const admin = await newAdmin()
    const id = await storeTask({ kind: newKind(), dueAt })
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await call(cancelQueueTask, { as: admin, id, headers })
    await ok(retryQueueTask, { as: admin, id })
    const again = await call(cancelQueueTask, { as: admin, id, headers })
    expect(again.text).toBe(first.text)
    expect((await ok(getQueueTask, { as: admin, id })).state).toBe('queued')
  })
})

describe('statistics', () => {
  it('count by kind and state, and say how long what is due has waited', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const now = Date.now()
    await storeTask({ kind, dueAt })
    const waiting = await storeTask({ kind, dueAt: now - 90_000 }, undefined, now - 90_000)
    const dead = await storeTask({ kind, dueAt })
    const done = await storeTask({ kind, dueAt })
    await rows("UPDATE tasks SET state = 'dead' WHERE id = ?", dead)
    await rows("UPDATE tasks SET state = 'succeeded' WHERE id = ?", done)
    const { kinds, states, ...all } = await ok(getQueueTaskStatistics, { as: admin })
    expect(kinds.find((one) => one.kind === kind)).toEqual({
      kind,
      queued: 2,
      running: 0,
      succeeded: 1,
      failed: 0,
      cancelled: 0,
      dead: 1,
      due: 1,
      oldestDueAt: new Date(now - 90_000).toISOString(),
      failureRate: 0.5,
    })
    expect(all.due).toBeGreaterThan(0)
    expect(all.lagSeconds).toBeGreaterThanOrEqual(90)
    expect(states.dead).toBe(kinds.reduce((sum, one) => sum + one.dead, 0))
    await rows("UPDATE tasks SET state = 'cancelled' WHERE id = ?", waiting)
  })
})

describe('a purge', () => {
  const endedAt = async (kind: string, state: string, finishedAt: number | null) => {
    const id = await storeTask({ kind, dueAt })
    await rows('UPDATE tasks SET state = ?, finished_at = ? WHERE id = ?', state, finishedAt, id)
    return id
  }
  const left = async (kind: string) =>
    (
      await rows<{ state: string }>('SELECT state FROM tasks WHERE kind = ? ORDER BY rowid', kind)
    ).map(({ state }) => state)

  it('deletes what ended longer ago, of the states and kinds that are asked for', async () => {
    const admin = await newAdmin()
    const [kind, other] = [newKind(), newKind()]
    const old = Date.now() - 2 * DAY - 1000
    for (const state of ['succeeded', 'failed', 'cancelled', 'dead']) {
      await endedAt(kind, state, old)
    }
    await endedAt(kind, 'succeeded', old + 2000)
    await endedAt(kind, 'queued', null)
    await endedAt(kind, 'running', null)
    await endedAt(other, 'succeeded', old)
    const purge = (json: object) =>
      ok(purgeQueueTasks, { as: admin, json: { olderThanDays: 2, kinds: [kind], ...json } })
    expect(await purge({ states: ['succeeded', 'cancelled'] })).toEqual({ purged: 2, more: false })
    expect(await left(kind)).toEqual(['failed', 'dead', 'succeeded', 'queued', 'running'])
    expect(await purge({})).toEqual({ purged: 2, more: false })
    expect(await purge({})).toEqual({ purged: 0, more: false })
    expect(await left(kind)).toEqual(['succeeded', 'queued', 'running'])
    expect(await left(other)).toEqual(['succeeded'])
  })

  it('leaves all when one of them is to be done again meanwhile', async () => {
    const admin = await newAdmin()
    const kind = newKind()
    const old = Date.now() - 2 * DAY
    await endedAt(kind, 'dead', old)
    const id = await endedAt(kind, 'dead', old)
    const service = serviceWith({ meanwhile: () => ok(retryQueueTask, { as: admin, id }) })
    const json = { olderThanDays: 1, kinds: [kind] }
    const { status, error } = await service.call(purgeQueueTasks, { as: admin, json })
    expect([status, error.code]).toEqual([409, 'tasks.changedMeanwhile'])
    expect(await left(kind)).toEqual(['dead', 'queued'])
    await rows("UPDATE tasks SET state = 'cancelled' WHERE id = ?", id)
  })

  it.each([
    [{}, 'olderThanDays'],
    [{ olderThanDays: 0 }, 'olderThanDays'],
    [{ olderThanDays: 1.5 }, 'olderThanDays'],
    [{ olderThanDays: 1, states: ['queued'] }, 'states.0'],
    [{ olderThanDays: 1, userId: 'usr_1' }, 'userId'],
  ])('refuses %j', async (json, field) => {
    const raw = { body: JSON.stringify(json) }
    const { status, error } = await call(purgeQueueTasks, { as: await newAdmin(), raw })
    expect([status, error.code, error.field]).toEqual([400, 'request.invalid', field])
  })
})

describe('a job whose task is wrong in itself', () => {
  it.each(['invalid', 'forbidden', 'notFound'] as const)(
    'fails at once when that is %s',
    async (reason) => {
      const admin = await newAdmin()
      const kind = newKind()
      const id = await storeTask({ kind })
      await deliver(failing(kind, new AppError(reason, 'test.wrong', 'Wrong.')), id)
      expect(await ok(getQueueTask, { as: admin, id })).toMatchObject({
        state: 'failed',
        attempts: 1,
        error: 'test.wrong',
        finishedAt: expect.any(String),
      })
    },
  )
})
