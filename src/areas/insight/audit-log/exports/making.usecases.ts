import { AppError } from '../../../../domain/errors.ts'
import { deleteFiles, storePieces } from '../../../../platform/files/bucket.ts'
import { type Context, freshId } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import {
  entryFinders,
  pageFinders,
  readEntryOn,
  readOn,
} from '../../../../platform/log/log-reading.ts'
import type { Page, Position } from '../../../../platform/database/paging.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { presentExported } from '../audit-log.contract.ts'
import { exportedLog, logEntry, type LogEntryRow, searchOf } from '../audit-log.queries.ts'
import { exportEvents } from '../audit-log.events.ts'
import { changeQueuedLogExport, exportToMake, type StoredWish } from './exports.queries.ts'
import { headOf, lineOf, MOST_LOG_EXPORT_BYTES, MOST_ENTRIES } from '../audit-log.rules.ts'

/** Entries of one read. */
const EVENTS_PER_STEP = 500

/** Makes a file in one run: whatever an earlier one left is deleted. Its key is stored before its bytes are. */
export async function makeExport(ctx: Context, id: string, finish: Statement[]): Promise<void> {
  const [[found]] = await readOrStop(ctx, exportToMake(id))
  if (!found) {
    throw auditLogErrors.unknownExport()
  }
  await deleteFiles(ctx, found.objectKey === null ? [] : [found.objectKey])
  const objectKey = `archives/${freshId(ctx, 'obj')}`
  const made = { id, ownerId: found.ownerId }
  await commit(ctx, {
    changes: [
      {
        statements: changeQueuedLogExport(ctx, id, { objectKey }),
        events: [exportEvents.exportBegun(made)],
      },
    ],
    result: undefined,
  })
  const wanted = JSON.parse(found.filter ?? '{}') as StoredWish
  const { entries, ...stored } = await store(ctx, objectKey, wanted, found.createdAt)
  try {
    await commit(ctx, {
      changes: [
        {
          statements: [
            ...changeQueuedLogExport(ctx, id, {
              ...stored,
              state: 'ready',
              manifest: JSON.stringify({ entries }),
              finishedAt: ctx.now,
            }),
            ...finish,
          ],
          events: [exportEvents.exported(made, { entries })],
        },
      ],
      result: undefined,
    })
  } catch (error) {
    // Refused for good: nobody else knows this object. After a fault nobody knows whether it was stored.
    if (error instanceof AppError && ['conflict', 'notFound'].includes(error.kind)) {
      await deleteFiles(ctx, [objectKey])
    }
    throw error
  }
}

async function store(ctx: Context, key: string, wanted: StoredWish, now: number) {
  let entries = 0
  const pieces = piecesOf(ctx, wanted, now, (count) => (entries += count))
  const stored = await storePieces(ctx, key, pieces, {
    maxBytes: MOST_LOG_EXPORT_BYTES,
    storageClass: 'Standard',
  })
  return { ...stored, entries }
}

/** From the newest on: what comes into the log meanwhile is not in the way. */
async function* piecesOf(
  ctx: Context,
  { format, isMasked, ...filter }: StoredWish,
  now: number,
  counted: (entries: number) => number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(headOf(format))
  const list = exportedLog(searchOf(now, { ...filter, until: filter.until ?? now }))
  let after: Position | undefined
  do {
    const page = { limit: EVENTS_PER_STEP, after }
    const found = await readOrStop(ctx, ...pageFinders(list, page))
    const { rows, next }: Page<LogEntryRow> = await readOn(ctx, list, page, found)
    if (counted(rows.length) > MOST_ENTRIES) {
      throw auditLogErrors.exportTooLarge()
    }
    for (const row of rows) {
      yield encoder.encode(
        lineOf(presentExported(row.isLong ? await wholeOf(ctx, row) : row, isMasked), format),
      )
    }
    after = next ?? undefined
  } while (after)
}

async function wholeOf(ctx: Context, row: LogEntryRow): Promise<LogEntryRow> {
  const entry = logEntry(row.id)
  return (await readEntryOn(ctx, entry, await read(ctx, ...entryFinders(entry)))) ?? row
}
