import { checkCondition } from '../../../domain/conditions/check.ts'
import { checkAll } from '../../../domain/errors.ts'
import type { Range } from '../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { owns } from '../../identity/access/access.public.ts'
import { type AccountView, visibleAccounts } from '../../money/accounts/accounts.public.ts'
import { newJob } from '../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../operations/queue-tasks/queue-tasks.public.ts'
import {
  archiveFile,
  type ArchiveFile,
  deleteArchive,
  type KeptKind,
  openArchiveFile,
} from '../backups/backups.public.ts'
import { exportErrors } from './exports.errors.ts'
import { userExportEvents } from './exports.events.ts'
import {
  countOfExports,
  dataExportById,
  type DataExportRow,
  type ExportRequest,
  insertDataExport,
  pageOfExports,
  queuedExport,
  type StoredExport,
} from './exports.queries.ts'
import { type ExportManifest, FORMAT_FACTS, OPTIONS, WHOLE_SCOPE } from './exports.rules.ts'

export const MAKE_DATA_EXPORT = 'export.make'

export interface RequestedExport {
  id: string
  job: TaskRow
}

/** Has a file made of some of what the caller sees. */
export async function createExport(ctx: SignedIn, wanted: ExportRequest): Promise<RequestedExport> {
  const [views] = await read(ctx, visibleAccounts(ctx))
  const found = requireExportable(ctx, wanted, views)
  const restrictedTo = ctx.caller.token?.accountIds ?? null
  if (restrictedTo && wanted.scope.what.includes('budgets')) {
    throw exportErrors.tokenIsRestricted()
  }
  const stored: StoredExport = { ...wanted, accountIds: found, restrictedTo }
  const id = freshId(ctx, 'exp')
  const { task, job } = newJob(ctx, {
    kind: MAKE_DATA_EXPORT,
    payload: { exportId: id },
    summary: id,
    cancellable: true,
  })
  const made = { id, ownerId: ctx.caller.userId, taskId: job.id, scheduleId: null }
  return commit(ctx, {
    changes: [
      {
        statements: insertDataExport(queuedExport(ctx, made, stored)),
        events: [userExportEvents.requested({ id, version: 1 }, { after: stored })],
      },
    ],
    tasks: [task],
    result: { id, job },
  })
}

/**
 * The accounts that an export covers, in the order of their ids.
 * @throws AppError where the format cannot contain what is requested, or where an account is not there
 */
export function requireExportable(
  { caller }: SignedIn,
  wanted: ExportRequest,
  views: AccountView[],
): string[] {
  requireInFormat(wanted)
  const { accountId, shared, condition } = wanted.scope
  if (condition !== undefined) {
    checkCondition(condition, { field: 'scope.condition' })
  }
  const own = views.filter(({ account }) => owns(caller, account))
  const found = (shared ? views : own).map(({ account }) => account.id).toSorted()
  if (accountId?.some((id) => !found.includes(id))) {
    throw exportErrors.unknownAccount({ field: 'scope.accountId' })
  }
  return accountId ? [...new Set(accountId)].toSorted() : found
}

function requireInFormat({ format, options, scope }: ExportRequest): void {
  const facts = FORMAT_FACTS[format]
  checkAll(
    ...scope.what.map((one, at) => () => {
      if (!facts.what.includes(one)) {
        throw exportErrors.notInFormat(
          { format, what: facts.what.join(', ') },
          { field: `scope.what.${at}` },
        )
      }
    }),
    ...OPTIONS.map((option) => () => {
      if (options[option] !== undefined && !facts.options.includes(option)) {
        throw exportErrors.notAnOption({ format }, { field: `options.${option}` })
      }
    }),
    () => {
      const fields = options.assertions ? partialIn(scope) : []
      if (fields.length > 0) {
        throw exportErrors.assertionsOfSome(
          { fields: fields.map((field) => `\`${field}\``).join(', ') },
          { field: 'options.assertions' },
        )
      }
    },
  )
}

/** The fields of a scope that leave some transactions of its accounts out. */
const partialIn = (scope: ExportRequest['scope']): string[] => [
  ...Object.entries(scope).flatMap(([field, value]) =>
    value === undefined || WHOLE_SCOPE.includes(field) ? [] : [field],
  ),
  ...(scope.what.includes('transactions') ? [] : ['what']),
]

export async function listExports(ctx: SignedIn, page: PageRequest): Promise<Page<DataExportRow>> {
  const [found, [total]] = await read(ctx, pageOfExports(ctx, page), countOfExports(ctx))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getExport(ctx: SignedIn, id: string): Promise<DataExportRow> {
  const [[found]] = await read(ctx, dataExportById(ctx, id))
  if (!found) {
    throw exportErrors.notFound()
  }
  return found
}

const KEPT: KeptKind = {
  kind: 'export',
  notReady: exportErrors.notReady,
  notKept: exportErrors.notKept,
  deleted: userExportEvents.deleted,
}

export async function findExportFile(ctx: SignedIn, id: string): Promise<ArchiveFile> {
  const row = await getExport(ctx, id)
  const { format } = JSON.parse(row.filter ?? '{}') as StoredExport
  const { isArchive } = JSON.parse(row.manifest ?? '{}') as Partial<ExportManifest>
  const zipped = { extension: 'zip', contentType: 'application/zip' }
  return archiveFile(KEPT, row, isArchive ? zipped : FORMAT_FACTS[format])
}

export const openExportFile = (
  ctx: SignedIn,
  file: ArchiveFile,
  range: Range,
): Promise<ReadableStream<Uint8Array>> => openArchiveFile(ctx, KEPT, file, range)

export const deleteExport = async (ctx: SignedIn, id: string): Promise<void> =>
  deleteArchive(ctx, KEPT, await getExport(ctx, id))
