import { AppError } from '../domain/errors.ts'
import type { Bindings } from '../env.ts'
import { type Context, type Ports, systemPorts } from './context.ts'
import { commit, read, type Results } from './database.ts'
import { type Change, withoutEvents } from './events.ts'
import { codeOf, detailOf, logEvent } from './logger.ts'
import { parsePayload } from './payloads.ts'
import { scheduleEvents, taskEvents } from './platform-events.ts'
import { NEWS } from './reader-rows.ts'
import { type Reader, runReaders } from './readers.ts'
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

/** One kind of work outside of a request; made by `defineJob`. */
export interface Job {
  kind: string
  /** Codes of failures that only the operator can end: such a task waits for them and never dies. */
  waitsFor?: string[]
  /** Runs once per lease. `finish` belongs into its commit: the work and its completion are one. */
  run: (ctx: Context, payload: unknown, finish: Statement[]) => Promise<unknown>
}

/** From cron expression to the kinds that it starts, each at most once a day; their payload has the `day`, in UTC. */
export type Schedule = Record<string, string[]>

/** What every tick of the clock does at its end, without a task; two of them may do it at once. */
export type Sweep = (ctx: Context) => Promise<unknown>

export interface Work {
  jobs: Job[]
  schedule: Schedule
  sweeps?: Sweep[]
  readers?: readonly Reader[]
}

/** Where messages end that could not be delivered; see wrangler.toml. */
const DEAD_LETTERS = 'coffer-tasks-dead'

/** The queue's messages are task ids or news for readers, and only a hint: a second delivery finds nothing to do. */
export async function consume(
  work: Work,
  batch: MessageBatch<string>,
  env: Bindings,
  ports: Ports = systemPorts,
): Promise<void> {
  if (batch.queue === DEAD_LETTERS) {
    return markUndelivered(systemContext(env, 'deadLetters', ports), batch)
  }
  // However often it was rung, the readers are run once.
  const hasRead = batch.messages.some(isNews) && (await tryToRead(work, env, ports))
  for (const message of batch.messages) {
    const isDone = isNews(message)
      ? hasRead
      : !isTaskId(message.body) || (await tryTo(work, message.body, env, ports))
    if (isDone) {
      message.ack()
    } else {
      message.retry()
    }
  }
}

const isNews = ({ body }: Message) => body === NEWS

/** Longer than any id of a task. */
const MOST_CHARACTERS = 100

const isTaskId = (body: unknown): body is string =>
  typeof body === 'string' && body.length <= MOST_CHARACTERS

/** Runs the readers and rings for the tasks that they left; whether the database let them. */
async function tryToRead({ readers = [] }: Work, env: Bindings, ports: Ports): Promise<boolean> {
  const messages: string[] = []
  const ringLater = (some: string[]) => void messages.push(...some)
  try {
    const isDone = await runReaders(readers, (operation) => ({
      ...systemContext(env, operation, ports),
      ring: ringLater,
    }))
    await ring(env.TASKS, isDone ? messages : [...messages, NEWS])
    return true
  } catch (error) {
    logEvent('error', 'readers.undone', detailOf(error))
    return false
  }
}

/** Nothing is lost with a message: its task waits for the sweep. That it had to is worth an alarm. */
async function markUndelivered(ctx: Context, { messages }: MessageBatch<string>): Promise<void> {
  // Whoever else can write to the queue may have put in anything.
  const ids = messages.map(({ body }) => body).filter((body) => body !== NEWS && isTaskId(body))
  logEvent('error', 'tasks.undelivered', { ids })
  await commit(ctx, {
    changes: [
      {
        statements: [noteUndelivered(ids)],
        events: ids.map((id) => taskEvents.undelivered({ id })),
      },
    ],
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
    throw new AppError(
      'unavailable',
      'service.unavailable',
      'The queue is not available. Try again later.',
      {
        cause: error,
        retryAfter: 2,
      },
    )
  })
}

/** The queue is only a doorbell: the clock finds every task and every event whose ring was lost. */
export async function ring(queue: Queue, messages: string[]): Promise<void> {
  for (let at = 0; at < messages.length; at += MOST_MESSAGES) {
    const some = messages.slice(at, at + MOST_MESSAGES).map((body) => ({ body }))
    await queue
      .sendBatch(some)
      .catch((error: unknown) => logEvent('error', 'queue.notRung', detailOf(error)))
  }
}

/**
 * Starts what the clock asks for, then does what has been due the longest, and rings again for the rest: also
 * for what a lost message left behind. Then come the sweeps, and at last the readers.
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
      changes: [
        {
          statements: [],
          events: [scheduleEvents.scheduled({ id: cron, resourceType: 'schedule' }, { kinds })],
        },
      ],
      tasks: kinds.map((kind) => ({ kind, payload: { day }, dedupeKey: `${kind} ${day}` })),
      result: undefined,
    })
  }
  const [due] = await read(ctx, dueTasks(ctx.now))
  const ids = due.map(({ id }) => id)
  await ring(env.TASKS, ids.slice(DONE_BY_SWEEP))
  for (const id of ids.slice(0, DONE_BY_SWEEP)) {
    await tryTo(work, id, env, ports)
  }
  for (const sweep of work.sweeps ?? []) {
    await sweep(systemContext(env, 'sweep', ports)).catch((error: unknown) =>
      logEvent('error', 'sweep.failed', { sweep: sweep.name, ...detailOf(error) }),
    )
  }
  await tryToRead(work, env, ports)
}

/**
 * Whether what there is to do of a task was done: what the database is in the way of stops no other task. Rings for the tasks
 * and the news that it leaves.
 */
async function tryTo(work: Work, id: string, env: Bindings, ports: Ports): Promise<boolean> {
  const messages: string[] = []
  const ringLater = (some: string[]) => void messages.push(...some)
  try {
    await perform(work, { ...systemContext(env, 'task', ports), ring: ringLater }, id)
    await ring(env.TASKS, [...new Set(messages)])
    return true
  } catch (error) {
    logEvent('error', 'task.undone', { id, ...detailOf(error) })
    return false
  }
}

async function perform(work: Work, waking: Context, id: string): Promise<void> {
  const [[task]] = await read(waking, taskById(id))
  if (!task) {
    return
  }
  const { kind, attempts } = task
  const ctx = { ...waking, operation: kind }
  const cancelled = (state: typeof task.state) =>
    taskEvents.cancelled({ id }, { kind, before: { state }, after: { state: 'cancelled' } })
  if (task.cancelRequestedAt !== null) {
    const statements = endTask(ctx, id, attempts, 'cancelled')
    await take(ctx, { statements, events: [cancelled(task.state)] })
    return
  }
  if (attempts >= task.maxAttempts) {
    const statements = endTask(ctx, id, attempts, 'dead')
    await take(ctx, { statements, events: [taskEvents.lost({ id })] })
    return
  }
  if (!(await take(ctx, withoutEvents(leaseTask(ctx, id, attempts))))) {
    return
  }
  const attempt = attempts + 1
  const job = work.jobs.find((one) => one.kind === kind)
  const running = { ...ctx, task: { id, attempt, createdBy: task.createdBy } }
  try {
    if (!job) {
      throw new AppError('internal', 'tasks.unknownKind', 'No job handles tasks of this kind.')
    }
    await job.run(running, parsePayload(task.payload), finishTask(ctx, id, attempt))
    logEvent('info', 'task', { kind, id, attempt, state: 'succeeded', ...ctx.cost })
  } catch (error) {
    const code = codeOf(error)
    const stopped = code === STOPPED
    const state = stopped ? 'cancelled' : 'failed'
    const detail = stopped ? { code } : detailOf(error)
    logEvent(stopped ? 'info' : 'error', 'task', { kind, id, attempt, state, ...detail })
    // Whoever has taken the task over meanwhile tells how it went.
    await take(ctx, {
      statements: failTask(ctx, id, attempt, { error: code, next: after(error, job) }),
      events: [stopped ? cancelled('running') : taskEvents.failed({ id }, { error: code })],
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
    throw new AppError('conflict', STOPPED, 'The task was cancelled while it was running.')
  }
  return found
}

/** Whether the task is this delivery's to change; another one may have it, or it is done already. */
async function take(ctx: Context, change: Change): Promise<boolean> {
  try {
    return await commit(ctx, { changes: [change], result: true })
  } catch (error) {
    if (error instanceof AppError && error.code === 'tasks.taken') {
      return false
    }
    throw error
  }
}
