import type { SignedIn } from '../../platform/context.ts'
import { commit, read } from '../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { MAX_ATTEMPTS } from '../../platform/task-rows.ts'
import { taskErrors } from './queue-tasks.errors.ts'
import {
  cancelSeen,
  countOfTasks,
  countsOfTasks,
  deleteEnded,
  pageOfTasks,
  PURGED_AT_ONCE,
  requeueSeen,
  type TaskFilter,
  type TaskRow,
  tasksDue,
  tasksEnded,
  taskWith,
} from './queue-tasks.queries.ts'
import {
  byKind,
  ENDED_STATES,
  type EndedState,
  hasEnded,
  type KindCounts,
} from './queue-tasks.rules.ts'

export async function findTasks(
  ctx: SignedIn,
  filter: TaskFilter,
  page: PageRequest,
  order: 'oldest' | 'newest' = 'newest',
): Promise<Page<TaskRow>> {
  const [found, [total]] = await read(ctx, pageOfTasks(filter, page, order), countOfTasks(filter))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function findTask(ctx: SignedIn, id: string, filter?: TaskFilter): Promise<TaskRow> {
  const [[task]] = await read(ctx, taskWith(id, filter))
  if (!task) {
    throw taskErrors.notFound()
  }
  return task
}

const about = ({ id, createdBy }: TaskRow) => ({
  resource: { type: 'task', id },
  ...(createdBy === null ? {} : { ownerId: createdBy }),
})

/** What waits is cancelled; what runs is asked to stop, which work in steps does after the present one. */
export async function cancelTask(ctx: SignedIn, task: TaskRow): Promise<TaskRow> {
  if (task.state === 'cancelled' || task.cancelRequestedAt !== null) {
    return task
  }
  if (hasEnded(task.state)) {
    throw taskErrors.ended()
  }
  const isQueued = task.state === 'queued'
  const { kind, state } = task
  return commit(ctx, {
    ...about(task),
    action: isQueued ? 'task.cancelled' : 'task.stopRequested',
    changes: { kind, ...(isQueued ? { state: [state, 'cancelled'] } : {}) },
    writes: cancelSeen(ctx, task),
    result: {
      ...task,
      cancelRequestedAt: ctx.now,
      ...(isQueued ? { state: 'cancelled' as const, finishedAt: ctx.now } : {}),
    },
  })
}

/** Gives a task that was given up or cancelled as many attempts again as a new one has. */
export async function retryTask(ctx: SignedIn, id: string): Promise<TaskRow> {
  const task = await findTask(ctx, id)
  const { kind, state, attempts } = task
  if (!hasEnded(state) || state === 'succeeded') {
    throw taskErrors.notEnded()
  }
  if (state === 'cancelled' && task.cancellable) {
    throw taskErrors.calledOff()
  }
  const retried = await commit(ctx, {
    ...about(task),
    action: 'task.retried',
    changes: { kind, state: [state, 'queued'] },
    writes: requeueSeen(ctx, task),
    result: {
      ...task,
      state: 'queued' as const,
      maxAttempts: attempts + MAX_ATTEMPTS,
      progress: null,
      cancelRequestedAt: null,
      finishedAt: null,
      nextAttemptAt: ctx.now,
    },
  })
  ctx.ring([id])
  return retried
}

export interface TaskStatistics {
  kinds: KindCounts[]
  now: number
}

export async function countTasks(ctx: SignedIn): Promise<TaskStatistics> {
  const [counted, waiting] = await read(ctx, countsOfTasks(), tasksDue(ctx.now))
  return { kinds: byKind(counted, waiting), now: ctx.now }
}

interface WantedPurge {
  olderThanDays: number
  states?: EndedState[] | undefined
  kinds?: string[] | undefined
}

export interface Purge {
  purged: number
  /** Whether there are others. */
  more: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletes the rows of tasks that ended long enough ago, the oldest first. */
export async function purgeTasks(
  ctx: SignedIn,
  { olderThanDays, states = [...ENDED_STATES], kinds }: WantedPurge,
): Promise<Purge> {
  const ended = { states, kinds, before: ctx.now - olderThanDays * DAY_MS }
  const [found] = await read(ctx, tasksEnded(ended))
  const ids = found.slice(0, PURGED_AT_ONCE).map(({ id }) => id)
  return commit(ctx, {
    action: 'tasks.purged',
    resource: { type: 'task', id: null },
    changes: { olderThanDays, states, kinds, purged: ids.length },
    writes: deleteEnded(ids, ended),
    result: { purged: ids.length, more: found.length > ids.length },
  })
}
