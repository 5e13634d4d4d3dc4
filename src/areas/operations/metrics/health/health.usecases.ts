import journal from '../../../../../migrations/meta/_journal.json' with { type: 'json' }
import { pingBucket } from '../../../../platform/bucket.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { pingQueue } from '../../../../platform/task-queue.ts'
import { tasksDue } from '../../queue-tasks/queue-tasks.public.ts'
import { allDue, lagSince } from '../metrics.rules.ts'
import {
  clockAndMigrations,
  deadTasks,
  firstUnsealed,
  lastLedgerCheck,
  lastNightly,
  readerStates,
} from './health.queries.ts'
import type { Health } from './health.rules.ts'

/** As the file of the newest migration is called, and its row in the database. */
const SHIPPED = `${journal.entries.at(-1)?.tag ?? ''}.sql`

const answers = (ping: Promise<void>): Promise<boolean> =>
  ping.then(
    () => true,
    () => false,
  )

export async function getSystemHealth(ctx: SignedIn): Promise<Health> {
  const found = await read(
    ctx,
    tasksDue(ctx.now),
    clockAndMigrations(),
    lastNightly(),
    lastLedgerCheck(),
    readerStates(),
    deadTasks(),
    firstUnsealed(),
  )
  const [files, queue] = await Promise.all([answers(pingBucket(ctx)), answers(pingQueue(ctx))])
  const [waiting, [database], nightly, [ledgerCheck = null], readers, [dead], [unsealed]] = found
  const { due, oldestDueAt } = allDue(waiting)
  return {
    ...{ now: ctx.now, files, queue, due, oldestDueAt },
    lagSeconds: lagSince(oldestDueAt, ctx.now),
    shipped: SHIPPED,
    applied: database?.applied ?? null,
    databaseNow: database?.now ?? 0,
    nightly,
    ledgerCheck,
    readers,
    dead: dead?.count ?? 0,
    unsealedSince: unsealed?.at ?? null,
  }
}
