import { AppError } from '../../domain/errors.ts'
import type { Bindings } from '../../env.ts'
import { type Context, type Ports, systemPorts } from '../context.ts'
import { CommitTooLarge, commit, read } from '../database/database.ts'
import { type Change, withoutEvents } from '../log/events.ts'
import { type Lanes, openLanes } from './fair-turns.ts'
import { codeOf, detailOf, logEvent } from '../logger.ts'
import { parsePayload, type Job } from './payloads.ts'
import { scheduleEvents, taskEvents } from '../log/platform-events.ts'
import { NEWS } from './reader-rows.ts'
import { type Reader, runReaders } from './readers.ts'
import { ring } from './task-queue.ts'
import type { Results, Statement } from '../database/statements.ts'
import { systemContext } from '../system-context.ts'
import {
  dueTasks,
  endLease,
  endLeasesFrom,
  endTask,
  failTask,
  finishTask,
  leaseTask,
  noteUndelivered,
  type OwnedTask,
  ownersOfTasks,
  SOON_MS,
  stopRequest,
  taskById,
} from './task-rows.ts'

/** From cron expression to the kinds that it starts, each at most once a day; their payload has the `day`, in UTC. */
export type Schedule = Record<string, string[]>

/** Work at the end of every scheduled run, without a task; two runs may do it at once. */
export type Sweep = (ctx: Context) => Promise<unknown>

export interface Work {
  jobs: Job[]
  schedule: Schedule
  sweeps?: Sweep[]
  readers?: readonly Reader[]
}

/** The queue of undeliverable messages; see wrangler.toml. */
const DEAD_LETTERS = 'coffer-tasks-dead'

/** A message that failed is delivered again after 4, 16 and then every 60 seconds. */
const delayOf = ({ attempts }: Message) => ({ delaySeconds: Math.min(4 ** attempts, 60) })

/** The queue's messages are task ids or news for readers, and only a hint: a second delivery finds nothing to do. */
export async function consume(
  work: Work,
  batch: MessageBatch<string>,
  env: Bindings,
  ports: Ports = systemPorts,
  lanes: Lanes = openLanes(),
): Promise<void> {
  if (batch.queue === DEAD_LETTERS) {
    return markUndelivered(systemContext(env, 'deadLetters', ports), batch)
  }
  const ids = batch.messages
    .map(({ body }) => body)
    .filter((body) => body !== NEWS && isTaskId(body))
  // However often it was notified, the readers are run once.
  const read = batch.messages.some(isNews)
    ? lanes.readers.run(NEWS, NEWS, () => tryToRead(work, env, ports))
    : undefined
  const tasks = await findOwners(ids, env, ports)
  const waits = new Map(tasks?.map(({ id, waitMs }) => [id, waitMs]))
  const due = tasks?.filter(({ waitMs }) => waitMs <= 0) ?? []
  const runs = runInTurns(work, due, { env, ports, lanes })
  await Promise.all(
    batch.messages.map(async (message) => {
      const wait = waits.get(message.body) ?? 0
      if (wait > 0 && wait <= SOON_MS) {
        message.retry({ delaySeconds: Math.ceil(wait / 1000) })
      } else if (await (isNews(message) ? read : tasks && (runs.get(message.body) ?? true))) {
        message.ack()
      } else {
        message.retry(delayOf(message))
      }
    }),
  )
}

/** Finds the owners of these tasks; undefined if the database does not answer. */
async function findOwners(
  ids: string[],
  env: Bindings,
  ports: Ports,
): Promise<(OwnedTask & { waitMs: number })[] | undefined> {
  if (ids.length === 0) {
    return []
  }
  try {
    const ctx = systemContext(env, 'tasks', ports)
    const [tasks] = await read(ctx, ownersOfTasks(ids))
    return tasks.map(({ dueAt, ...task }) => ({ ...task, waitMs: dueAt - ctx.now }))
  } catch (error) {
    logEvent('error', 'tasks.undone', { ids, code: codeOf(error) })
    return undefined
  }
}

interface Turns {
  env: Bindings
  ports: Ports
  lanes: Lanes
}

/** Performs tasks while their owners take turns; returns for each id if it could be performed. */
const runInTurns = (
  work: Work,
  tasks: OwnedTask[],
  { env, ports, lanes }: Turns,
): Map<string, Promise<boolean>> =>
  new Map(
    tasks.map(({ id, kind, owner }) => {
      const lane = isWaiting(work, kind) ? lanes.waits : lanes.tasks
      return [id, lane.run(owner, id, () => tryTo(work, id, env, ports))]
    }),
  )

const isWaiting = ({ jobs }: Work, kind: string) =>
  jobs.some((job) => job.kind === kind && job.waits === true)

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
    await ring(env.TASKS, [...new Set(isDone ? messages : [...messages, NEWS])])
    return true
  } catch (error) {
    logEvent('error', 'readers.undone', detailOf(error))
    return false
  }
}

/** Nothing is lost with a message: its task waits for the sweep. That it had to is worth an alarm. */
async function markUndelivered(ctx: Context, { messages }: MessageBatch<string>): Promise<void> {
  // Others who can write to the queue may have put in anything.
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

/**
 * The number of due tasks that a scheduled run does itself, of those that wait for nobody: an invocation may query the database a thousand times.
 */
const DONE_BY_SWEEP = 80
/**
 * Starts what the clock asks for, then does what has been due the longest, its owners in turns, and rings again for the rest:
 * also for what a lost message left behind. Then come the sweeps, and at last the readers.
 * @param mostDone how many due tasks it does itself: none where the queue loses no message
 */
export async function tick(
  work: Work,
  cron: string,
  env: Bindings,
  ports: Ports = systemPorts,
  mostDone = DONE_BY_SWEEP,
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
  // A task that waits for others would hold up the sweeps and the readers.
  const own = due.filter(({ kind }) => !isWaiting(work, kind)).slice(0, mostDone)
  const runs = runInTurns(work, own, { env, ports, lanes: openLanes() })
  await ring(env.TASKS, idsOf(due.filter(({ id }) => !runs.has(id))))
  const areDone = await Promise.all(runs.values())
  const undone = own.filter((_, at) => !areDone[at])
  await ring(env.TASKS, idsOf(undone))
  const messages: string[] = []
  const ringLater = (some: string[]) => void messages.push(...some)
  for (const sweep of work.sweeps ?? []) {
    const sweeping = { ...systemContext(env, 'sweep', ports), ring: ringLater }
    await sweep(sweeping).catch((error: unknown) =>
      logEvent('error', 'sweep.failed', { sweep: sweep.name, ...detailOf(error) }),
    )
  }
  await ring(env.TASKS, [...new Set(messages)])
  await tryToRead(work, env, ports)
}

/**
 * Runs a task if it is due. Returns false if that failed: an error of the database must stop no other task. Notifies
 * the queue of the tasks and the news that it leaves.
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

const idsOf = (tasks: OwnedTask[]) => tasks.map(({ id }) => id)

/**
 * The runs of this process whose end could not be stored, as the database was away or its disk full: the attempt of each task.
 * Nobody works on such a task any more, so its lease is ended as soon as the database takes it.
 */
const unstoredEnds = new Map<string, number>()

/** Ends the leases of processes that are known to be gone: those of all runs that began before a moment. */
export async function endLeasesBefore(
  moment: number,
  env: Bindings,
  ports: Ports = systemPorts,
): Promise<void> {
  const ctx = systemContext(env, 'leases', ports)
  const changes = [withoutEvents([endLeasesFrom(ctx, moment)])]
  await commit(ctx, { changes, result: undefined })
}

async function perform(work: Work, waking: Context, id: string): Promise<void> {
  const [[task]] = await read(waking, taskById(id))
  if (!task) {
    return
  }
  const { kind, attempts } = task
  const ctx = { ...waking, operation: kind }
  if (unstoredEnds.get(id) === attempts) {
    await commit(ctx, {
      changes: [withoutEvents([endLease(ctx, id, attempts)])],
      result: undefined,
    })
  }
  unstoredEnds.delete(id)
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
    // If another run has taken the task over meanwhile, that run stores the outcome.
    await take(ctx, {
      statements: failTask(ctx, id, attempt, { error: code, next: after(error, job) }),
      events: [stopped ? cancelled('running') : taskEvents.failed({ id }, { error: code })],
    }).catch((unstored: unknown) => {
      unstoredEnds.set(id, attempt)
      throw unstored
    })
  }
}

/** Errors of the task itself, which stay however often it is tried. */
const FINAL = ['invalid', 'forbidden', 'notFound', 'tooLarge']

function after(error: unknown, job: Job | undefined): 'retry' | 'wait' | 'fail' {
  if (!(error instanceof AppError)) {
    return error instanceof CommitTooLarge ? 'fail' : 'retry'
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

/** True if this delivery may change the task. Another one may have it, or it is done already. */
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
