import { describe, expect, it } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { cancelQueueTask } from '../../../src/areas/operations/queue-tasks/queue-tasks.routes.ts'
import { getJob, listJobs, cancelJob } from '../../../src/areas/operations/jobs/jobs.routes.ts'
import { getWipe, wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { reportProgress } from '../../../src/platform/work/task-rows.ts'
import { readOrStop } from '../../../src/platform/work/tasks.ts'
import { call, ok, rows } from '../../support/api.ts'
import { testDone } from '../../support/events.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { deliver, effectsOf, finishing, newKind, storeTask, workOf } from '../queue-tasks/tasks.ts'

const DAY = 24 * 60 * 60 * 1000
const dueAt = Date.now() + 365 * DAY

/** Work in steps, each of which runs `between` after its commit, and then looks whether to go on. */
const stepping = (kind: string, steps: number, between: (step: number) => unknown) =>
  workOf(kind, async (ctx, payload, finish) => {
    for (let step = 1; step <= steps; step++) {
      await commit(ctx, {
        changes: [testDone(`${kind} steps`, reportProgress(ctx, (100 * step) / (steps + 1)))],
        result: undefined,
      })
      await between(step)
      await readOrStop(ctx)
    }
    await finishing(kind)(ctx, payload, finish)
  })

const stepsOf = async (kind: string) =>
  (await rows('SELECT 1 FROM log_entries WHERE resource_id = ?', `${kind} steps`)).length

const jobOf = async (as: TestUser, kind: string) =>
  (await ok(listJobs, { as })).jobs.find((job) => job.kind === kind)

describe('own jobs', () => {
  it('are those that the caller asked for, newest first, page by page', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const kind = newKind()
    const ids: string[] = []
    for (let at = 1; at <= 3; at++) {
      ids.unshift(await storeTask({ kind, dueAt, summary: `job ${at}` }, me, 1000 * at))
    }
    await storeTask({ kind, dueAt }, other)
    await storeTask({ kind, dueAt })
    const own = await ok(listJobs, { as: me })
    expect([own.count, own.jobs.map(({ id }) => id)]).toEqual([3, ids])
    expect(own.jobs[0]).toMatchObject({ summary: 'job 3', state: 'queued', cancellable: false })
    expect(own.jobs[0]).not.toHaveProperty('createdBy')
    const first = await ok(listJobs, { as: me, query: { limit: 2 } })
    const rest = await ok(listJobs, { as: me, query: { limit: 2, cursor: first.nextCursor ?? '' } })
    expect([...first.jobs, ...rest.jobs].map(({ id }) => id)).toEqual(ids)
    expect(rest.nextCursor).toBeNull()
    expect((await ok(listJobs, { as: me, query: { state: 'running' } })).count).toBe(0)
    expect((await call(listJobs, { as: me, query: { state: 'lost' } })).status).toBe(400)
    expect(await ok(getJob, { as: me, id: ids[0] ?? '' })).toEqual(own.jobs[0])
  })

  it('are nobody else’s to see or to call off, an administrator’s neither by this way', async () => {
    const me = await newUser()
    const id = await storeTask({ kind: newKind(), cancellable: true, dueAt }, me)
    for (const as of [await newUser(), await newAdmin()]) {
      for (const answer of [await call(getJob, { as, id }), await call(cancelJob, { as, id })]) {
        expect([answer.status, answer.error.code]).toEqual([404, 'tasks.notFound'])
      }
    }
    expect((await ok(getJob, { as: me, id })).state).toBe('queued')
  })

  it('are seen by a token with the scope, and called off by one with the other', async () => {
    const me = await newUser()
    const id = await storeTask({ kind: newKind(), cancellable: true, dueAt }, me)
    const reader = await giveToken(me, ['read'])
    const { jobs } = await ok(listJobs, { as: reader })
    expect(jobs.map((job) => job.id)).toContain(id)
    expect((await call(cancelJob, { as: reader, id })).status).toBe(403)
    const writer = await giveToken(me, ['jobs.write'])
    expect((await ok(cancelJob, { as: writer, id })).state).toBe('cancelled')
    expect((await call(getJob, { as: writer, id })).status).toBe(403)
  })

  it('cannot be called off where they are not meant to be, such as a mail that warns', async () => {
    const me = await newUser()
    const id = await storeTask({ kind: newKind(), dueAt }, me)
    const { status, error } = await call(cancelJob, { as: me, id })
    expect([status, error.code]).toEqual([409, 'tasks.notCancellable'])
    expect(work.jobs.map(({ kind }) => kind)).toContain('mail.send')
    await ok(wipeData, { as: me, json: { kinds: ['tags'], password: me.password } })
    expect(await jobOf(me, 'mail.send')).toMatchObject({
      summary: 'wipeScheduled',
      cancellable: false,
    })
  })
})

describe('calling off a job', () => {
  it('frees its key, so that it can be asked for again', async () => {
    const me = await newUser()
    const ask = () =>
      call(wipeData, { as: me, json: { kinds: ['tags', 'payees'], password: me.password } })
    await ask()
    const job = await jobOf(me, 'user.wipe')
    expect(job).toMatchObject({ summary: 'payees, tags', cancellable: true })
    expect((await ok(cancelJob, { as: me, id: job?.id ?? '' })).cancellable).toBe(false)
    expect((await call(getWipe, { as: me })).status).toBe(404)
    expect((await ask()).status).toBe(202)
  })

  it('that is being done stops it after the step it is at, once and for all', async () => {
    const me = await newUser()
    const kind = newKind()
    const id = await storeTask({ kind, cancellable: true, dedupeKey: kind }, me)
    const running = stepping(kind, 4, async (step) => {
      const seen = await ok(getJob, { as: me, id })
      expect(seen).toMatchObject({ state: 'running', progress: 20 * step })
      if (step === 2) {
        const asked = await ok(cancelJob, { as: me, id })
        expect(asked).toMatchObject({ state: 'running', cancellable: false })
        expect((await ok(cancelJob, { as: me, id })).cancelRequestedAt).toBe(
          asked.cancelRequestedAt,
        )
      }
    })
    await deliver(running, id)
    expect([await stepsOf(kind), await effectsOf(kind)]).toEqual([2, 0])
    const [cancelled] = await rows<{ content: string }>(
      "SELECT * FROM log_entries WHERE resource_id = ? AND type = 'task.cancelled'",
      id,
    )
    expect(cancelled).toMatchObject({ operation: kind, actor_type: 'system' })
    expect(JSON.parse(cancelled?.content ?? '')).toEqual({
      kind,
      before: { state: 'running' },
      after: { state: 'cancelled' },
    })
    expect(await ok(getJob, { as: me, id })).toMatchObject({
      state: 'cancelled',
      progress: 40,
      error: 'tasks.cancelled',
      finishedAt: expect.any(String),
    })
    await deliver(running, id, 365 * DAY)
    expect([await stepsOf(kind), await effectsOf(kind)]).toEqual([2, 0])
    expect(await rows('SELECT 1 FROM tasks WHERE dedupe_key = ?', kind)).toEqual([])
  })

  it('comes too late for work that ends with its present step, which is done then', async () => {
    const [me, admin] = [await newUser(), await newAdmin()]
    const kind = newKind()
    const id = await storeTask({ kind }, me)
    const whole = workOf(kind, async (ctx, payload, finish) => {
      await ok(cancelQueueTask, { as: admin, id })
      await finishing(kind)(ctx, payload, finish)
    })
    await deliver(whole, id)
    expect(await effectsOf(kind)).toBe(1)
    expect(await ok(getJob, { as: me, id })).toMatchObject({ state: 'succeeded' })
  })

  it('ends one that fails meanwhile, and one whose machine died', async () => {
    const [me, admin] = [await newUser(), await newAdmin()]
    const [failing, dying] = [newKind(), newKind()]
    const [failed, died] = [
      await storeTask({ kind: failing }, me),
      await storeTask({ kind: dying }, me),
    ]
    await deliver(
      workOf(failing, async () => {
        await ok(cancelQueueTask, { as: admin, id: failed })
        throw new Error('no')
      }),
      failed,
    )
    expect((await ok(getJob, { as: me, id: failed })).state).toBe('cancelled')
    // Nobody is left to say how it went.
    await deliver(
      workOf(dying, async () => undefined),
      died,
    )
    await ok(cancelQueueTask, { as: admin, id: died })
    expect((await ok(getJob, { as: me, id: died })).state).toBe('running')
    await deliver(workOf(dying, finishing(dying)), died, 16 * 60_000)
    expect((await ok(getJob, { as: me, id: died })).state).toBe('cancelled')
    expect(await effectsOf(dying)).toBe(0)
  })

  it('calls off what it has left for another one to do, too', async () => {
    const me = await newUser()
    const kind = newKind()
    const id = await storeTask({ kind, cancellable: true }, me)
    const next = newKind()
    await deliver(
      workOf(kind, async (ctx, _payload, finish) => {
        await ok(cancelJob, { as: me, id })
        await commit(ctx, {
          changes: [testDone(kind, finish)],
          tasks: [{ kind: next, payload: {} }],
          result: undefined,
        })
      }),
      id,
    )
    const left = await jobOf(me, next)
    expect(left?.state).toBe('queued')
    await deliver(workOf(next, finishing(next)), left?.id ?? '')
    expect([await effectsOf(next), (await jobOf(me, next))?.state]).toEqual([0, 'cancelled'])
  })

  it('keeps what a wipe has not erased yet', async () => {
    const me = await newUser()
    await rows(
      `INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget,
          include_in_net_worth, opening_date, created_at, updated_at)
        SELECT ?1 || value, ?1, value, value, 'cash', 'EUR', 1, 1, '2026-01-01', 0, 0 FROM json_each(?2)`,
      me.id,
      JSON.stringify(Array.from({ length: 60 }, (_, at) => at)),
    )
    await newAccount(me)
    await ok(wipeData, { as: me, json: { kinds: ['accounts'], password: me.password } })
    const { id = '' } = (await jobOf(me, 'user.wipe')) ?? {}
    // Asked for while it runs, in the very commit of its first step.
    await rows(
      `CREATE TRIGGER stop_the_wipe AFTER DELETE ON accounts WHEN OLD.id = '${me.id}0'
        BEGIN UPDATE tasks SET cancel_requested_at = 1 WHERE id = '${id}'; END`,
    )
    await deliver(work, id, 8 * DAY)
    await rows('DROP TRIGGER stop_the_wipe')
    expect(await rows('SELECT 1 FROM accounts WHERE owner_id = ?', me.id)).toHaveLength(36)
    const stopped = await jobOf(me, 'user.wipe')
    expect(stopped?.state).toBe('cancelled')
    // The kinds before it have nothing to erase, and more of them may come.
    expect(stopped?.progress).toBeGreaterThanOrEqual(50)
    expect(stopped?.progress).toBeLessThan(100)
    expect((await call(getWipe, { as: me })).status).toBe(404)
  })
})

describe('a run that has lost its task', () => {
  it('writes nothing any more, in no step', async () => {
    const kind = newKind()
    const id = await storeTask({ kind })
    await deliver(
      stepping(kind, 3, async (step) => {
        if (step === 1) {
          // Its lease has ended, and another one does the work.
          await deliver(workOf(kind, finishing(kind)), id, 16 * 60_000)
        }
      }),
      id,
    )
    expect([await stepsOf(kind), await effectsOf(kind)]).toEqual([1, 1])
    expect(await rows('SELECT state, attempts, error FROM tasks WHERE id = ?', id)).toEqual([
      { state: 'succeeded', attempts: 2, error: null },
    ])
  })
})
