import { AppError } from '../../../../domain/errors.ts'
import { dateInZone } from '../../../../domain/calendar.ts'
import type { RowCounts } from '../../../../domain/imports/counts.ts'
import { deleteFiles, readFile } from '../../../../platform/files/bucket.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { asOwner } from '../../../../platform/database/session.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  chunksOf,
  importForTask,
  ownerForTask,
  type StoredImport,
  tellProgress,
  updateImport,
} from '../imports.queries.ts'
import { type Mapping, MOST_ROWS } from '../imports.rules.ts'
import type { ReadPart } from '../../../../platform/files/unzip.ts'
import { isArchive, unpack } from '../upload/archives.usecases.ts'
import { byteWatcher } from '../upload/bytes.rules.ts'
import { watched, makingIn, surroundings, surroundingsFrom } from '../upload/sources.usecases.ts'
import { readRows } from './storing.usecases.ts'
import { surveyFile } from './answers.usecases.ts'
import type { SourceFile } from './survey.usecases.ts'

/** The bytes of the file of an import. */
async function* bytesOf(ctx: Context, objectKey: string): AsyncGenerator<Uint8Array> {
  const body = await readFile(ctx, objectKey)
  if (!body) {
    throw importErrors.fileGone()
  }
  // A reader that stops early closes the file.
  yield* body
}

const rangesOf =
  (ctx: Context, objectKey: string): ReadPart =>
  async (offset, length) => {
    const body = await readFile(ctx, objectKey, { offset, length })
    if (!body) {
      throw importErrors.fileGone()
    }
    return body
  }

/** A stored file that can be read again and again. */
export async function sourceOf(
  ctx: Context,
  { objectKey, size }: StoredImport,
): Promise<SourceFile> {
  if (objectKey === null) {
    throw importErrors.fileGone()
  }
  const open = () => bytesOf(ctx, objectKey)
  const watcher = byteWatcher()
  let isFirst = true
  for await (const piece of open()) {
    if (isFirst && isArchive(piece)) {
      return watched(await unpack(rangesOf(ctx, objectKey), size))
    }
    isFirst = false
    watcher.take(piece)
  }
  return { ...(await runWithPauses(watcher.end(), pauseRegularly())), open }
}

/** Files can be wrong in ways that no other attempt mends. */
const OF_FILE = ['invalid', 'unsupportedMediaType', 'tooLarge']

/** Reads a file from its beginning, whatever an earlier run left, and stores all that it found in one commit. */
export async function readImport(
  ctx: Context,
  id: string,
  finish: Statement[],
  tokenHash?: string,
): Promise<void> {
  const [[row], chunks, [profile]] = await readOrStop(
    ctx,
    importForTask(id),
    chunksOf(id),
    ownerForTask(id),
  )
  if (row?.state !== 'uploaded' || !profile) {
    await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
    return
  }
  const owner = asOwner(ctx, profile, tokenHash)
  const key = `imports/${id}/rows.${row.version}.${ctx.task?.attempt ?? 0}`
  const old = [...new Set(chunks.map(({ objectKey }) => objectKey))].filter((one) => one !== key)
  const { id: importId, version, ownerId } = row
  const thing = { id: importId, version: version + 1, ownerId }
  try {
    const { changed, statements } = await readAll(owner, row, key)
    const counts = JSON.parse(changed.counts ?? '{}') as RowCounts
    await commit(owner, {
      changes: [
        {
          statements: [...updateImport(ctx, row, changed), ...statements, ...finish],
          events: [importEvents.read(thing, { counts })],
        },
      ],
      result: undefined,
    })
    await deleteFiles(ctx, old)
  } catch (error) {
    await (isCertain(error) ? deleteFiles(ctx, [key]) : undefined)
    if (!(error instanceof AppError) || !OF_FILE.includes(error.kind)) {
      throw error
    }
    const { code, message } = error
    const failed = {
      state: 'failed' as const,
      step: null,
      error: JSON.stringify({ code, message }),
    }
    await commit(owner, {
      changes: [
        {
          statements: [...updateImport(ctx, row, failed), ...finish],
          events: [importEvents.failed(thing, { error: code })],
        },
      ],
      result: undefined,
    })
  }
}

const isCertain = (error: unknown) =>
  !(error instanceof AppError && ['unavailable', 'internal'].includes(error.kind))

async function readAll(owner: SignedIn, row: StoredImport, key: string) {
  const { views, profiles, untrusted, hasPayees, habits } = surroundingsFrom(
    ...(await read(owner, ...surroundings(owner))),
  )
  const file = await sourceOf(owner, row)
  const making = makingIn(owner)
  const surveyed = await surveyFile(file, {
    chosen: JSON.parse(row.chosen) as Mapping,
    ...{ accountId: row.accountId, views, profiles, profileId: row.profileId, habits },
    ...making,
    today: dateInZone(row.createdAt, 'UTC'),
  })
  let reportedAt = owner.ports.now()
  return readRows(
    owner,
    row,
    { file, surveyed, key },
    {
      ...{ views, untrusted, hasPayees, importId: row.id, mostRows: MOST_ROWS, busy: making.busy },
      tell: async (rows, step) => {
        // At most once a second.
        if (owner.ports.now() - reportedAt >= 1000) {
          reportedAt = owner.ports.now()
          const done =
            step === 'reading' ? { rowsDone: rows, rowsTotal: 0 } : { rowsDone: 0, rowsTotal: rows }
          const progress = { step, ...done }
          const changes = [withoutEvents([tellProgress(row.id, progress)])]
          await commit(owner, { changes, result: undefined })
        }
      },
    },
  )
}
