import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { systemPorts } from '../../src/platform/context.ts'
import { consume, endLeasesBefore, tick } from '../../src/platform/work/tasks.ts'
import { finishing, newKind, storeTask, workOf } from '../areas/queue-tasks/tasks.ts'
import { rows } from '../support/api.ts'

const message = (id: string) =>
  createMessageBatch('coffer-tasks', [
    { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: id },
  ])

const portsAt = (now: number) => ({ ...systemPorts, now: () => now })

const taskOf = async (kind: string) => {
  const [task] = await rows('SELECT state, attempts, error FROM tasks WHERE kind = ?', kind)
  return task
}

describe('a run whose process is gone', () => {
  it('gives its task up where that is known, and no other run does', async () => {
    const kind = newKind()
    let runs = 0
    const work = workOf(kind, async () => void (runs += 1))
    const id = await storeTask({ kind })
    const now = Date.now()
    await consume(work, message(id), env, portsAt(now))
    await endLeasesBefore(now, env, portsAt(now + 1))
    await consume(work, message(id), env, portsAt(now + 1))
    expect(runs, 'this run is of the process that lives').toBe(1)
    await endLeasesBefore(now + 1, env, portsAt(now + 1))
    await tick(work, 'every now and then', env, portsAt(now + 1))
    expect([runs, await taskOf(kind)]).toEqual([2, { state: 'running', attempts: 2, error: null }])
  })

  it('is given up for good after five attempts', async () => {
    const kind = newKind()
    const work = workOf(kind, () => Promise.resolve())
    const id = await storeTask({ kind })
    for (let now = Date.now(), at = 1; at <= 8; at++) {
      await endLeasesBefore(now + at, env, portsAt(now + at))
      await consume(work, message(id), env, portsAt(now + at))
    }
    expect(await taskOf(kind)).toEqual({ state: 'dead', attempts: 5, error: 'tasks.lost' })
  })
})

describe('a run whose end cannot be stored', () => {
  /** A database that refuses everything while `away` says so. */
  const bindingsWhile = (away: () => boolean) => ({
    ...env,
    DB: {
      withSession: () => {
        const session = env.DB.withSession('first-primary')
        return {
          prepare: (text: string) => session.prepare(text),
          batch: (some: D1PreparedStatement[]) =>
            away()
              ? Promise.reject(new Error('D1_ERROR: database or disk is full: SQLITE_FULL'))
              : session.batch(some),
        }
      },
    } as unknown as D1Database,
  })

  const delivery = async (
    work: Parameters<typeof consume>[0],
    id: string,
    bindings: Parameters<typeof consume>[2],
  ) => {
    const batch = message(id)
    await consume(work, batch, bindings)
    const { retryMessages } = await getQueueResult(batch, createExecutionContext())
    return retryMessages.length === 1 ? 'again' : 'done'
  }

  it('goes on with the next delivery that reaches the database, and not after its lease', async () => {
    const kind = newKind()
    let [runs, isFull] = [0, false]
    const work = workOf(kind, (ctx, payload, finish) => {
      runs += 1
      isFull = runs === 1
      return finishing(kind)(ctx, payload, finish)
    })
    const id = await storeTask({ kind })
    const bindings = bindingsWhile(() => isFull)
    expect(await delivery(work, id, bindings)).toBe('again')
    expect(await taskOf(kind)).toEqual({ state: 'running', attempts: 1, error: null })
    expect(await delivery(work, id, bindings)).toBe('again')
    isFull = false
    expect(await delivery(work, id, bindings)).toBe('done')
    expect([runs, await taskOf(kind)]).toEqual([
      2,
      { state: 'succeeded', attempts: 2, error: null },
    ])
  })

  it('is sent to the queue again by a scheduled run', async () => {
    await rows("UPDATE tasks SET state = 'cancelled' WHERE state IN ('queued', 'running')")
    const kind = newKind()
    let isFull = false
    const work = workOf(kind, (ctx, payload, finish) => {
      isFull = true
      return finishing(kind)(ctx, payload, finish)
    })
    const id = await storeTask({ kind })
    const sent: string[] = []
    const TASKS = {
      sendBatch: async (some: Iterable<{ body: string }>) =>
        void sent.push(...Array.from(some, ({ body }) => body)),
    } as unknown as Queue
    await tick(work, 'every now and then', { ...bindingsWhile(() => isFull), TASKS })
    expect(sent).toContain(id)
  })

  it('does not take the task from a run that has it by now', async () => {
    const kind = newKind()
    let isFull = false
    const work = workOf(kind, (ctx, payload, finish) => {
      isFull = true
      return finishing(kind)(ctx, payload, finish)
    })
    const id = await storeTask({ kind })
    await delivery(
      work,
      id,
      bindingsWhile(() => isFull),
    )
    await rows('UPDATE tasks SET attempts = 2 WHERE id = ?', id)
    expect(await delivery(work, id, env)).toBe('done')
    expect(await taskOf(kind)).toEqual({ state: 'running', attempts: 2, error: null })
  })
})
