import type { SignedIn } from '../../../platform/context.ts'
import { checkAccess, commit } from '../../../platform/database/database.ts'
import type { DomainEvent, Thing } from '../../../platform/log/events.ts'
import type { NewTask } from '../../../platform/work/task-rows.ts'
import { PURGE_FILES } from '../../files/attachments/attachments.public.ts'
import { newJob } from '../jobs/jobs.public.ts'
import { CHECK_LEDGER, RECALCULATE } from '../../../ledger/integrity/integrity.public.ts'
import { PURGE_TRASH } from '../../money/trash/trash.public.ts'
import { maintenanceEvents } from './maintenance.events.ts'

/** Stores the tasks, and gives the first. */
async function request(
  ctx: SignedIn,
  requested: (task: Thing, content: { kinds: string[] }) => DomainEvent,
  [first, ...others]: [NewTask, ...NewTask[]],
) {
  await checkAccess(ctx)
  const { task, job } = newJob(ctx, first)
  const kinds = [first, ...others].map(({ kind }) => kind)
  return commit(ctx, {
    changes: [
      { statements: [], events: [requested({ id: job.id, resourceType: 'task' }, { kinds })] },
    ],
    tasks: [task, ...others],
    result: job,
  })
}

const taskOf = (kind: string): NewTask => ({ kind, payload: {}, cancellable: true })

/** Starts the nightly check now. */
export const checkIntegrity = (ctx: SignedIn) =>
  request(ctx, maintenanceEvents.checkRequested, [taskOf(CHECK_LEDGER)])

export const recalculateBalances = (ctx: SignedIn) =>
  request(ctx, maintenanceEvents.recalculationRequested, [taskOf(RECALCULATE)])

/** Files are seen to by a job of their own. */
export const purgeDeleted = (ctx: SignedIn) =>
  request(ctx, maintenanceEvents.purgeRequested, [taskOf(PURGE_TRASH), taskOf(PURGE_FILES)])
