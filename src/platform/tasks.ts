import { AppError } from '../domain/errors.ts'
import { newId } from '../domain/ids.ts'
import { type Bindings, settingsOf } from '../env.ts'
import { type Context, type Ports, systemPorts } from './context.ts'
import { commit, read } from './database.ts'
import { logEvent } from './logger.ts'
import type { Statement } from './statements.ts'
import { buryTask, dueTasks, failTask, finishTask, leaseTask, taskById } from './task-rows.ts'

/** One kind of work outside of a request. */
export interface Job {
  kind: string
  /** Codes of failures that only the operator can end: such a task waits for them and never dies. */
  waitsFor?: string[]
  /** Runs once per lease. `finish` belongs into its commit: the work and its completion are one. */
  run: (ctx: Context, payload: unknown, finish: Statement[]) => Promise<unknown>
}

/** From cron expression to the kinds that it starts, each at most once a day. */
export type Schedule = Record<string, string[]>

export interface Work {
  jobs: Job[]
  schedule: Schedule
}

function systemContext(env: Bindings, operation: string, ports: Ports): Context {
  const now = ports.now()
  return {
    settings: settingsOf(env),
    database: env.DB.withSession('first-primary'),
    ports,
    now,
    requestId: newId('req', now, ports.random(10)),
    operation,
    access: 'system',
    client: { ip: null, userAgent: null },
    cost: { trips: 0, rowsRead: 0, rowsWritten: 0 },
    // Called from the queue or the clock already: the next sweep finds what a task leaves behind.
    ring: () => undefined,
  }
}

/** The queue's messages are task ids, and only a hint: a second delivery finds nothing to lease. */
export async function consume(
  work: Work,
  batch: MessageBatch<string>,
  env: Bindings,
  ports: Ports = systemPorts,
): Promise<void> {
  for (const message of batch.messages) {
    await perform(work, systemContext(env, 'task', ports), message.body)
    message.ack()
  }
}

/** Starts what the clock asks for, then does whatever is due: also what a lost message left behind. */
export async function tick(
  work: Work,
  cron: string,
  env: Bindings,
  ports: Ports = systemPorts,
): Promise<void> {
  const ctx = systemContext(env, 'tick', ports)
  const kinds = work.schedule[cron] ?? []
  if (kinds.length > 0) {
    const day = new Date(ctx.now).toISOString().slice(0, 10)
    await commit(ctx, {
      action: 'tasks.scheduled',
      resource: { type: 'schedule', id: cron },
      writes: [],
      tasks: kinds.map((kind) => ({ kind, payload: {}, dedupeKey: `${kind} ${day}` })),
      result: undefined,
    })
  }
  const [due] = await read(ctx, dueTasks(ctx.now))
  for (const { id } of due) {
    await perform(work, systemContext(env, 'task', ports), id)
  }
}

async function perform(work: Work, ctx: Context, id: string): Promise<void> {
  const [[task]] = await read(ctx, taskById(id))
  if (!task) {
    return
  }
  if (task.attempts >= task.maxAttempts) {
    await take(ctx, id, { action: 'task.lost', writes: buryTask(ctx, id, task.attempts) })
    return
  }
  if (
    !(await take(ctx, id, { action: 'task.started', writes: leaseTask(ctx, id, task.attempts) }))
  ) {
    return
  }
  const attempt = task.attempts + 1
  const job = work.jobs.find(({ kind }) => kind === task.kind)
  try {
    if (!job) {
      throw new AppError('internal', 'tasks.unknownKind', 'No job does tasks of this kind.')
    }
    await job.run(ctx, JSON.parse(task.payload), finishTask(ctx, id, attempt))
    logEvent('info', 'task', { kind: task.kind, id, attempt, state: 'succeeded', ...ctx.cost })
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'service.failed'
    logEvent('error', 'task', { kind: task.kind, id, attempt, state: 'failed', code })
    // Whoever has taken the task over meanwhile tells how it went.
    await take(ctx, id, {
      action: 'task.failed',
      writes: failTask(ctx, id, attempt, { error: code, waits: job?.waitsFor?.includes(code) }),
    })
  }
}

/** Whether the task is this delivery's to change; another one may have it, or it is done already. */
async function take(
  ctx: Context,
  id: string,
  step: { action: string; writes: Statement[] },
): Promise<boolean> {
  const nobody = () => new AppError('conflict', 'tasks.taken', 'The task is taken.')
  try {
    return await commit(ctx, {
      ...step,
      resource: { type: 'task', id },
      result: true,
      guards: { conflict: nobody },
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'tasks.taken') {
      return false
    }
    throw error
  }
}
