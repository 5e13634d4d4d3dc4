import { AppError } from '../../../../domain/errors.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { tableNameOf } from '../../../../platform/owned-data/archived-tables.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { forEachRow } from '../../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { detailOf, logEvent } from '../../../../platform/logger.ts'
import { archivedTables, ownedData } from '../../../../platform/owned-data/owned-data.ts'
import { conflicting, unlessRefused } from '../../../../platform/database/refusals.ts'
import { profileFrom } from '../../../../platform/database/session.ts'
import { type ReplacedRows, takeBackSingle } from '../../../../platform/owned-data/single-rows.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { BrokenZip } from '../../../../platform/files/unzip.ts'
import { eraseInSteps } from '../../own-user/own-user.public.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { readerOf } from '../uploads.usecases.ts'
import { check } from './checking.usecases.ts'
import { compare, readAll } from './comparing.usecases.ts'
import {
  type DeadRestore,
  deadRestores,
  deleteOldRestores,
  letRowsStay,
  LOOKED_FOR_AT_ONCE,
  mustBeTakenBack,
  restoreToDo,
  stillThere,
  takeDeadBack,
} from './restoring.queries.ts'
import { REPORT_KEPT_MS, type RestoreError, type RestoreReport } from './restoring.rules.ts'
import { RESTORE_BACKUP } from './restoring.usecases.ts'
import { end, goOn, isPassing, type Run, restoreThing } from './runs.usecases.ts'
import { write } from './writing.usecases.ts'

/** Goes on with a restore, one part of it in each run. */
export async function goOnRestoring(
  ctx: Context,
  restoreId: string,
  finish: Statement[],
): Promise<void> {
  const [[row]] = await readOrStop(ctx, restoreToDo(restoreId))
  if (!row) {
    throw backupErrors.restoreNotFound()
  }
  const profile = profileFrom(row)
  const owner = {
    ...ctx,
    caller: { userId: profile.id, sessionId: null, tokenHash: null, profile },
  }
  const objects = JSON.parse(row.objects) as { objectKey: string; size: number }[]
  const readPart = readerOf(ctx, { objects, size: row.size, sha256: row.sha256 })
  const report = JSON.parse(row.report) as RestoreReport
  const run: Run = { ctx, owner, row, report, read: readPart, finish }
  if (row.state === 'takingBack') {
    return takeBack(run)
  }
  try {
    await PARTS[row.state](run)
  } catch (error) {
    if (isPassing(error)) {
      throw error
    }
    // The report says only that the rows do not fit together, of whatever is no refusal.
    logEvent('error', 'restore.failed', { id: restoreId, ...detailOf(error) })
    await fail(ctx, restoreId, run, errorOf(error))
  }
}

type Part = (run: Run) => Promise<void>

const stop: Part = () => Promise.reject(backupErrors.restoreNotFound())

const PARTS: Record<Exclude<Run['row']['state'], 'takingBack'>, Part> = {
  checking: check,
  writing: write,
  comparing: compare,
  reading: readAll,
  done: stop,
  failed: stop,
}

function errorOf(error: unknown): RestoreError {
  if (error instanceof AppError && /^(?:backups|attachments)\./.test(error.code)) {
    return { code: error.code, message: error.message, member: null, line: null }
  }
  const reason =
    error instanceof BrokenZip
      ? error.message
      : error instanceof AppError && error.code === 'ledger.different'
        ? `Its rows contradict each other: ${error.message}.`
        : 'Its rows cannot be stored or read together, although each is well-formed.'
  const { code, message } = backupErrors.brokenArchive({ reason })
  return { code, message, member: null, line: null }
}

/** Starts taking back everything that was stored before the failure. */
async function fail(ctx: Context, id: string, run: Run, error: RestoreError): Promise<void> {
  // The run itself may have come further than what it began with.
  const [[now]] = await readOrStop(ctx, restoreToDo(id))
  const row = now ?? run.row
  const report = { ...run.report, error }
  return row.nextStep === 0 && row.nextLine === 0
    ? end({ ...run, row }, { state: 'failed', report })
    : goOn({ ...run, row }, { state: 'takingBack', report })
}

/** Shown to users, and nothing that a restore stores. */
const KEPT = new Set(['notifications'])

/**
 * Erases what the restore added, and nothing else: what was there before stays, and what somebody needs by now, or what cannot go
 * because of what was booked since.
 */
async function takeBack(run: Run): Promise<void> {
  const { ctx, owner, row, report } = run
  const { userId } = owner.caller
  const scope = { ownerId: userId, before: Number.MAX_SAFE_INTEGER, addedBy: row.id }
  const kinds = ownedData()
    .flatMap(({ erase = [] }) => erase)
    .filter(({ name, wipedWith = [] }) => wipedWith.length > 0 && !KEPT.has(name))
  const stay = {
    isMeant: (error: AppError) => !isPassing(error) || error.code === conflicting().code,
    note: (rowIds: string[]) => letRowsStay(row.id, userId, rowIds),
  }
  const guard = mustBeTakenBack(row.id)
  const { isDone } = await eraseInSteps(ctx, { scope, kinds, guard, stay })
  if (!isDone) {
    return goOn(run, { state: 'takingBack' })
  }
  return end(run, {
    state: 'failed',
    report: { ...report, left: await countOfLeft(run) },
    statements: singlesTakenBack(run),
    events: [backupEvents.restoreFailed(restoreThing(run), { code: report.error?.code ?? '' })],
  })
}

/** Counts the rows that the restore added and that are still there. */
async function countOfLeft({ ctx, row }: Run): Promise<number> {
  let left = 0
  for (const table of archivedTables()) {
    for (const prefix of table.prefixes ?? []) {
      let place = { prefix, after: prefix }
      for (let seen = LOOKED_FOR_AT_ONCE; seen === LOOKED_FOR_AT_ONCE;) {
        const [[found]] = await readOrStop(ctx, stillThere(row.id, table, place))
        left += found?.there ?? 0
        seen = found?.seen ?? 0
        place = { prefix, after: found?.last ?? '' }
      }
    }
  }
  return left
}

/** Puts back what was replaced of which there is one at most, and takes away what was added. */
function singlesTakenBack({ row, owner }: Run): Statement[] {
  const replaced = JSON.parse(row.replaced) as ReplacedRows
  return archivedTables().flatMap((table) => {
    const before = replaced[tableNameOf(table)]
    return before ? [takeBackSingle(table, before, owner.caller.userId)] : []
  })
}

const DEAD_AT_ONCE = 20

/**
 * Takes back the restores whose task is given up: those that were lost or failed too often, and those that an administrator
 * stopped. If the new task dies as well, the next sweep starts another one.
 */
export async function takeBackDeadRestores(ctx: Context): Promise<void> {
  let dead: DeadRestore[] = []
  do {
    ;[dead] = await read(ctx, deadRestores(dead.at(-1)?.id ?? '', DEAD_AT_ONCE))
    await forEachRow(ctx, { work: 'backups.takeBack', rows: dead }, (one) =>
      // Another sweep may have found it, too.
      unlessRefused(() => takeBackDead(ctx, one)),
    )
  } while (dead.length === DEAD_AT_ONCE)
}

function takeBackDead(ctx: Context, { id, ownerId, version, report }: DeadRestore): Promise<void> {
  const taskId = freshId(ctx, 'tsk')
  const { code, message } = backupErrors.interrupted()
  const error = { code, message, member: null, line: null }
  const newReport = { error, ...(JSON.parse(report) as RestoreReport) }
  const statements = takeDeadBack(
    ctx,
    { id, version },
    { taskId, report: JSON.stringify(newReport) },
  )
  return commit(ctx, {
    changes: [withoutEvents(statements)],
    tasks: [
      {
        ...{ kind: RESTORE_BACKUP, id: taskId, payload: { restoreId: id }, summary: id },
        createdBy: ownerId,
      },
    ],
    result: undefined,
  })
}

/** Old reports go. */
export const expireRestores = (now: number): Statement => deleteOldRestores(now - REPORT_KEPT_MS)
