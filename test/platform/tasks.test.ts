import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import type { Bindings } from '../../src/env.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { CommitTooLarge, commit, read } from '../../src/platform/database/database.ts'
import { dueTasks } from '../../src/platform/work/task-rows.ts'
import { consume, tick, type Work } from '../../src/platform/work/tasks.ts'
import toml from '../../wrangler.toml?raw'
import { rows } from '../support/api.ts'
import { testDone, testEvents } from '../support/events.ts'
import { contextWith, serviceWith, testGate } from '../support/service.ts'
import type { Job } from '../../src/platform/work/payloads.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface TaskRow {
  id: string
  state: string
  attempts: number
  error: string | null
  next_attempt_at: number
  finished_at: number | null
}

/** A kind of its own for every test, so that no test does the work of another. */
const newKind = () => `test.${crypto.randomUUID()}`

const tasksOf = (kind: string) => rows<TaskRow>('SELECT * FROM tasks WHERE kind = ?', kind)

const taskOf = async (kind: string) => {
  const [task] = await tasksOf(kind)
  expect(task).toBeDefined()
  return task as TaskRow
}

const portsAt = (now: number) => ({ ...systemPorts, now: () => now })

/** Stores a task; the ring is lost unless the test delivers it. */
async function store(kind: string, payload: Record<string, unknown> = {}): Promise<string> {
  await commit(contextWith(), {
    changes: [testDone(kind)],
    tasks: [{ kind, payload }],
    result: undefined,
  })
  return (await taskOf(kind)).id
}

/** A job that counts its runs, and finishes its task in its own commit. */
function counting(kind: string, effect: (run: number) => unknown = () => undefined) {
  const runs: unknown[] = []
  const job: Job = {
    kind,
    run: async (ctx, payload, finish) => {
      runs.push(payload)
      await effect(runs.length)
      await commit(ctx, {
        changes: [{ statements: finish, events: [testEvents.worked({ id: kind })] }],
        result: undefined,
      })
    },
  }
  const work: Work = { jobs: [job], schedule: {} }
  return { runs, work }
}

const messages = (...ids: string[]) =>
  createMessageBatch(
    'coffer-tasks',
    ids.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
  )

describe('a task', () => {
  /** A route that commits with a task, on a service whose queue the test listens to. */
  const ringing = (kind: string, send: (bodies: unknown[]) => Promise<void>) =>
    serviceWith({
      env: {
        TASKS: {
          sendBatch: (sent: Iterable<{ body: unknown }>) =>
            send(Array.from(sent, ({ body }) => body)),
        } as unknown as Queue,
      },
      routes: (app) =>
        app.post('/test/tasks', testGate({ method: 'post', path: '/test/tasks' }), async (c) => {
          const { ctx } = c.var
          const result =
            ctx &&
            commit(ctx, {
              changes: [testDone(kind)],
              tasks: [
                { kind, payload: {} },
                { kind, payload: {} },
              ],
              result: 'done',
            })
          return c.text((await result) ?? '')
        }),
    })

  const request = () => new Request('http://coffer.test/test/tasks', { method: 'POST' })

  it('is stored with the change that needs it, and the queue is told', async () => {
    const kind = newKind()
    const told: unknown[] = []
    const response = await ringing(kind, async (bodies) => void told.push(...bodies)).fetch(
      request(),
    )
    expect(await response.text()).toBe('done')
    const tasks = await tasksOf(kind)
    expect(new Set(told)).toEqual(new Set(tasks.map(({ id }) => id)))
    expect(tasks).toHaveLength(2)
    for (const { state, attempts } of tasks) {
      expect([state, attempts]).toEqual(['queued', 0])
    }
  })

  it('is not lost when the queue is', async () => {
    const kind = newKind()
    const response = await ringing(kind, () => Promise.reject(new Error('no queue'))).fetch(
      request(),
    )
    expect(await response.text()).toBe('done')
    const { runs, work } = counting(kind)
    await tick(work, 'every now and then', env)
    expect(runs).toHaveLength(2)
  })

  it('is done once, in the commit of its work', async () => {
    const kind = newKind()
    const id = await store(kind, { account: 'acc_1' })
    const { runs, work } = counting(kind)
    await consume(work, messages(id), env)
    expect(runs).toEqual([{ account: 'acc_1' }])
    expect(await taskOf(kind)).toMatchObject({ state: 'succeeded', attempts: 1, error: null })
    await consume(work, messages(id, id), env)
    await tick(work, 'every now and then', env, portsAt(Date.now() + DAY))
    expect(runs).toHaveLength(1)
  })

  it('is leased once under double delivery', async () => {
    const kind = newKind()
    const id = await store(kind)
    const { runs, work } = counting(kind)
    await Promise.all(Array.from({ length: 20 }, () => consume(work, messages(id, id), env)))
    expect(runs).toHaveLength(1)
    expect(await taskOf(kind)).toMatchObject({ state: 'succeeded', attempts: 1 })
  })

  it('that nobody stored is passed over, and not delivered again', async () => {
    const { runs, work } = counting(newKind())
    const batch = messages('tsk_none', '', "' OR 1=1--")
    await consume(work, batch, env)
    expect(runs).toEqual([])
    const { explicitAcks } = await getQueueResult(batch, createExecutionContext())
    expect(explicitAcks).toEqual(batch.messages.map(({ id }) => id))
  })

  it('has its work in the log under its kind, and nothing of how it was taken', async () => {
    const kind = newKind()
    const { work } = counting(kind)
    await consume(work, messages(await store(kind)), env)
    expect(await rows('SELECT type FROM log_entries WHERE operation = ?', kind)).toEqual([
      { type: 'test.worked' },
    ])
  })

  it('whose ring was lost is found by the sweep', async () => {
    const kind = newKind()
    await store(kind)
    const { runs, work } = counting(kind)
    await tick(work, 'every now and then', env)
    expect(runs).toHaveLength(1)
    expect((await taskOf(kind)).state).toBe('succeeded')
  })

  it('for later is not told to the queue, and done when its time has come', async () => {
    const kind = newKind()
    const rung: string[] = []
    const now = Date.now()
    await commit(contextWith({ now, ring: (ids) => void rung.push(...ids) }), {
      changes: [testDone(kind)],
      tasks: [{ kind, payload: {}, dueAt: now + DAY }],
      result: undefined,
    })
    expect(rung).toEqual([])
    const { runs, work } = counting(kind)
    await consume(work, messages((await taskOf(kind)).id), env, portsAt(now + DAY - 1))
    await tick(work, 'every now and then', env, portsAt(now + DAY - 1))
    expect([runs.length, (await taskOf(kind)).attempts]).toEqual([0, 0])
    await tick(work, 'every now and then', env, portsAt(now + DAY))
    expect(runs).toHaveLength(1)
  })

  it('with a key is stored at most once', async () => {
    const kind = newKind()
    for (let time = 0; time < 2; time++) {
      await commit(contextWith(), {
        changes: [testDone(kind)],
        tasks: [{ kind, payload: {}, dedupeKey: kind }],
        result: undefined,
      })
    }
    expect(await tasksOf(kind)).toHaveLength(1)
  })
})

describe('a job that fails', () => {
  it('is tried again later, ever later, until it is dead', async () => {
    const kind = newKind()
    const { runs, work } = counting(kind, () => {
      throw new Error('password=secret')
    })
    const id = await store(kind)
    let now = Date.now()
    await consume(work, messages(id), env, portsAt(now))
    const waits = []
    for (let attempt = 1; attempt < 5; attempt++) {
      const task = await taskOf(kind)
      expect(task).toMatchObject({ state: 'queued', attempts: attempt, error: 'service.failed' })
      waits.push((task.next_attempt_at - now) / MINUTE)
      await tick(work, 'every now and then', env, portsAt(task.next_attempt_at - 1))
      expect(runs).toHaveLength(attempt)
      now = task.next_attempt_at
      await tick(work, 'every now and then', env, portsAt(now))
      expect(runs).toHaveLength(attempt + 1)
    }
    expect(waits).toEqual([1, 4, 16, 64])
    expect(await taskOf(kind)).toMatchObject({ state: 'dead', attempts: 5 })
    await tick(work, 'every now and then', env, portsAt(now + 365 * DAY))
    expect(runs).toHaveLength(5)
  })

  it('names its error by code and succeeds when the cause is gone', async () => {
    const kind = newKind()
    const { runs, work } = counting(kind, (run) => {
      if (run === 1) {
        throw new AppError('unavailable', 'rates.unreachable', 'Nobody there.')
      }
    })
    await consume(work, messages(await store(kind)), env)
    expect(await taskOf(kind)).toMatchObject({ state: 'queued', error: 'rates.unreachable' })
    await tick(work, 'every now and then', env, portsAt(Date.now() + 2 * MINUTE))
    expect(await taskOf(kind)).toMatchObject({ state: 'succeeded', attempts: 2, error: null })
    expect(runs).toHaveLength(2)
  })

  it('is not tried again where its commit is too large', async () => {
    const kind = newKind()
    const { work } = counting(kind, () => {
      throw new CommitTooLarge('too many premises')
    })
    await consume(work, messages(await store(kind)), env)
    expect(await taskOf(kind)).toMatchObject({ state: 'failed', attempts: 1 })
  })

  it('leaves nothing of the work that it could not commit', async () => {
    const kind = newKind()
    const { runs, work } = counting(kind, async () => {
      await rows("UPDATE tasks SET state = 'queued' WHERE kind = ?", kind)
    })
    // Somebody took the task meanwhile: neither the work nor its failure may be stored.
    await consume(work, messages(await store(kind)), env)
    expect(runs).toHaveLength(1)
    expect(
      await rows("SELECT id FROM log_entries WHERE resource_id = ? AND type = 'test.worked'", kind),
    ).toEqual([])
  })

  it.each([
    ['queue', (work: Work, ids: string[]) => consume(work, messages(...ids), env)],
    ['sweep', (work: Work) => tick(work, 'every now and then', env)],
  ])('after its task was taken over does not stop the %s', async (_, deliver) => {
    const [lost, next] = [newKind(), newKind()]
    const ids = [await store(lost), await store(next)]
    await rows('UPDATE tasks SET next_attempt_at = -1 WHERE kind = ?', lost)
    const losing = counting(lost, async () => {
      await rows(
        'UPDATE tasks SET attempts = attempts + 1, next_attempt_at = 8e15 WHERE kind = ?',
        lost,
      )
    })
    const working = counting(next)
    await deliver({ jobs: [...losing.work.jobs, ...working.work.jobs], schedule: {} }, ids)
    expect([losing.runs.length, working.runs.length]).toEqual([1, 1])
    expect(await taskOf(lost)).toMatchObject({ state: 'running', attempts: 2, error: null })
    expect((await taskOf(next)).state).toBe('succeeded')
  })

  it('does not keep the others of its batch from their turn', async () => {
    const [bad, good] = [newKind(), newKind()]
    const ids = [await store(bad), await store(good)]
    const failing = counting(bad, () => {
      throw new Error('no')
    })
    const working = counting(good)
    const work = { jobs: [...failing.work.jobs, ...working.work.jobs], schedule: {} }
    await consume(work, messages(...ids), env)
    expect(working.runs).toHaveLength(1)
    expect((await taskOf(bad)).state).toBe('queued')
  })
})

describe('a message that could not be delivered', () => {
  const deadLetters = (...ids: string[]) =>
    createMessageBatch(
      'coffer-tasks-dead',
      ids.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 4, body })),
    )

  it('goes where wrangler.toml says, in every environment', () => {
    const consumers = toml.split('[[').filter((part) => /queues\.consumers/.test(part))
    const queues = consumers.map((part) => /queue = "(.*)"/.exec(part)?.[1])
    const both = ['coffer-tasks', 'coffer-tasks-dead']
    expect(queues).toEqual([...both, ...both])
    const dead = consumers.flatMap((part) => /dead_letter_queue = "(.*)"/.exec(part)?.[1] ?? [])
    expect(dead).toEqual(['coffer-tasks-dead', 'coffer-tasks-dead'])
  })

  it('marks its task, if that waits still, and leaves doing it to the sweep', async () => {
    const [kind, other] = [newKind(), newKind()]
    const [id, done] = [await store(kind), await store(other)]
    const { runs, work } = counting(kind)
    await consume(counting(other).work, messages(done), env)
    await consume(work, deadLetters(id, done, 'tsk_none', "' OR 1=1--"), env)
    expect(runs).toEqual([])
    expect(await taskOf(kind)).toMatchObject({
      state: 'queued',
      attempts: 0,
      error: 'tasks.undelivered',
    })
    expect(await taskOf(other)).toMatchObject({ state: 'succeeded', error: null })
    await tick(work, 'every now and then', env)
    expect(await taskOf(kind)).toMatchObject({ state: 'succeeded', error: null })
  })
})

describe('a database that is in the way', () => {
  /** Fails whatever has to do with this task. */
  const without = (id: string): Partial<Bindings> => ({
    DB: {
      withSession: (start: string) => {
        const session = env.DB.withSession(start)
        const prepare = (sql: string) => ({
          bind: (...values: unknown[]) => {
            if (values.includes(id)) {
              throw new Error('not now')
            }
            return session.prepare(sql).bind(...values)
          },
        })
        return { prepare, batch: (some: D1PreparedStatement[]) => session.batch(some) }
      },
    } as unknown as D1Database,
  })

  it('has its message delivered again, and stops no other task', async () => {
    const [bad, good] = [newKind(), newKind()]
    const ids = [await store(bad), await store(good)]
    const job = (kind: string) => counting(kind).work.jobs
    const work = { jobs: [...job(bad), ...job(good)], schedule: {} }
    const batch = messages(...ids)
    await consume(work, batch, { ...env, ...without(ids[0] ?? '') })
    const { retryMessages, explicitAcks } = await getQueueResult(batch, createExecutionContext())
    expect(retryMessages.map(({ msgId }) => msgId)).toEqual([batch.messages[0]?.id])
    expect(explicitAcks).toEqual([batch.messages[1]?.id])
    expect([(await taskOf(bad)).state, (await taskOf(good)).state]).toEqual(['queued', 'succeeded'])
  })

  it('keeps the sweep from nothing else', async () => {
    const [bad, good] = [newKind(), newKind()]
    const [id] = [await store(bad), await store(good)]
    await rows('UPDATE tasks SET next_attempt_at = -1 WHERE kind = ?', bad)
    const { work } = counting(good)
    await tick(work, 'every now and then', { ...env, ...without(id) })
    expect([(await taskOf(bad)).state, (await taskOf(good)).state]).toEqual(['queued', 'succeeded'])
  })
})

describe('a sweep', () => {
  it('does a part of what is due, the oldest first, and rings again for the rest', async () => {
    const kind = newKind()
    const count = 250
    // What other tests have left takes turns with these.
    await rows("UPDATE tasks SET state = 'cancelled' WHERE state IN ('queued', 'running')")
    await rows(
      `INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
        SELECT ?1 || printf('%03d', value), ?1, '{}', 5, 0, value - 1000 FROM json_each(?2)`,
      kind,
      JSON.stringify(Array.from({ length: count }, (_, at) => at)),
    )
    const { runs, work } = counting(kind)
    const batches: string[][] = []
    const TASKS = {
      sendBatch: async (sent: Iterable<{ body: string }>) =>
        void batches.push(Array.from(sent, ({ body }) => body)),
    } as unknown as Queue
    await tick(work, 'every now and then', { ...env, TASKS })
    expect(runs).toHaveLength(80)
    const left = await rows<{ id: string }>(
      "SELECT id FROM tasks WHERE kind = ? AND state <> 'succeeded' ORDER BY rowid",
      kind,
    )
    const ids = left.map(({ id }) => id)
    expect(ids[0]).toBe(`${kind}080`)
    const rung = batches.flat().filter((id) => id.startsWith(kind))
    expect(rung).toEqual(ids)
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(100)
    await consume(work, messages(...ids, ...ids), env)
    expect(runs).toHaveLength(count)
  })
})

describe('a job that dies with its machine', () => {
  /** Its task stays leased: nobody is left to say that it failed. */
  const dying = (kind: string) => {
    const runs: number[] = []
    const job: Job = { kind, run: async () => void runs.push(1) }
    return { runs, work: { jobs: [job], schedule: {} } }
  }

  it('is not tried again before its lease has ended', async () => {
    const kind = newKind()
    const { runs, work } = dying(kind)
    const id = await store(kind)
    const now = Date.now()
    await consume(work, messages(id), env, portsAt(now))
    await tick(work, 'every now and then', env, portsAt(now + 14 * MINUTE))
    expect([runs.length, (await taskOf(kind)).state]).toEqual([1, 'running'])
    await tick(work, 'every now and then', env, portsAt(now + 15 * MINUTE))
    expect(runs).toHaveLength(2)
  })

  it('is not tried for ever', async () => {
    const kind = newKind()
    const { runs, work } = dying(kind)
    await store(kind)
    for (let at = 1; at <= 10; at++) {
      await tick(work, 'every now and then', env, portsAt(Date.now() + at * 20 * MINUTE))
    }
    expect(runs).toHaveLength(5)
    expect(await taskOf(kind)).toMatchObject({ state: 'dead', attempts: 5, error: 'tasks.lost' })
  })
})

describe('a task of a kind that this build does not know', () => {
  it('waits for one that does, and dies when there is none', async () => {
    const kind = newKind()
    const id = await store(kind)
    await consume({ jobs: [], schedule: {} }, messages(id), env)
    expect(await taskOf(kind)).toMatchObject({ state: 'queued', error: 'tasks.unknownKind' })
    for (let at = 1; at <= 10; at++) {
      await tick({ jobs: [], schedule: {} }, 'x', env, portsAt(Date.now() + at * 120 * MINUTE))
    }
    expect(await taskOf(kind)).toMatchObject({ state: 'dead', attempts: 5 })
  })
})

describe('the clock', () => {
  it('starts what is scheduled once a day, however often it ticks', async () => {
    const [kind, other] = [newKind(), newKind()]
    const { runs, work } = counting(kind)
    const scheduled: Work = { ...work, schedule: { '17 3 * * *': [kind], '*/5 * * * *': [other] } }
    const day = Date.UTC(2030, 0, 1)
    const at = (hours: number) =>
      tick(scheduled, '17 3 * * *', env, portsAt(day + hours * 60 * MINUTE))
    await Promise.all([at(3), at(3), at(3)])
    await at(23.9)
    expect(runs).toHaveLength(1)
    await at(24)
    await at(27)
    expect(runs).toHaveLength(2)
    expect(await tasksOf(kind)).toHaveLength(2)
    expect(await tasksOf(other)).toHaveLength(0)
  })

  it('starts nothing for an expression that nobody knows', async () => {
    const kind = newKind()
    const { runs, work } = counting(kind)
    await tick({ ...work, schedule: { '17 3 * * *': [kind] } }, '0 0 * * *', env)
    expect(runs).toEqual([])
  })

  it('turns to what has waited longest first', async () => {
    const kinds = [newKind(), newKind(), newKind()]
    for (const [at, kind] of kinds.entries()) {
      await store(kind)
      await rows('UPDATE tasks SET next_attempt_at = ? WHERE kind = ?', -at, kind)
    }
    const [due] = await read(contextWith(), dueTasks(Date.now()))
    const ids = await Promise.all(kinds.map(async (kind) => (await taskOf(kind)).id))
    expect(due.slice(0, 3).map(({ id }) => id)).toEqual(ids.toReversed())
  })
})
