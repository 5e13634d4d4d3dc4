import { deleteFiles } from '../../../../platform/files/bucket.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  commit,
  read,
  requireVersion,
  checkAccess,
} from '../../../../platform/database/database.ts'
import { dateInZone } from '../../../../domain/calendar.ts'
import { bankFileErrors } from '../../../../domain/bank-files/format.ts'
import { isCertain } from '../../../../platform/database/refusals.ts'
import { storedFileErrors as uploadErrors } from '../../../../platform/platform.errors.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import type { ImportView } from '../imports.usecases.ts'
import { chunksOf, importById, type ImportRow, updateImport } from '../imports.queries.ts'
import {
  type Mapping,
  mappingFrom,
  READ_AT_ONCE,
  type SentMapping,
  withoutNulls,
} from '../imports.rules.ts'
import { CREATE } from '../booking/making.rules.ts'
import { requireMayMake } from '../booking/making.usecases.ts'
import { IGNORE } from '../reading/accounts.rules.ts'
import { sourceOf } from '../reading/task.usecases.ts'
import { readAtOnce, readingTask, requireAccount } from '../upload/upload.usecases.ts'
import { surroundings, surroundingsFrom, fileIn, makingIn } from '../upload/sources.usecases.ts'
import { requireReadableImport, byteWatcher } from '../upload/bytes.rules.ts'
import { surveyFile } from '../reading/answers.usecases.ts'
import type { Surveyed } from '../reading/survey.usecases.ts'

/** Answers questions and chooses how a file is read, and reads it anew. */
export async function setImportMapping(
  ctx: SignedIn,
  id: string,
  wanted: SentMapping,
): Promise<ImportView> {
  const sent = mappingFrom(wanted)
  const [[row], chunks, ...found] = await read(
    ctx,
    importById(ctx, id),
    chunksOf(id),
    ...surroundings(ctx),
  )
  const around = surroundingsFrom(...found)
  const { views } = around
  if (!row) {
    throw importErrors.notFound()
  }
  requireVersion(ctx, row.version)
  requireReadableImport(row)
  requireAccount(views, ownIdIn(sent.accountId))
  for (const accountId of Object.values(sent.accountMap ?? {})) {
    requireAccount(views, ownIdIn(accountId))
  }
  requireMayMake(ctx, sent)
  const before = withoutNulls(JSON.parse(row.chosen) as Mapping, wanted)
  const accountMap = { ...before.accountMap, ...sent.accountMap }
  const newAccounts = { ...before.newAccounts }
  for (const [foreign, wishes] of Object.entries(sent.newAccounts ?? {})) {
    newAccounts[foreign] = { ...newAccounts[foreign], ...wishes }
  }
  const chosen = {
    ...{ ...before, ...sent },
    ...(Object.keys(accountMap).length === 0 ? {} : { accountMap }),
    ...(Object.keys(newAccounts).length === 0 ? {} : { newAccounts }),
  }
  const next = { ...row, chosen: JSON.stringify(chosen) }
  const rowsKey = `imports/${id}/rows.${row.version + 1}`
  try {
    const source = row.size <= READ_AT_ONCE.bytes ? await wholeOf(ctx, row) : undefined
    const result = source && (await readAtOnce(ctx, next, source, around, rowsKey))
    const later = result ? undefined : readingTask(ctx, id)
    const changed = { chosen: next.chosen, error: null, ...result?.changed, ...later?.changed }
    await commit(ctx, {
      changes: [
        {
          statements: [...updateImport(ctx, row, changed), ...(result?.statements ?? [])],
          events: [
            importEvents.mapped(
              { id, version: row.version + 1 },
              { fields: Object.keys(wanted).toSorted() },
            ),
          ],
        },
      ],
      tasks: later ? [later.task] : [],
      result: undefined,
    })
    if (result) {
      await deleteFiles(ctx, [...new Set(chunks.map(({ objectKey }) => objectKey))])
    }
    const task = later ? ('queued' as const) : row.task
    return {
      row: { ...row, ...changed, version: row.version + 1, updatedAt: ctx.now, task },
      statements: result?.statementRows ?? [],
    }
  } catch (error) {
    await (isCertain(error) ? deleteFiles(ctx, [rowsKey]) : undefined)
    throw error
  }
}

const ownIdIn = (accountId: string | undefined) =>
  accountId === IGNORE || accountId === CREATE ? undefined : accountId

/** A small file whole, as if it were just uploaded. */
async function wholeOf(ctx: SignedIn, row: ImportRow) {
  const { open, ...bytes } = await sourceOf(ctx, row)
  const pieces: Uint8Array[] = []
  let held = 0
  for await (const piece of open()) {
    held += piece.byteLength
    // An archive may hold more than it is.
    if (held > READ_AT_ONCE.bytes) {
      return undefined
    }
    pieces.push(piece)
  }
  const whole = Buffer.concat(pieces)
  return { ...bytes, whole, size: row.size, sha256: row.sha256 }
}

/** The findings about a file that is not stored. */
export interface Detected {
  surveyed: Surveyed
  size: number
}

/** Takes bytes that are held in memory. */
async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw uploadErrors.truncated()
    })
    if (done) {
      return Buffer.concat(pieces)
    }
    size += value.byteLength
    if (size > READ_AT_ONCE.bytes) {
      await reader.cancel()
      throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
    }
    pieces.push(value)
  }
}

/** Tells what a file is, or its beginning, and keeps nothing of it. */
export async function detectImportFile(
  ctx: SignedIn,
  { body, length = 0 }: { body: ReadableStream<Uint8Array>; length?: number | undefined },
): Promise<Detected> {
  // It changes nothing, so it may run again.
  delete ctx.repeatable
  if (length > READ_AT_ONCE.bytes) {
    await checkAccess(ctx)
    throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
  }
  const { views, profiles, habits } = surroundingsFrom(...(await read(ctx, ...surroundings(ctx))))
  const bytes = await bytesOf(body)
  if (bytes.byteLength === 0) {
    throw bankFileErrors.empty()
  }
  const watcher = byteWatcher()
  watcher.take(bytes)
  const file = await fileIn(bytes, await runWithPauses(watcher.end(), pauseRegularly()))
  if (!file) {
    throw uploadErrors.tooLarge({ most: READ_AT_ONCE.bytes })
  }
  const today = dateInZone(ctx.now, 'UTC')
  const wishes = {
    ...{ chosen: {}, accountId: '', views, profiles, profileId: null, habits, today },
    ...makingIn(ctx),
  }
  return {
    surveyed: await surveyFile(file, wishes),
    size: bytes.byteLength,
  }
}
