import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { systemPorts } from '../../src/platform/context.ts'
import { commit, read } from '../../src/platform/database.ts'
import { withoutEvents } from '../../src/platform/events.ts'
import { openLanes } from '../../src/platform/lanes.ts'
import { dueTasks } from '../../src/platform/task-rows.ts'
import { consume, endLeasesBefore, type Job, tick, type Work } from '../../src/platform/tasks.ts'
import { finishing, newKind, storeTask, workOf } from '../areas/queue-tasks/tasks.ts'
import { rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'

const messages = (...ids: string[]) =>
  createMessageBatch(
    'coffer-tasks',
    ids.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
  )

// AWAY
  it('that cannot store how a run ended is asked again, and the task goes on before its lease ends', async () => {
    const kind = newKind()
    const id = await store(kind)
    let isAway = false
    const session = () => {
      const real = env.DB.withSession('first-primary')
      return {
        prepare: (sql: string) => real.prepare(sql),
        batch: (some: D1PreparedStatement[]) =>
          isAway
            ? Promise.reject(new Error('D1_ERROR: database or disk is full: SQLITE_FULL'))
            : real.batch(some),
      }
    }
    const bindings = { ...env, DB: { withSession: session } as unknown as D1Database }
    const { runs, work } = counting(kind, (run) => {
      isAway = run === 1
    })
    const deliver = async () => {
      const batch = messages(id)
      await consume(work, batch, bindings)
      const { retryMessages } = await getQueueResult(batch, createExecutionContext())
      return retryMessages.length
    }
    expect(await deliver()).toBe(1)
    expect(await taskOf(kind)).toMatchObject({ state: 'running', attempts: 1 })
    expect(await deliver()).toBe(1)
    isAway = false
    expect(await deliver()).toBe(0)
    expect(await taskOf(kind)).toMatchObject({ state: 'succeeded', attempts: 2 })
    expect(runs).toHaveLength(2)
  })


// GONE
  it('is tried again at once where its process is known to be gone', async () => {
    const kind = newKind()
    const { runs, work } = dying(kind)
    const id = await store(kind)
    const now = Date.now()
    await consume(work, messages(id), env, portsAt(now))
    await endLeasesBefore(now, env, portsAt(now + 1))
    await consume(work, messages(id), env, portsAt(now + 1))
    expect(runs, 'a run of this process keeps its lease').toHaveLength(1)
    await endLeasesBefore(now + 1, env, portsAt(now + 1))
    await tick(work, 'every now and then', env, portsAt(now + 1))
    expect(runs).toHaveLength(2)
    expect(await taskOf(kind)).toMatchObject({ state: 'running', attempts: 2 })
    await rows("UPDATE tasks SET state = 'cancelled' WHERE kind = ?", kind)
  })

