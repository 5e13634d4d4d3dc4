import { ARCHIVE_KEPT_MS } from '../../../../domain/archives.ts'
import { dateInZone } from '../../../../domain/calendar.ts'
import type { Range } from '../../../../platform/files/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { checkAccess, commit, read } from '../../../../platform/database/database.ts'
import { download } from '../../../../platform/files/downloads.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../../operations/queue-tasks/queue-tasks.public.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { isMaskedFor, requireAllAccounts } from '../audit-log.usecases.ts'
import { exportEvents } from '../audit-log.events.ts'
import {
  exportById,
  type ExportRow,
  insertExport,
  type StoredWish,
  type LogExportRequest,
} from './exports.queries.ts'

export const MAKE_EXPORT = 'auditLog.export'

export interface RequestedLogExport {
  id: string
  job: TaskRow
}

/** Has a file made of what a search of the log finds. */
export async function exportAuditLog(
  ctx: SignedIn,
  wanted: LogExportRequest,
): Promise<RequestedLogExport> {
  await checkAccess(ctx)
  requireAllAccounts(ctx)
  const id = freshId(ctx, 'exp')
  const wish: StoredWish = { ...wanted, isMasked: isMaskedFor(ctx) }
  const { task, job } = newJob(ctx, {
    kind: MAKE_EXPORT,
    payload: { exportId: id },
    summary: id,
    cancellable: true,
  })
  return commit(ctx, {
    changes: [
      {
        statements: insertExport({
          id,
          ownerId: ctx.caller.userId,
          taskId: job.id,
          filter: JSON.stringify(wish),
          // Also of what never gets ready: something may be left of it.
          expiresAt: ctx.now + ARCHIVE_KEPT_MS,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        }),
        events: [exportEvents.exportRequested({ id, version: 1 }, { after: wish })],
      },
    ],
    tasks: [task],
    result: { id, job },
  })
}

export async function getAuditLogExport(ctx: SignedIn, id: string): Promise<ExportRow> {
  const [[found]] = await read(ctx, exportById(ctx, id))
  requireAllAccounts(ctx)
  if (!found) {
    throw auditLogErrors.unknownExport()
  }
  return found
}

/** An export to download. */
export interface ExportFile {
  id: string
  fileName: string
  contentType: string
  size: number
  sha256: string
  objectKey: string
}

const CONTENT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' }

export async function findLogExportFile(ctx: SignedIn, id: string): Promise<ExportFile> {
  const { stored, task, filter, objectKey, size, sha256, createdAt } = await getAuditLogExport(
    ctx,
    id,
  )
  const { format, isMasked } = JSON.parse(filter ?? '{}') as Partial<StoredWish>
  if (stored === 'queued' && (task === 'queued' || task === 'running')) {
    throw auditLogErrors.exportNotReady()
  }
  if (!format || stored !== 'ready' || objectKey === null || size === null || sha256 === null) {
    throw auditLogErrors.exportNotKept()
  }
  if (isMasked !== true && isMaskedFor(ctx)) {
    throw auditLogErrors.exportNotMasked()
  }
  const fileName = `coffer-audit-log-${dateInZone(createdAt, 'UTC')}.${format}`
  return { id, objectKey, size, sha256, fileName, contentType: CONTENT_TYPES[format] }
}

export async function openExport(
  ctx: SignedIn,
  { id, objectKey, size }: ExportFile,
  range: Range,
): Promise<ReadableStream<Uint8Array>> {
  const body = await download(ctx, { kind: 'auditLog', id, objectKey, size }, range)
  if (!body) {
    throw auditLogErrors.exportNotKept()
  }
  return body
}
