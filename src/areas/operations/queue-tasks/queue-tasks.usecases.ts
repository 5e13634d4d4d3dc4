import type { SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import type { Thing } from '../../../platform/log/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { taskEvents } from '../../../platform/log/platform-events.ts'
import { MAX_ATTEMPTS } from '../../../platform/work/task-rows.ts'
import { taskErrors } from './queue-tasks.errors.ts'
import { purgeEvents, queueTaskEvents } from './queue-tasks.events.ts'
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

export async function listAllQueueTasks(
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

/** It is whose work it is, whoever acts. */
const thingOf = ({ caller }: SignedIn, { id, createdBy }: TaskRow): Thing => ({
  id,
  ownerId: createdBy ?? caller.userId,
})

/** Cancels a waiting task, or asks a running one to stop. Work in steps stops after the present step. */
export async function cancelTask(ctx: SignedIn, task: TaskRow): Promise<TaskRow> {
  if (task.state === 'cancelled' || task.cancelRequestedAt !== null) {
    return task
  }
  if (hasEnded(task.state)) {
    throw taskErrors.ended()
  }
  const isQueued = task.state === 'queued'
  const { kind, state } = task
  const thing = thingOf(ctx, task)
  const event = isQueued
    ? taskEvents.cancelled(thing, { kind, before: { state }, after: { state: 'cancelled' } })
    : queueTaskEvents.stopRequested(thing, { kind })
  return commit(ctx, {
    changes: [{ statements: cancelSeen(ctx, task), events: [event] }],
    result: {
      ...task,
      cancelRequestedAt: ctx.now,
      ...(isQueued ? { state: 'cancelled' as const, finishedAt: ctx.now } : {}),
    },
  })
}

/** Gives a task that was given up or cancelled as many attempts again as a new one has. */
export async function retryQueueTask(ctx: SignedIn, id: string): Promise<TaskRow> {
  const task = await findTask(ctx, id)
  const { kind, state, attempts } = task
  if (!hasEnded(state) || state === 'succeeded') {
    throw taskErrors.notEnded()
  }
  if (state === 'cancelled' && task.cancellable) {
    throw taskErrors.calledOff()
  }
  const event = queueTaskEvents.retried(thingOf(ctx, task), {
    kind,
    before: { state },
    after: { state: 'queued' },
  })
  const retried = await commit(ctx, {
    changes: [{ statements: requeueSeen(ctx, task), events: [event] }],
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

export async function getQueueTaskStatistics(ctx: SignedIn): Promise<TaskStatistics> {
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
  /** True if there are more. */
  more: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Deletes the rows of tasks that ended long enough ago, the oldest first. */
export async function purgeQueueTasks(
  ctx: SignedIn,
  { olderThanDays, states = [...ENDED_STATES], kinds }: WantedPurge,
): Promise<Purge> {
  const ended = { states, kinds, before: ctx.now - olderThanDays * DAY_MS }
  const [found] = await read(ctx, tasksEnded(ended))
  const ids = found.slice(0, PURGED_AT_ONCE).map(({ id }) => id)
  const purged = ids.length
  const event = purgeEvents.purged(
    { id: null, resourceType: 'task' },
    { olderThanDays, states, kinds, purged },
  )
  return commit(ctx, {
    changes: [{ statements: deleteEnded(ids, ended), events: [event] }],
    result: { purged, more: found.length > purged },
  })
}
