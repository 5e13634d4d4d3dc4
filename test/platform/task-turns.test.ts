import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { commit, read } from '../../src/platform/database/database.ts'
import { withoutEvents } from '../../src/platform/log/events.ts'
import { openLanes } from '../../src/platform/work/fair-turns.ts'
import { dueTasks } from '../../src/platform/work/task-rows.ts'
import { consume, tick, type Work } from '../../src/platform/work/tasks.ts'
import { newKind, workOf } from '../areas/queue-tasks/tasks.ts'
import { rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'

const messages = (...ids: string[]) =>
  createMessageBatch(
    'coffer-tasks',
    ids.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
  )

/** Stores tasks of an owner, the first due the longest. */
const storeOf = (owner: string, kind: string, ids: string[], due: number) =>
  rows(
    `INSERT INTO tasks (id, kind, payload, max_attempts, created_by, created_at, next_attempt_at)
      SELECT value, ?1, '{}', 5, ?2, 0, ?3 + key FROM json_each(?4)`,
    kind,
    owner,
    due,
    JSON.stringify(ids),
  )

/** Work that notes the runs, and who of the owners is at work at once. */
function notingWork() {
  const kind = newKind()
  const order: string[] = []
  const running: string[] = []
  let most = 0
  const work: Work = workOf(kind, async (ctx, _payload, finish) => {
    const [, name = ''] = ctx.task?.id.split('_') ?? []
    order.push(name)
    running.push(name.replace(/\d+$/, ''))
    expect(new Set(running).size, 'no owner has two places').toBe(running.length)
    most = Math.max(most, running.length)
    await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
    running.splice(running.indexOf(name.replace(/\d+$/, '')), 1)
  })
  const idsOf = (owner: string, count: number) =>
    Array.from({ length: count }, (_, at) => `tsk_${owner}${at}_${kind}`)
  return { kind, work, idsOf, order, most: () => most }
}

const FAIR = ['eve0', 'ada0', 'bob0', 'eve1', 'ada1', 'eve2', 'eve3', 'eve4', 'eve5']

describe('the tasks of many users', () => {
  beforeEach(() =>
    rows("UPDATE tasks SET state = 'cancelled' WHERE state IN ('queued', 'running')"),
  )

  /** Six tasks of a user that are due the longest, and three of two others. */
  async function storeAll() {
    const noted = notingWork()
    const { kind, idsOf } = noted
    const [eve, ada, bob] = [idsOf('eve', 6), idsOf('ada', 2), idsOf('bob', 1)]
    await storeOf('eve', kind, eve, -100)
    await storeOf('ada', kind, ada, 0)
    await storeOf('bob', kind, bob, 50)
    return { ...noted, ids: [...eve, ...ada, ...bob] }
  }

  it('are done in turns', async () => {
    const { work, ids, order } = await storeAll()
    await consume(work, messages(...ids), env, undefined, openLanes(1))
    expect(order).toEqual(FAIR)
  })

  it('are done in turns with those that came before', async () => {
    const { work, ids, order } = await storeAll()
    const lanes = openLanes(1)
    await Promise.all([
      consume(work, messages(...ids.slice(0, 6)), env, undefined, lanes),
      consume(work, messages(...ids.slice(6)), env, undefined, lanes),
    ])
    expect(order.slice(0, 5).toSorted()).toEqual(FAIR.slice(0, 5).toSorted())
    expect(order).toHaveLength(9)
  })

  it('are listed in turns for the sweep, however many one of them has', async () => {
    const { kind, idsOf, ids } = await storeAll()
    const many = idsOf('eve', 1200).slice(6)
    await storeOf('eve', kind, many, -90)
    const [due] = await read(contextWith(), dueTasks(Date.now()))
    expect(due).toHaveLength(1000)
    const names = due.map(({ id }) => id.split('_')[1])
    expect(names.slice(0, 6)).toEqual(FAIR.slice(0, 6))
    expect(due.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  })

  it('are done in turns by the sweep, two at once and one of each user', async () => {
    const { work, order, most } = await storeAll()
    await tick(work, 'every now and then', env)
    expect(order.slice(-4)).toEqual(FAIR.slice(-4))
    expect(order.toSorted()).toEqual(FAIR.toSorted())
    expect(most()).toBe(2)
  })

  it('that wait for others are left to the queue by the sweep', async () => {
    const { work, ids, order } = await storeAll()
    const jobs = work.jobs.map((job) => ({ ...job, waits: true }))
    const rung: string[] = []
    const sendBatch = async (messages: Iterable<{ body: string }>) =>
      void rung.push(...[...messages].map(({ body }) => body))
    const bindings = { ...env, TASKS: { sendBatch } as unknown as Queue }
    await tick({ ...work, jobs }, 'every now and then', bindings)
    expect(order).toEqual([])
    expect(rung.toSorted()).toEqual(ids.toSorted())
  })

  it('of the service itself are in turns by their kinds', async () => {
    const [one, other] = [notingWork(), notingWork()]
    for (const { kind, idsOf } of [one, other]) {
      await rows(
        `INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
          SELECT value, ?1, '{}', 5, 0, 0 FROM json_each(?2)`,
        kind,
        JSON.stringify(idsOf('nobody', 2)),
      )
    }
    const [due] = await read(contextWith(), dueTasks(Date.now()))
    expect(new Set(due.slice(0, 2).map(({ owner }) => owner))).toEqual(
      new Set([one.kind, other.kind]),
    )
  })
})
