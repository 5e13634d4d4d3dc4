import { AppError } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { rangeErrors } from '../../../../platform/platform.errors.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
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
import { takePiece } from '../booking/booking.queries.ts'
import { answerAgain } from '../booking/booking.usecases.ts'
import { forgetTransactions } from '../identities.queries.ts'
import { importErrors, bookingRefusals } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  importById,
  importForTask,
  ownerForTask,
  type StoredImport,
  updateImport,
} from '../imports.queries.ts'
import { IMPORT_KEPT_MS } from '../imports.rules.ts'
import { restrictionOf } from '../upload/upload.usecases.ts'
import { addedBy, rowsBookedBy, type BookedRow, saveReverted } from './reverting.queries.ts'
import {
  AT_ONCE,
  foresee,
  MOST_FORESEEN,
  split,
  type RevertSplit,
  withMade,
  partTransfer,
} from './foreseeing.usecases.ts'
import { restorePiece } from './restoring.usecases.ts'
import {
  type RevertChoice,
  isTriedInParts,
  lookedAtAnew,
  mayGoNow,
  MOST_KEPT_ITEMS,
  MOST_REVERTED_LINES,
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
    rowsBookedBy(ctx, id, null, dryRun ? AT_ONCE : 1),
    addedBy(ctx, id, null, dryRun ? MOST_FORESEEN : 1),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  if (row.state === 'committing' || AT_WORK.includes(row.task ?? '')) {
    throw importErrors.underWay()
  }
  const before = JSON.parse(row.reverted ?? '{}') as Partial<Reverted>
  // The task of a revert was given up: there may be nothing left but its end.
  const isGivenUp = row.state === 'reverting'
  // Transactions that one revert kept can be reverted by another one with more options, or once balances have room
  // for it.
  const asksForMore = force || edited === 'remove' || (before.beyond ?? 0) > 0
  const isMore = isGivenUp || (row.state === 'reverted' && asksForMore)
  if (row.state !== 'done' && row.state !== 'cancelled' && !isMore) {
    throw importErrors.nothingToRevert()
  }
  if (dryRun) {
    const report = await foresee(ctx, id, { edited, force }, { views, booked, added })
    return { job: null, report }
  }
  if (booked.length === 0 && added.length === 0 && !isGivenUp) {
    throw importErrors.nothingToRevert()
  }
  const { task, job } = newJob(ctx, {
    kind: REVERT_IMPORT,
    payload: { importId: id, ...restrictionOf(ctx) },
    summary: id,
  })
  // A further revert adds to what the ones before have done.
  const begun = lookedAtAnew(isMore ? before : {})
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
  let atOnce = AT_ONCE
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
      rowsBookedBy(owner, id, report.after ?? null, atOnce),
      addedBy(owner, id, report.afterAdded, atOnce),
    )
    if (booked.length > 0) {
      atOnce = await inRange(report, booked.length, atOnce, (isBeyond) =>
        takeBackPiece(owner, row, report, booked, isBeyond),
      )
    } else if (added.length > 0) {
      atOnce = await inRange(report, added.length, atOnce, (isBeyond) =>
        restorePiece(owner, row, report, added, isBeyond),
      )
    } else if (mayGoNow(report)) {
      await commit(owner, {
        changes: [
          withoutEvents([
            ...takePiece(owner, row, 'reverting', 0),
            saveReverted(row, { ...lookedAtAnew(report), again: (report.again ?? 0) + 1 }),
          ]),
        ],
        result: undefined,
      })
    } else {
      const {
        after: _after,
        afterAdded: _added,
        ...finalReport
      } = await withMade(owner, row, report)
      const { removed, restored } = finalReport
      await commit(owner, {
        changes: [
          {
            statements: [
              ...updateImport(owner, row, {
                ...{ state: 'reverted', step: null, expiresAt: owner.now + IMPORT_KEPT_MS },
                reverted: JSON.stringify(finalReport),
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

/**
 * Takes a piece back. Where a balance would leave the range of amounts at its end, nothing is done, and the next piece is smaller; what
 * would leave it alone stays, and once there is much of that, so does a whole piece.
 * @returns how many to look at next
 */
async function inRange(
  report: Reverted,
  size: number,
  atOnce: number,
  take: (isBeyond: boolean) => Promise<void>,
): Promise<number> {
  try {
    await take(false)
    return Math.min(2 * atOnce, AT_ONCE)
  } catch (error) {
    if (!(error instanceof AppError && error.code === rangeErrors.outOfRange().code)) {
      throw error
    }
  }
  if (size > 1 && isTriedInParts(report)) {
    return Math.ceil(size / 2)
  }
  await take(true)
  return isTriedInParts(report) ? 1 : AT_ONCE
}

/** Separates transfers first, then returns the transactions to remove. A transfer that cannot be separated stays. */
async function splitAlone(
  owner: SignedIn,
  { id, options }: StoredImport,
  { after = null }: Reverted,
  booked: BookedRow[],
): Promise<RevertSplit> {
  const choice = JSON.parse(options) as RevertChoice
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
    await partTransfer(owner, transfer, choice.force ?? false)
  }
  const [again] = await read(owner, rowsBookedBy(owner, id, after, booked.length))
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

const allStaying = ({ going, touched, kept }: RevertSplit): RevertSplit => ({
  ...{ going: [], touched },
  kept: [...kept, ...going.map(({ id }) => ({ id, reason: 'outOfRange' }))],
})

async function takeBackPiece(
  owner: SignedIn,
  row: StoredImport,
  report: Reverted,
  booked: BookedRow[],
  isBeyond: boolean,
): Promise<void> {
  const choice = JSON.parse(row.options) as RevertChoice
  const found = await splitAlone(owner, row, report, booked)
  const { going, touched, kept } = isBeyond ? allStaying(found) : found
  const ids = going.map(({ id, kind }) => legIdOf(id, kind, 1))
  const [lines] = await read(owner, ledgerRowsByIds(owner, ids, MOST_REVERTED_LINES))
  const own = lines.filter(({ line }) => line === 1)
  const isFirst = ({ transactionId }: LedgerRow) => !touched.has(transactionId)
  const fresh = own.filter(isFirst)
  const changed = own.filter((one) => !isFirst(one))
  const next: Reverted = {
    ...report,
    removed: report.removed + own.length,
    kept: [...report.kept, ...kept].slice(0, MOST_KEPT_ITEMS),
    after: booked.at(-1)?.id ?? null,
    beyond: (report.beyond ?? 0) + (isBeyond ? booked.length : 0),
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
        // Rows in the trash stay known: the next file offers them, and they are not booked beside restored ones.
        forgetTransactions(fresh),
      ]),
      ...(postings.length === 0
        ? []
        : [post(owner, { ...bookingRefusals, force: choice.force }, ...postings)]),
    ],
    result: undefined,
  })
}
