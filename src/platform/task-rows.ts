import { and, eq, lte, sql } from 'drizzle-orm'
import { tasks } from '../../drizzle/schema/system.ts'
import { type Context, freshId } from './context.ts'
import { mustHaveChangedOne } from './guards.ts'
import { db, type Statement } from './statements.ts'

/** Work to do after a commit, stored with it. */
export interface NewTask {
  kind: string
  /** Ids and settings only: the row is kept, and shown to administrators. */
  payload: Record<string, unknown>
  /** At most one task with this key is ever stored. */
  dedupeKey?: string
  /** When it is due, if not at once; the queue is not told of it then. */
  dueAt?: number
}

const MAX_ATTEMPTS = 5
const LEASE_MS = 15 * 60 * 1000
const SWEEP_LIMIT = 100

export function insertTask(ctx: Context, task: NewTask): { id: string; statement: Statement } {
  const id = freshId(ctx, 'tsk')
  const statement = db
    .insert(tasks)
    .values({
      id,
      kind: task.kind,
      payload: JSON.stringify(task.payload),
      maxAttempts: MAX_ATTEMPTS,
      dedupeKey: task.dedupeKey ?? null,
      createdBy: ctx.caller?.userId ?? null,
      createdAt: ctx.now,
      nextAttemptAt: task.dueAt ?? ctx.now,
    })
    .onConflictDoNothing({ target: tasks.dedupeKey })
  return { id, statement }
}

/** Due: queued and its time has come, or running past its lease. */
const isDue = (now: number) =>
  // Literals, as bound values would hide from SQLite that the partial index `tasks_due` fits.
  and(sql`${tasks.state} IN ('queued', 'running')`, lte(tasks.nextAttemptAt, now))

export const taskById = (id: string) => db.select().from(tasks).where(eq(tasks.id, id))

export const dueTasks = (now: number) =>
  db
    .select({ id: tasks.id })
    .from(tasks)
    .where(isDue(now))
    .orderBy(tasks.nextAttemptAt)
    .limit(SWEEP_LIMIT)

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
    .where(and(eq(tasks.id, id), eq(tasks.attempts, attempts), isDue(ctx.now))),
  mustHaveChangedOne('conflict'),
]

/** Ends a due task whose last attempt was never heard of again. */
export const buryTask = (ctx: Context, id: string, attempts: number): Statement[] => [
  db
    .update(tasks)
    .set({ state: 'dead', error: 'tasks.lost' })
    .where(and(eq(tasks.id, id), eq(tasks.attempts, attempts), isDue(ctx.now))),
  mustHaveChangedOne('conflict'),
]

const holdsLease = (id: string, attempt: number) =>
  and(eq(tasks.id, id), eq(tasks.state, 'running'), eq(tasks.attempts, attempt))

/** Goes into the job's own commit, so that the work and its completion are one. */
export const finishTask = (ctx: Context, id: string, attempt: number): Statement[] => [
  db
    .update(tasks)
    .set({ state: 'succeeded', finishedAt: ctx.now, error: null })
    .where(holdsLease(id, attempt)),
  mustHaveChangedOne('conflict'),
]

/**
 * Waits longer each time: 1, 4, 16, 64 minutes, then 4 hours. After the last attempt the task is dead; an
 * attempt that `waits` is one more than it had, so that it never is the last.
 */
export const failTask = (
  ctx: Context,
  id: string,
  attempt: number,
  { error, waits = false }: { error: string; waits?: boolean | undefined },
): Statement[] => [
  db
    .update(tasks)
    .set({
      ...(waits
        ? { state: 'queued' as const, maxAttempts: sql`${tasks.maxAttempts} + 1` }
        : {
            state: sql`CASE WHEN ${tasks.attempts} >= ${tasks.maxAttempts} THEN 'dead' ELSE 'queued' END`,
          }),
      error,
      nextAttemptAt: ctx.now + 60_000 * 4 ** Math.min(attempt - 1, 4),
    })
    .where(holdsLease(id, attempt)),
  mustHaveChangedOne('conflict'),
]
