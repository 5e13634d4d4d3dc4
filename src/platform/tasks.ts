import { AppError } from '../domain/errors.ts'
import type { Bindings } from '../env.ts'
import { type Context, type Ports, systemPorts } from './context.ts'
import { commit, read, type Results } from './database.ts'
import { logEvent } from './logger.ts'
import type { Statement } from './statements.ts'
import { systemContext } from './system-context.ts'
import {
  dueTasks,
  endTask,
  failTask,
  finishTask,
  leaseTask,
  noteUndelivered,
  stopRequest,
  taskById,
} from './task-rows.ts'

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

/** What every tick of the clock does at its end, without a task; two of them may do it at once. */
export type Sweep = (ctx: Context) => Promise<unknown>

export interface Work {
  jobs: Job[]
  schedule: Schedule
  sweeps?: Sweep[]
}

/** Where messages end that could not be delivered; see wrangler.toml. */
const DEAD_LETTERS = 'coffer-tasks-dead'

/** The queue's messages are task ids, and only a hint: a second delivery finds nothing to lease. */
export async function consume(
  work: Work,
  batch: MessageBatch<string>,
  env: Bindings,
  ports: Ports = systemPorts,
): Promise<void> {
  if (batch.queue === DEAD_LETTERS) {
    return markUndelivered(systemContext(env, 'deadLetters', ports), batch)
  }
  for (const message of batch.messages) {
    if (await tryTo(work, systemContext(env, 'task', ports), message.body)) {
      message.ack()
    } else {
      message.retry()
    }
  }
}

/** Nothing is lost with a message: its task waits for the sweep. That it had to is worth an alarm. */
async function markUndelivered(ctx: Context, { messages }: MessageBatch<string>): Promise<void> {
  const ids = messages.map(({ body }) => body)
  logEvent('error', 'tasks.undelivered', { ids })
  await commit(ctx, {
    action: 'tasks.undelivered',
    resource: { type: 'queue', id: null },
    changes: { ids },
    writes: [noteUndelivered(ids)],
    result: undefined,
  })
}

/** Of what is due, how much one sweep does itself: an invocation may ask the database a thousand times. */
const DONE_BY_SWEEP = 80
/** Messages of one batch. */
const MOST_MESSAGES = 100

/** @throws AppError unavailable when the queue does not answer */
export async function pingQueue({ queue }: Context): Promise<void> {
  await queue.metrics().catch((error: unknown) => {
    throw new AppError('unavailable', 'service.unavailable', 'The queue does not answer.', {
      cause: error,
      retryAfter: 2,
    })
  })
}

/** The queue is only a doorbell: the sweep finds every task whose ring was lost. */
export async function ring(queue: Queue, taskIds: string[]): Promise<void> {
  for (let at = 0; at < taskIds.length; at += MOST_MESSAGES) {
    const messages = taskIds.slice(at, at + MOST_MESSAGES).map((body) => ({ body }))
    await queue.sendBatch(messages).catch(() => undefined)
  }
}

/**
 * Starts what the clock asks for, then does what has been due the longest, and rings again for the rest: also
 * for what a lost message left behind. At last come the sweeps.
 */
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
  const ids = due.map(({ id }) => id)
  await ring(env.TASKS, ids.slice(DONE_BY_SWEEP))
  for (const id of ids.slice(0, DONE_BY_SWEEP)) {
    await tryTo(work, systemContext(env, 'task', ports), id)
  }
  for (const sweep of work.sweeps ?? []) {
    await sweep(systemContext(env, 'sweep', ports)).catch((error: unknown) =>
      logEvent('error', 'sweep.failed', { code: codeOf(error) }),
    )
  }
}

/** Whether what there is to do of a task was done: what the database is in the way of stops no other task. */
async function tryTo(work: Work, ctx: Context, id: string): Promise<boolean> {
  try {
    await perform(work, ctx, id)
    return true
  } catch (error) {
    logEvent('error', 'task.undone', { id, code: codeOf(error) })
    return false
  }
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : 'service.failed')

async function perform(work: Work, ctx: Context, id: string): Promise<void> {
  const [[task]] = await read(ctx, taskById(id))
  if (!task) {
    return
  }
  const { attempts } = task
  if (task.cancelRequestedAt !== null) {
    const writes = endTask(ctx, id, attempts, 'cancelled')
    await take(ctx, id, { action: 'task.cancelled', writes })
    return
  }
  if (attempts >= task.maxAttempts) {
    await take(ctx, id, { action: 'task.lost', writes: endTask(ctx, id, attempts, 'dead') })
    return
  }
  if (!(await take(ctx, id, { action: 'task.started', writes: leaseTask(ctx, id, attempts) }))) {
    return
  }
  const attempt = attempts + 1
  const job = work.jobs.find(({ kind }) => kind === task.kind)
  const running = { ...ctx, task: { id, attempt, createdBy: task.createdBy } }
  try {
    if (!job) {
      throw new AppError('internal', 'tasks.unknownKind', 'No job does tasks of this kind.')
    }
    await job.run(running, JSON.parse(task.payload), finishTask(ctx, id, attempt))
    logEvent('info', 'task', { kind: task.kind, id, attempt, state: 'succeeded', ...ctx.cost })
  } catch (error) {
    const code = codeOf(error)
    const stopped = code === STOPPED
    const state = stopped ? 'cancelled' : 'failed'
    logEvent(stopped ? 'info' : 'error', 'task', { kind: task.kind, id, attempt, state, code })
    // Whoever has taken the task over meanwhile tells how it went.
    await take(ctx, id, {
      action: `task.${state}`,
      writes: failTask(ctx, id, attempt, { error: code, next: after(error, job) }),
    })
  }
}

/** What is wrong with the task itself stays wrong however often it is tried. */
const FINAL = ['invalid', 'forbidden', 'notFound', 'tooLarge']

function after(error: unknown, job: Job | undefined): 'retry' | 'wait' | 'fail' {
  if (!(error instanceof AppError)) {
    return 'retry'
  }
  if (job?.waitsFor?.includes(error.code)) {
    return 'wait'
  }
  return FINAL.includes(error.kind) ? 'fail' : 'retry'
}

const STOPPED = 'tasks.cancelled'

/** `read` between two steps of a job: ends it there once somebody asked for that. */
export async function readOrStop<const Finders extends readonly Statement[]>(
  ctx: Context,
  ...finders: Finders
): Promise<Results<Finders>> {
  const [stop, ...found] = await read(ctx, stopRequest(ctx), ...finders)
  if (stop.length > 0) {
    throw new AppError('conflict', STOPPED, 'Somebody asked for this to stop.')
  }
  return found
}

/** Whether the task is this delivery's to change; another one may have it, or it is done already. */
async function take(
  ctx: Context,
  id: string,
  step: { action: string; writes: Statement[] },
): Promise<boolean> {
  try {
    return await commit(ctx, {
      ...step,
      resource: { type: 'task', id },
      result: true,
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'tasks.taken') {
      return false
    }
    throw error
  }
}
