import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { requireUnlocked } from '../../../../ledger/ledger.public.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import { findTask, type TaskRow } from '../../../operations/queue-tasks/queue-tasks.public.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  chunksOf,
  importById,
  type ImportRow,
  statementsOf,
  statementsShown,
  type StoredChunk,
  updateImport,
} from '../imports.queries.ts'
import type { ImportView } from '../imports.usecases.ts'
import { type ForeignAccount, type Mapping, mismatchOf } from '../imports.rules.ts'
import { CREATE, countsOfStopped } from './making.rules.ts'
import { requireMayMake, type CommitOptions } from './making.usecases.ts'
import type { Question } from '../../../../domain/bank-files/format.ts'
import { locksOfViews } from './booking.rules.ts'
import { IGNORE } from '../reading/accounts.rules.ts'
import { mustBeAt, saveOutcomes } from './booking.queries.ts'
import { answerAgain } from './booking.usecases.ts'
import { requireAccount, restrictionOf } from '../upload/upload.usecases.ts'

export const COMMIT_IMPORT = 'imports.commit'

/** A job, and whether it was begun by this request. */
export interface Begun {
  job: TaskRow
  isNew: boolean
}

const isAtWork = ({ task }: ImportRow) => task === 'queued' || task === 'running'

/** Has the rows of an import booked; once more, it is the same job. */
export const commitImport = (ctx: SignedIn, id: string, options: CommitOptions): Promise<Begun> =>
  answerAgain(() => tryToCommit(ctx, id, options))

async function tryToCommit(ctx: SignedIn, id: string, options: CommitOptions): Promise<Begun> {
  const [[row], views, chunks, statements] = await read(
    ctx,
    importById(ctx, id),
    visibleAccounts(ctx),
    chunksOf(id),
    statementsOf(id),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  const isBegun = row.state === 'committing' || row.state === 'done'
  if (isBegun && row.taskId !== null && (row.state === 'done' || isAtWork(row))) {
    return { job: await findTask(ctx, row.taskId, { userId: ctx.caller.userId }), isNew: false }
  }
  requireCommittable(row)
  for (const { accountId } of JSON.parse(row.accounts) as ForeignAccount[]) {
    requireAccount(views, isOwnId(accountId) ? accountId : undefined)
  }
  requireMayState(ctx, options)
  requireMayMake(ctx, JSON.parse(row.mapping) as Mapping)
  requireForce(row, views, chunks, options)
  const message = row.state === 'previewed' && !options.force ? mismatchOf(statements) : null
  if (message !== null) {
    throw importErrors.statementDiffers({ message })
  }
  const { task, job } = newJob(ctx, {
    kind: COMMIT_IMPORT,
    payload: { importId: id, ...restrictionOf(ctx) },
    summary: id,
  })
  return commit(ctx, {
    changes: [
      {
        statements: updateImport(ctx, row, {
          ...{ state: 'committing', taskId: job.id, step: 'booking', error: null },
          // A commit that was given up goes on where it was.
          ...(row.state === 'committing'
            ? {}
            : { nextChunk: 0, rowsDone: 0, options: JSON.stringify(options) }),
        }),
        events: [importEvents.committed({ id, version: row.version + 1 })],
      },
    ],
    tasks: [task],
    result: { job, isNew: true },
  })
}

/** Refuses what the token or role of the caller may not do besides importing. */
function requireMayState(ctx: SignedIn, { assertBalances, reconcile }: CommitOptions): void {
  const needed = [
    ...(assertBalances ? (['balanceAssertions.write'] as const) : []),
    ...(reconcile ? (['reconciliations.write'] as const) : []),
  ]
  const missing = needed.find((permission) => !profileOf(ctx).permissions.includes(permission))
  if (missing) {
    throw forbidden(missing)
  }
}

const isOwnId = (accountId: string | null): accountId is string =>
  accountId !== null && accountId !== IGNORE && accountId !== CREATE

/** Refuses force of somebody who may not use it. Rows under a hard lock stay locked whoever commits. */
function requireForce(
  row: ImportRow,
  views: AccountView[],
  chunks: StoredChunk[],
  { force }: CommitOptions,
): void {
  const [oldest] = chunks.flatMap((chunk) => chunk.oldest ?? []).toSorted()
  if (force !== true || oldest === undefined) {
    return
  }
  const days = (JSON.parse(row.accounts) as ForeignAccount[]).flatMap(({ accountId }) =>
    isOwnId(accountId) ? [{ accountId, date: oldest }] : [],
  )
  const soft = locksOfViews(views).map((account) => ({ ...account, hardLockedThrough: null }))
  requireUnlocked(days, soft, { force, field: 'force' })
}

function requireCommittable({ state, questions }: ImportRow): void {
  if (state === 'questions') {
    const open = JSON.parse(questions) as Question[]
    throw importErrors.questionsOpen({ keys: open.map(({ key }) => key).join(', '), id: '{id}' })
  }
  if (state === 'reverting') {
    throw importErrors.underWay()
  }
  if (state !== 'previewed' && state !== 'committing') {
    throw importErrors.notPreviewed({ state })
  }
}

/** Calls an import off. What was booked until then stays, and can be taken back. */
export const cancelImport = (ctx: SignedIn, id: string): Promise<ImportView> =>
  answerAgain(() => tryToCancel(ctx, id))

async function tryToCancel(ctx: SignedIn, id: string): Promise<ImportView> {
  const [[row], statements, chunks] = await read(
    ctx,
    importById(ctx, id),
    statementsShown(ctx, id),
    chunksOf(id),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  if (row.state === 'cancelled' && !ctx.repeatable) {
    return { row, statements }
  }
  if (row.state === 'reverted') {
    throw importErrors.reverted()
  }
  if (row.state === 'done') {
    throw importErrors.alreadyDone()
  }
  if (row.state === 'reverting') {
    throw importErrors.underWay()
  }
  // Nothing of it is booked before a commit.
  const { counts, untouched } = countsOfStopped(row, chunks)
  const changed = {
    ...{ state: 'cancelled' as const, step: null },
    counts: JSON.stringify(counts),
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...mustBeAt(row),
          ...updateImport(ctx, row, changed),
          ...saveOutcomes(id, untouched),
        ],
        events: [importEvents.cancelled({ id, version: row.version + 1 })],
      },
    ],
    result: {
      row: {
        ...{ ...row, ...changed },
        ...{ version: row.version + 1, updatedAt: ctx.now },
      },
      statements,
    },
  })
}
