import { and, eq, gt, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { tasks } from '../../../drizzle/schema/system.ts'
import { AppError } from '../../domain/errors.ts'
import { type Context, freshId, type RunningTask } from '../context.ts'
import { requireChangedOne, refuseIf } from '../database/premises.ts'

import {
  among,
  db,
  jsonFieldOf,
  nothing,
  prepared,
  type Statement,
} from '../database/statements.ts'

/** Work to do after a commit, stored with it. */
export interface NewTask {
  kind: string
  /** The id of the task, if the answer contains it; otherwise the task gets a new one. */
  id?: string
  /** Ids and settings only, and what else is sealed: the row is kept. */
  payload: Record<string, unknown>
  /** The part of the payload that administrators and the requesting user may see. */
  summary?: string
  /** At most one task with this key is ever stored. */
  dedupeKey?: string
  /** True if the requesting user may cancel it; cancelling frees its key. */
  cancellable?: boolean
  /** The requesting user, where it is not the one who stores the task. */
  createdBy?: string
  /** When it is due, if not at once; the queue is notified only if that is soon. */
  dueAt?: number
}

/** The queue holds back messages about tasks that are due within this time. */
export const SOON_MS = 10_000

export const MAX_ATTEMPTS = 5
const LEASE_MS = 15 * 60 * 1000
const SWEEP_LIMIT = 1000

/** Stores a task. A task that another task stores has the same requesting user, and is cancelled with it. */
export function insertTask(ctx: Context, task: NewTask): { id: string; statement: Statement } {
  const id = task.id ?? freshId(ctx, 'tsk')
  const parent = ctx.task
  const statement = db
    .insert(tasks)
    .values({
      id,
      kind: task.kind,
      payload: JSON.stringify(task.payload),
      summary: task.summary ?? '',
      maxAttempts: MAX_ATTEMPTS,
      dedupeKey: task.dedupeKey ?? null,
      cancellable: task.cancellable ?? false,
      cancelRequestedAt: parent
        ? sql`(SELECT p.cancel_requested_at FROM tasks p WHERE p.id = ${parent.id})`
        : null,
      createdBy: task.createdBy ?? ctx.caller?.userId ?? parent?.createdBy ?? null,
      createdAt: ctx.now,
      nextAttemptAt: task.dueAt ?? ctx.now,
    })
    .onConflictDoNothing({ target: tasks.dedupeKey })
  return { id, statement }
}

/** Due: queued and its time has come, or running past its lease. */
export const isDue = (now: number): SQL | undefined =>
  // Literals, as bound values would hide from SQLite that the partial index `tasks_due` fits.
  and(sql`${tasks.state} IN ('queued', 'running')`, lte(tasks.nextAttemptAt, now))

export const taskById = (id: string) => db.select().from(tasks).where(eq(tasks.id, id))

/** Users take turns with their tasks, also with those that nobody asked for; those of the service itself, with the kinds. */
const ownerOfTask = sql<string>`coalesce(${tasks.createdBy}, ${jsonFieldOf(tasks.payload, 'ownerId')}, ${tasks.kind})`

export interface OwnedTask {
  id: string
  kind: string
  owner: string
}

/** The tasks of these ids with their owners, in the order in which they are due. */
export const ownersOfTasks = (ids: string[]) =>
  db
    .select({
      id: tasks.id,
      kind: tasks.kind,
      owner: ownerOfTask.as('owner'),
      /** When it may begin; 0 of one that runs. */
      dueAt: sql<number>`iif(${tasks.state} = 'queued', ${tasks.nextAttemptAt}, 0)`.as('dueAt'),
    })
    .from(tasks)
    .where(sql`${tasks.id} IN ${among(ids)}`)
    .orderBy(tasks.nextAttemptAt)

/** Due tasks, the oldest of each owner first, so that nobody's many tasks keep those of the others out of the list. */
export const dueTasks = (now: number) => {
  const due = db
    .select({
      id: tasks.id,
      kind: tasks.kind,
      owner: ownerOfTask.as('owner'),
      nextAttemptAt: tasks.nextAttemptAt,
      turn: sql<number>`row_number() OVER (PARTITION BY ${ownerOfTask} ORDER BY ${tasks.nextAttemptAt})`.as(
        'turn',
      ),
    })
    .from(tasks)
    .where(isDue(now))
    .as('due')
  return db
    .select({ id: due.id, kind: due.kind, owner: due.owner })
    .from(due)
    .orderBy(sql`turn`, due.nextAttemptAt)
    .limit(SWEEP_LIMIT)
}

/** Takes a due task by compare-and-set; the attempt number is the lease's ticket. */
export const leaseTask = (ctx: Context, id: string, attempts: number): Statement[] => [
  db
    .update(tasks)
    .set({
      state: 'running',
      attempts: sql`${tasks.attempts} + 1`,
      startedAt: ctx.now,
      leaseUntil: ctx.now + LEASE_MS,
      nextAttemptAt: ctx.now + LEASE_MS,
    })
    .where(
      and(
        eq(tasks.id, id),
        eq(tasks.attempts, attempts),
        isNull(tasks.cancelRequestedAt),
        isDue(ctx.now),
      ),
    ),
  requireChangedOne(taskTaken),
]

/** The key that whoever calls off own work gets back, to ask for it again. */
export const keyAfterCancelling = sql`CASE WHEN ${tasks.cancellable} THEN NULL ELSE ${tasks.dedupeKey} END`

/** Ends a due task whose last attempt was never heard of again, or that somebody called off. */
export const endTask = (
  ctx: Context,
  id: string,
  attempts: number,
  end: 'dead' | 'cancelled',
): Statement[] => [
  db
    .update(tasks)
    .set({
      state: end,
      finishedAt: ctx.now,
      ...(end === 'dead' ? { error: 'tasks.lost' } : { dedupeKey: keyAfterCancelling }),
    })
    .where(and(eq(tasks.id, id), eq(tasks.attempts, attempts), isDue(ctx.now))),
  requireChangedOne(taskTaken),
]

const holdsLease = (id: string, attempt: number) =>
  and(eq(tasks.id, id), eq(tasks.state, 'running'), eq(tasks.attempts, attempt))

/** Ends a lease early, so that the task is due. */
export const endLease = ({ now }: Context, id: string, attempt: number): Statement =>
  db.update(tasks).set({ nextAttemptAt: now }).where(holdsLease(id, attempt))

/** Ends the leases of all runs that began before a moment. */
export const endLeasesFrom = ({ now }: Context, before: number): Statement =>
  db
    .update(tasks)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(tasks.state, 'running'),
        // So that SQLite uses the partial index `tasks_due`.
        sql`${tasks.state} IN ('queued', 'running')`,
        gt(tasks.nextAttemptAt, now),
        lt(tasks.startedAt, before),
      ),
    )

export const taskTaken = () =>
  new AppError('conflict', 'tasks.taken', 'Another worker is running this task.')

/** Refuses when another run has taken the task over: this one writes nothing any more. */
export const mustHoldLease = prepared<Pick<RunningTask, 'id' | 'attempt'>, unknown>(() =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM tasks WHERE id = ${sql.placeholder('id')} AND state = 'running'
      AND attempts = ${sql.placeholder('attempt')})`,
    taskTaken,
  ),
)

const stopRequested = prepared((): Statement<{ id: string }[]> =>
  db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.id, sql.placeholder('id')), sql`${tasks.cancelRequestedAt} IS NOT NULL`)),
)

/** One row when somebody asked for the task to stop that is being done. */
export const stopRequest = ({ task }: Context): Statement<{ id: string }[]> =>
  task ? stopRequested({ id: task.id }) : nothing()

const setProgress = prepared((): Statement =>
  db
    .update(tasks)
    .set({ progress: sql`${sql.placeholder('percent')}` })
    .where(eq(tasks.id, sql.placeholder('id'))),
)

/** Says how far the work of the task is, in a commit of it. */
export const reportProgress = ({ task }: Context, percent: number): Statement[] =>
  task ? [setProgress({ id: task.id, percent: Math.floor(percent) })] : []

const raiseAttempts = prepared((): Statement =>
  db
    .update(tasks)
    .set({ maxAttempts: sql`${tasks.attempts} + ${sql.raw(String(MAX_ATTEMPTS))}` })
    .where(eq(tasks.id, sql.placeholder('id'))),
)

/**
 * Counts attempts anew, in a commit from which the next attempt goes on: a long task that is lost now and then is not given up
 * for that.
 */
export const countAttemptsAnew = ({ task }: Context): Statement[] =>
  task ? [raiseAttempts({ id: task.id })] : []

/** Goes into the job's own commit, so that the work and its completion are one. */
export const finishTask = (ctx: Context, id: string, attempt: number): Statement[] => [
  db
    .update(tasks)
    .set({
      state: 'succeeded',
      finishedAt: ctx.now,
      error: null,
      progress: sql`iif(${tasks.progress} IS NULL, NULL, 100)`,
    })
    .where(holdsLease(id, attempt)),
  requireChangedOne(taskTaken),
]

/** Lets another task with the key of the running one be stored, in the commit that finishes this one. */
export const giveUpKey = ({ task }: Context): Statement[] =>
  task
    ? [
        db
          .update(tasks)
          .set({ dedupeKey: sql`${tasks.dedupeKey} || ' ' || ${tasks.id}` })
          .where(eq(tasks.id, task.id)),
      ]
    : []

/** When to try again after so many attempts: it waits 1, 4, 16, 64 minutes, then 4 hours. */
export const retryAt = (now: number, attempts: number): number =>
  now + 60_000 * 4 ** Math.min(attempts - 1, 4)

/**
 * Waits longer each time. After the last attempt the task is dead, and
 * failed at once where another try is no use; one that was asked to stop is not tried again. An attempt that
 * `waits` is one more than it had, so that it never is the last.
 */
export const failTask = (
  ctx: Context,
  id: string,
  attempt: number,
  { error, next }: { error: string; next: 'retry' | 'wait' | 'fail' },
): Statement[] => {
  const given = next === 'wait' ? 1 : 0
  const state = sql`CASE WHEN ${tasks.cancelRequestedAt} IS NOT NULL THEN 'cancelled'
    WHEN ${next} = 'fail' THEN 'failed'
    WHEN ${tasks.attempts} >= ${tasks.maxAttempts} + ${given} THEN 'dead' ELSE 'queued' END`
  return [
    db
      .update(tasks)
      .set({
        state,
        maxAttempts: sql`${tasks.maxAttempts} + CAST(${given} AS INTEGER)`,
        finishedAt: sql`CASE WHEN (${state}) = 'queued' THEN NULL ELSE ${ctx.now} END`,
        dedupeKey: sql`CASE WHEN ${tasks.cancelRequestedAt} IS NULL THEN ${tasks.dedupeKey} ELSE ${keyAfterCancelling} END`,
        error,
        nextAttemptAt: retryAt(ctx.now, attempt),
      })
      .where(holdsLease(id, attempt)),
    requireChangedOne(taskTaken),
  ]
}

/** Notes of tasks that are still to do that the queue gave them up; the sweep does them all the same. */
export const noteUndelivered = (ids: string[]): Statement =>
  db
    .update(tasks)
    .set({ error: 'tasks.undelivered' })
    .where(and(sql`${tasks.id} IN ${among(ids)}`, eq(tasks.state, 'queued')))
