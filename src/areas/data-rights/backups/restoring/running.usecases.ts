import { AppError } from '../../../../domain/errors.ts'
import type { Context } from '../../../../platform/context.ts'
import { ownedData } from '../../../../platform/owned-data.ts'
import { profileFrom } from '../../../../platform/session.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { BrokenZip } from '../../../../platform/unzip.ts'
import { eraseInSteps } from '../../own-user/own-user.public.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { readerOf } from '../uploads/opening.usecases.ts'
import { check } from './checking.usecases.ts'
import { compare, readAll } from './comparing.usecases.ts'
import { deleteOldRestores, mustBeTakenBack, restoreToDo } from './restoring.queries.ts'
import { REPORT_KEPT_MS, type RestoreError, type RestoreReport } from './restoring.rules.ts'
import { end, goOn, isPassing, type Run, stepsOf, thingOf } from './runs.usecases.ts'
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
  const read = readerOf(ctx, { objects, size: row.size, sha256: row.sha256 })
  const report = JSON.parse(row.report) as RestoreReport
  const run: Run = { ctx, owner, row, report, read, finish }
  if (row.state === 'takingBack') {
    return takeBack(run)
  }
  try {
    await PARTS[row.state](run)
  } catch (error) {
    if (isPassing(error)) {
      throw error
    }
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
      : 'Its rows cannot be stored or read together, although each is well-formed.'
  const { code, message } = backupErrors.brokenArchive({ reason })
  return { code, message, member: null, line: null }
}

/** What was stored before it failed is taken back. */
async function fail(ctx: Context, id: string, run: Run, error: RestoreError): Promise<void> {
  // The run itself may have come further than what it began with.
  const [[now]] = await readOrStop(ctx, restoreToDo(id))
  const row = now ?? run.row
  const report = { ...run.report, error }
  return row.nextStep === 0 && row.nextLine === 0
    ? end({ ...run, row }, { state: 'failed', report })
    : goOn({ ...run, row }, { state: 'takingBack', report })
}

/** Told to users, and nothing that a restore stores. */
const KEPT = new Set(['notifications'])

/**
 * Erases what the restore stored: all that a wipe erases, as there was nothing before. What was made since stays, and what that
 * needs.
 */
async function takeBack(run: Run): Promise<void> {
  const { ctx, owner, row, report } = run
  const isChanged = report.error?.code === backupErrors.changedMeanwhile().code
  const scope = {
    ownerId: owner.caller.userId,
    before: isChanged ? row.createdAt - 1 : Number.MAX_SAFE_INTEGER,
  }
  const kinds = ownedData()
    .flatMap(({ erase = [] }) => erase)
    .filter(({ name, wipedWith = [] }) => wipedWith.length > 0 && !KEPT.has(name))
  const guard = mustBeTakenBack(row.id)
  if (!(await eraseInSteps(ctx, { scope, kinds, guard }))) {
    return goOn(run, { state: 'takingBack' })
  }
  const isReset = stepsOf()[row.nextStep]?.table.isSingle ?? true
  return end(run, {
    state: 'failed',
    report,
    statements: isReset
      ? ownedData().flatMap(({ reset }) =>
          reset?.wipedWith === 'preferences' ? reset.statements(ctx, scope) : [],
        )
      : [],
    events: [backupEvents.restoreFailed(thingOf(run), { code: report.error?.code ?? '' })],
  })
}

/** Old reports go. */
export const expireRestores = (now: number): Statement => deleteOldRestores(now - REPORT_KEPT_MS)
