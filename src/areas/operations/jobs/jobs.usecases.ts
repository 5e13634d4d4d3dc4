import { freshId, type SignedIn } from '../../../platform/context.ts'
import type { Page, PageRequest } from '../../../platform/database/paging.ts'
import { MAX_ATTEMPTS, type NewTask } from '../../../platform/work/task-rows.ts'
import {
  cancelTask,
  findTask,
  listAllQueueTasks,
  taskErrors,
  type TaskRow,
} from '../queue-tasks/queue-tasks.public.ts'

const ofCaller = ({ caller }: SignedIn) => ({ userId: caller.userId })

export const listJobs = (
  ctx: SignedIn,
  { state }: { state?: TaskRow['state'] | undefined },
  page: PageRequest,
): Promise<Page<TaskRow>> =>
  listAllQueueTasks(ctx, { ...ofCaller(ctx), ...(state ? { states: [state] } : {}) }, page)

export const getJob = (ctx: SignedIn, id: string): Promise<TaskRow> =>
  findTask(ctx, id, ofCaller(ctx))

/** Not of all work: whoever has got hold of a session stops no mail that tells of it. */
export async function cancelJob(ctx: SignedIn, id: string): Promise<TaskRow> {
  const task = await getJob(ctx, id)
  if (!task.cancellable) {
    throw taskErrors.notCancellable()
  }
  return cancelTask(ctx, task)
}

/** Work that a command stores with its commit, and the row that this makes: for the answer. */
export function newJob(ctx: SignedIn, wanted: NewTask): { task: NewTask; job: TaskRow } {
  const id = freshId(ctx, 'tsk')
  const { kind, summary = '', cancellable = false, dueAt = ctx.now } = wanted
  const job: TaskRow = {
    ...{ id, kind, summary, cancellable, state: 'queued', progress: null, attempts: 0 },
    ...{ maxAttempts: MAX_ATTEMPTS, error: null, cancelRequestedAt: null },
    ...{ createdBy: ctx.caller.userId, createdAt: ctx.now, nextAttemptAt: dueAt },
    ...{ startedAt: null, finishedAt: null },
  }
  return { task: { ...wanted, id }, job }
}
