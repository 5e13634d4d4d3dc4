import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { conflicting } from '../../../../platform/refusals.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import {
  discard,
  type LedgerRow,
  ledgerRowsByIds,
  post,
  type Posting,
  takeBackAll,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../../operations/queue-tasks/queue-tasks.public.ts'
import { bookingRefusals } from '../booking/booking.errors.ts'
import { takePiece } from '../booking/booking.queries.ts'
import { answerAgain } from '../booking/races.usecases.ts'
import { forgetTransactions } from '../identities/identities.queries.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  importById,
  importForTask,
  ownerForTask,
  type StoredImport,
  updateImport,
} from '../imports.queries.ts'
import { KEPT_MS } from '../imports.rules.ts'
import { asOwner } from '../reading/task.usecases.ts'
import { restrictionOf } from '../upload/upload.usecases.ts'
import { addedBy, bookedBy, type BookedRow, saveReverted } from './reverting.queries.ts'
import { AT_ONCE, foresee, MOST_FORESEEN, split, type Split } from './foreseeing.usecases.ts'
import { withMade } from './made.usecases.ts'
import { partFrom } from './parting.usecases.ts'
import { restorePiece } from './restoring.usecases.ts'
import {
  type Choice,
  MOST_KEPT,
  MOST_LINES,
  type Reverted,
  type RevertInput,
} from './reverting.rules.ts'

export const REVERT_IMPORT = 'imports.revert'

/** The result of a dry run, or the job of a revert. */
export interface RevertResult {
  job: TaskRow | null
  report: Reverted | null
}

const AT_WORK = ['queued', 'running']

/** Takes back what an import booked, or says what that would be. */
export const revertImport = (
  ctx: SignedIn,
  id: string,
  wanted: RevertInput,
): Promise<RevertResult> => answerAgain(() => tryToRevert(ctx, id, wanted))

async function tryToRevert(
  ctx: SignedIn,
  id: string,
  { dryRun = false, edited = 'keep', force = false }: RevertInput,
): Promise<RevertResult> {
  const [[row], views, booked, added] = await read(
    ctx,
    importById(ctx, id),
    visibleAccounts(ctx),
    bookedBy(ctx, id, null, dryRun ? AT_ONCE : 1),
    addedBy(ctx, id, null, dryRun ? MOST_FORESEEN : 1),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  if (row.state === 'reverting' || row.state === 'committing' || AT_WORK.includes(row.task ?? '')) {
    throw importErrors.underWay()
  }
  // What a revert kept can be taken back by another one that asks for more.
  const isMore = row.state === 'reverted' && (force || edited === 'remove')
  if (row.state !== 'done' && row.state !== 'cancelled' && !isMore) {
    throw importErrors.nothingToRevert()
  }
  if (dryRun) {
    const report = await foresee(ctx, id, { edited, force }, { views, booked, added })
    return { job: null, report }
  }
  if (booked.length === 0 && added.length === 0) {
    throw importErrors.nothingToRevert()
  }
  const { task, job } = newJob(ctx, {
    kind: REVERT_IMPORT,
    payload: { importId: id, ...restrictionOf(ctx) },
    summary: id,
  })
  // A further revert adds to what the ones before have done; what they kept as a whole is looked at again.
  const { removed, restored, kept } = {
    ...{ removed: 0, restored: 0, kept: [] },
    ...(isMore ? (JSON.parse(row.reverted ?? '{}') as Partial<Reverted>) : {}),
  }
  const begun: Reverted = {
    ...{ removed, restored, after: null, afterAdded: null },
    kept: kept.filter(({ fields }) => fields !== undefined),
  }
  return commit(ctx, {
    changes: [
      {
        statements: updateImport(ctx, row, {
          ...{ state: 'reverting', taskId: job.id, step: 'reverting', rowsDone: 0, nextChunk: 0 },
          ...{ options: JSON.stringify({ edited, force }), reverted: JSON.stringify(begun) },
        }),
        events: [importEvents.reverting({ id, version: row.version + 1 })],
      },
    ],
    tasks: [task],
    result: { job, report: null },
  })
}

/** Takes an import back, a piece in each commit, the last rows first. */
export async function takeBackImport(
  ctx: Context,
  id: string,
  finish: Statement[],
  tokenHash?: string,
): Promise<void> {
  const [[profile]] = await read(ctx, ownerForTask(id))
  for (;;) {
    const [[row]] = await readOrStop(ctx, importForTask(id))
    if (row?.state !== 'reverting' || !profile) {
      await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
      return
    }
    const owner = asOwner(ctx, profile, tokenHash)
    const report = JSON.parse(row.reverted ?? '{}') as Reverted
    const [booked, added] = await read(
      owner,
      bookedBy(owner, id, report.after ?? null, AT_ONCE),
      addedBy(owner, id, report.afterAdded, AT_ONCE),
    )
    if (booked.length > 0) {
      await takeBackPiece(owner, row, report, booked)
    } else if (added.length > 0) {
      await restorePiece(owner, row, report, added)
    } else {
      const { after: _after, afterAdded: _added, ...told } = await withMade(owner, row, report)
      const { removed, restored } = told
      await commit(owner, {
        changes: [
          {
            statements: [
              ...updateImport(owner, row, {
                ...{ state: 'reverted', step: null, expiresAt: owner.now + KEPT_MS },
                reverted: JSON.stringify(told),
              }),
              ...finish,
            ],
            events: [
              importEvents.reverted(
                { id, ownerId: row.ownerId, version: row.version + 1 },
                { removed, restored },
              ),
            ],
          },
        ],
        result: undefined,
      })
      return
    }
  }
}

/** Separates transfers first, then returns the transactions to remove. A transfer that cannot be separated stays. */
async function splitAlone(
  owner: SignedIn,
  { id, options }: StoredImport,
  { after = null }: Reverted,
  booked: BookedRow[],
): Promise<Split> {
  const choice = JSON.parse(options) as Choice
  const first = await split(owner, booked, choice)
  const transfers = new Set(
    first.going.flatMap(({ id: own, matchedInto, hasMatched }) => [
      ...(matchedInto === null ? [] : [matchedInto]),
      ...(hasMatched === 1 ? [own] : []),
    ]),
  )
  if (transfers.size === 0) {
    return first
  }
  for (const transfer of transfers) {
    await partFrom(owner, transfer, choice.force ?? false)
  }
  const [again] = await read(owner, bookedBy(owner, id, after, AT_ONCE))
  const { going, touched, kept } = await split(owner, again, choice)
  const isStaying = ({ matchedInto, hasMatched }: BookedRow) =>
    matchedInto !== null || hasMatched === 1
  const staying = going.filter(isStaying)
  return {
    going: going.filter((one) => !isStaying(one)),
    touched,
    kept: [...kept, ...staying.map((one) => ({ id: one.id, reason: 'transfer' }))],
  }
}

async function takeBackPiece(
  owner: SignedIn,
  row: StoredImport,
  report: Reverted,
  booked: BookedRow[],
): Promise<void> {
  const choice = JSON.parse(row.options) as Choice
  const { going, touched, kept } = await splitAlone(owner, row, report, booked)
  const ids = going.map(({ id }) => id)
  const [found] = await read(owner, ledgerRowsByIds(owner, ids, MOST_LINES))
  const own = found.filter(({ line }) => line === 1)
  const isFirst = ({ transactionId }: LedgerRow) => !touched.has(transactionId)
  const fresh = own.filter(isFirst)
  const changed = own.filter((one) => !isFirst(one))
  const next: Reverted = {
    ...report,
    removed: report.removed + own.length,
    kept: [...report.kept, ...kept].slice(0, MOST_KEPT),
    after: booked.at(-1)?.id ?? null,
  }
  const postings: Posting[] = [
    ...(fresh.length === 0 ? [] : [takeBackAll(fresh, conflicting)]),
    ...(changed.length === 0
      ? []
      : [
          discard(
            owner,
            changed.map((one) => ({ row: one })),
          ),
        ]),
  ]
  await commit(owner, {
    changes: [
      withoutEvents([
        ...takePiece(owner, row, 'reverting', booked.length),
        saveReverted(row, next),
        // What goes to the trash stays known: the next file offers it, and it is not booked beside what is restored.
        forgetTransactions(fresh),
      ]),
      ...(postings.length === 0
        ? []
        : [post(owner, { ...bookingRefusals, force: choice.force }, ...postings)]),
    ],
    result: undefined,
  })
}
