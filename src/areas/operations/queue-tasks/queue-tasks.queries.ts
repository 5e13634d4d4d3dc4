import { and, asc, desc, eq, gt, gte, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { tasks } from '../../../../drizzle/schema/system.ts'
import type { Context } from '../../../platform/context.ts'
import { requireChanged, requireChangedOne } from '../../../platform/database/premises.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { isDue, keyAfterCancelling, MAX_ATTEMPTS } from '../../../platform/work/task-rows.ts'
import { taskErrors } from './queue-tasks.errors.ts'
import type { CountRow, DueRow, EndedState, TaskState } from './queue-tasks.rules.ts'

/** The tasks to find; a missing field matches all. */
export interface TaskFilter {
  userId?: string | undefined
  states?: readonly TaskState[] | undefined
  kinds?: string[] | undefined
  from?: number | undefined
  to?: number | undefined
}

/** All but the payload: what is not fetched cannot slip out. */
const columns = {
  id: tasks.id,
  kind: tasks.kind,
  summary: tasks.summary,
  state: tasks.state,
  progress: tasks.progress,
  attempts: tasks.attempts,
  maxAttempts: tasks.maxAttempts,
  error: tasks.error,
  cancellable: tasks.cancellable,
  cancelRequestedAt: tasks.cancelRequestedAt,
  createdBy: tasks.createdBy,
  createdAt: tasks.createdAt,
  startedAt: tasks.startedAt,
  finishedAt: tasks.finishedAt,
  nextAttemptAt: tasks.nextAttemptAt,
}

const isAmong = (column: SQL, values: readonly string[] | undefined) =>
  values && sql`${column} IN ${among(values)}`

const matches = ({ userId, states, kinds, from, to }: TaskFilter) =>
  and(
    userId === undefined ? undefined : eq(tasks.createdBy, userId),
    isAmong(sql`${tasks.state}`, states),
    isAmong(sql`${tasks.kind}`, kinds),
    from === undefined ? undefined : gte(tasks.createdAt, from),
    to === undefined ? undefined : lte(tasks.createdAt, to),
  )

export type TaskRow = Awaited<ReturnType<typeof taskWith>>[number]

export const taskWith = (id: string, filter: TaskFilter = {}) =>
  db
    .select(columns)
    .from(tasks)
    .where(and(eq(tasks.id, id), matches(filter)))

/** By the time of creation, which ids are sorted by; one row more than the page. */
export function pageOfTasks(filter: TaskFilter, page: PageRequest, order: 'oldest' | 'newest') {
  const [id] = page.after ?? []
  const isNewest = order === 'newest'
  const follows = id === undefined ? undefined : (isNewest ? lt : gt)(tasks.id, id)
  return db
    .select(columns)
    .from(tasks)
    .where(and(matches(filter), follows))
    .orderBy(isNewest ? desc(tasks.id) : asc(tasks.id))
    .limit(page.limit + 1)
}

export const countOfTasks = (filter: TaskFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(tasks)
    .where(matches(filter))

export const countsOfTasks = () =>
  db.all<CountRow>(
    sql`SELECT kind, state, count(*) AS count FROM tasks GROUP BY kind, state ORDER BY kind`,
  )

export const tasksDue = (now: number) =>
  db.all<DueRow>(
    sql`SELECT kind, count(*) AS due, min(next_attempt_at) AS oldestDueAt FROM tasks
      WHERE ${isDue(now)} GROUP BY kind`,
  )

/** A task as it was read. */
export type SeenTask = Pick<TaskRow, 'id' | 'state' | 'attempts'>

const isUnchanged = ({ id, state, attempts }: SeenTask) =>
  and(
    eq(tasks.id, id),
    eq(tasks.state, state),
    eq(tasks.attempts, attempts),
    state === 'cancelled' ? undefined : isNull(tasks.cancelRequestedAt),
  )

/** Cancels a waiting task, or asks a running one to stop. */
export const cancelSeen = (ctx: Context, task: SeenTask): Statement[] => [
  db
    .update(tasks)
    .set({
      cancelRequestedAt: ctx.now,
      ...(task.state === 'queued'
        ? { state: 'cancelled' as const, finishedAt: ctx.now, dedupeKey: keyAfterCancelling }
        : {}),
    })
    .where(isUnchanged(task)),
  requireChangedOne(taskErrors.changedMeanwhile),
]

/** Attempts go on being counted: their number is the ticket of a lease, which no two may have. */
export const requeueSeen = (ctx: Context, task: SeenTask): Statement[] => [
  db
    .update(tasks)
    .set({
      state: 'queued',
      maxAttempts: task.attempts + MAX_ATTEMPTS,
      progress: null,
      cancelRequestedAt: null,
      finishedAt: null,
      nextAttemptAt: ctx.now,
    })
    .where(isUnchanged(task)),
  requireChangedOne(taskErrors.changedMeanwhile),
]

/** Tasks of one purge. */
export const PURGED_AT_ONCE = 5000

interface Ended {
  states: readonly EndedState[]
  kinds?: string[] | undefined
  before: number
}

const isEnded = ({ states, kinds, before }: Ended) =>
  and(matches({ states, kinds }), lt(tasks.finishedAt, before))

/** Some of them, the oldest first; one more than are purged at once. */
export const tasksEnded = (ended: Ended) =>
  db
    .select({ id: tasks.id })
    .from(tasks)
    .where(isEnded(ended))
    .orderBy(tasks.id)
    .limit(PURGED_AT_ONCE + 1)

/** Refuses when one of them is to be done again, or is gone. */
export const deleteEnded = (ids: string[], ended: Ended): Statement[] => [
  db.delete(tasks).where(and(isAmong(sql`${tasks.id}`, ids), isEnded(ended))),
  requireChanged(ids.length, taskErrors.changedMeanwhile),
]
