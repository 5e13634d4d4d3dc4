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

/** Stores tasks of an owner, the first due the longest. */
const storeOf = (owner: string, kind: string, ids: string[], due = 0) =>
  rows(
    `INSERT INTO tasks (id, kind, payload, max_attempts, created_by, created_at, next_attempt_at)
      SELECT value, ?1, '{}', 5, ?2, 0, ?3 + key FROM json_each(?4)`,
    kind,
    owner,
    due,
    JSON.stringify(ids),
  )

describe('the tasks of many users', () => {
  const runsOf = () => {
    const kind = newKind()
    const runs: string[] = []
    let [running, most] = [0, 0]
    const job: Job = {
      kind,
      run: async (ctx, _, finish) => {
        runs.push(ctx.task?.id ?? '')
        running += 1
        most = Math.max(most, running)
        await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
        running -= 1
      },
    }
    const idsOf = (owner: string, count: number) =>
      Array.from({ length: count }, (_, at) => `tsk_${owner}${at}_${kind}`)
    const order = () => runs.map((id) => id.split('_')[1])
    return { kind, work: { jobs: [job], schedule: {} }, idsOf, order, most: () => most }
  }

  it.each([
    [
      'queue',
      (work: Work, ids: string[]) => consume(work, messages(...ids), env, undefined, openLanes(1)),
    ],
    ['sweep', (work: Work) => tick(work, 'every now and then', env)],
  ])('are done in turns by the %s', async (name, deliver) => {
    await rows("UPDATE tasks SET state = 'cancelled' WHERE state IN ('queued', 'running')")
    const { kind, work, idsOf, order } = runsOf()
    const [eve, ada, bob] = [idsOf('eve', 6), idsOf('ada', 2), idsOf('bob', 1)]
    await storeOf('eve', kind, eve, -100)
    await storeOf('ada', kind, ada)
    await storeOf('bob', kind, bob, 50)
    await deliver(work, [...eve, ...ada, ...bob])
    const fair = ['eve0', 'ada0', 'bob0', 'eve1', 'ada1', 'eve2', 'eve3', 'eve4', 'eve5']
    // The sweep does two at once, so two neighbours may change places.
    expect(order().slice(0, 3).toSorted()).toEqual(fair.slice(0, 3).toSorted())
    expect(order().slice(-4)).toEqual(fair.slice(-4))
    if (name === 'queue') {
      expect(order()).toEqual(fair)
    }
  })

  it('take the places of a batch only once each', async () => {
    const { kind, work, idsOf, most } = runsOf()
    const ids = idsOf('eve', 4)
    await storeOf('eve', kind, ids)
    await consume(work, messages(...ids), env)
    expect(most()).toBe(1)
  })

  it('are all in the list of what is due, however many one of them has', async () => {
    const { kind, idsOf } = runsOf()
    await storeOf('eve', kind, idsOf('eve', 1200), -5000)
    await storeOf('ada', kind, idsOf('ada', 1))
    const [due] = await read(contextWith(), dueTasks(Date.now()))
    expect(due).toHaveLength(1000)
    expect(due.map(({ id }) => id)).toContain(idsOf('ada', 1)[0])
    await rows("UPDATE tasks SET state = 'cancelled' WHERE kind = ?", kind)
  })
})

