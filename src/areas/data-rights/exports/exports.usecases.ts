import { checkCondition } from '../../../domain/conditions/check.ts'
import { checkAll } from '../../../domain/errors.ts'
import { type Range, storePieces } from '../../../platform/files/bucket.ts'
import { freshId, type SignedIn, type Context } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { type Member, zip } from '../../../platform/files/zip.ts'
import { owns } from '../../identity/access/access.public.ts'
import { conditionOfLine } from '../../../ledger/search/search.public.ts'
import { type AccountView, visibleAccounts } from '../../money/accounts/accounts.public.ts'
import { newJob } from '../../operations/jobs/jobs.public.ts'
import type { TaskRow } from '../../operations/queue-tasks/queue-tasks.public.ts'
import { insertNotifications } from '../../identity/notifications/notifications.public.ts'
import {
  archiveFile,
  type ArchiveFile,
  deleteArchive,
  type KeptKind,
  openArchiveFile,
  inOneState,
  keepScheduledExports,
  makeArchive,
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
import {
  type ExportManifest,
  FORMAT_FACTS,
  OPTIONS,
  WHOLE_SCOPE,
  MOST_EXPORT_BYTES,
} from './exports.rules.ts'
import { openExportSource, ownersOf, type Source } from './source.usecases.ts'
import { filesOf, type Written } from './writers.usecases.ts'

export const MAKE_DATA_EXPORT = 'export.make'

export interface RequestedExport {
  id: string
  job: TaskRow
}

/** Has a file made of some of what the caller sees. */
export async function createExport(ctx: SignedIn, wanted: ExportRequest): Promise<RequestedExport> {
  await requireLine(ctx, wanted.scope)
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

/** Checks the line of text of a scope, which is read again when the export is made. */
export async function requireLine(ctx: SignedIn, { q }: ExportRequest['scope']): Promise<void> {
  if (q !== undefined) {
    await conditionOfLine(ctx, q, { field: 'scope.q' })
  }
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

/** Makes the file of an export. */
export const makeDataExport = (ctx: Context, id: string, finish: Statement[]): Promise<void> =>
  makeArchive<ExportManifest>(ctx, id, finish, {
    kind: 'export',
    notFound: exportErrors.notFound,
    begun: userExportEvents.begun,
    made: (thing, { counts }) => userExportEvents.made(thing, { counts }),
    follow: (ctx, thing, scheduleId) => [
      keepScheduledExports(thing.ownerId, ctx.now),
      ...(scheduleId === null ? [] : [tellOf(ctx, thing, scheduleId)]),
    ],
    store: storeExport,
  })

/** Nobody waits for what a schedule had made, so its owner is notified. */
const tellOf = (
  ctx: Context,
  { id, ownerId }: { id: string; ownerId: string },
  scheduleId: string,
): Statement =>
  insertNotifications([
    {
      ...{ id: freshId(ctx, 'ntf'), userId: ownerId, kind: 'export.made' },
      ...{ resourceType: 'export', resourceId: id, facts: { scheduleId } },
      ...{ groupKey: `export.made ${scheduleId}`, createdAt: ctx.now },
    },
  ])

async function storeExport(owner: SignedIn, key: string, filter: string | null) {
  const wish = JSON.parse(filter ?? '{}') as StoredExport
  const { views } = await openExportSource(owner, wish)
  return inOneState(owner, ownersOf({ owner, views }), async (pass) => {
    const source = await openExportSource(owner, wish)
    const files = filesOf(source)
    const [only] = files
    const manifest: ExportManifest = {
      changedMeanwhile: false,
      counts: source.counts,
      isArchive: files.length > 1,
    }
    const ended = async () => {
      manifest.changedMeanwhile = await pass.end()
    }
    const bytes =
      only && files.length === 1
        ? bytesOf(source, only, ended)
        : zip(membersOf(source, files, ended), STAMP, () => undefined)
    const storing = { maxBytes: MOST_EXPORT_BYTES, storageClass: 'Standard' as const }
    return { ...(await storePieces(owner, key, bytes, storing)), manifest }
  })
}

/**
 * The time stamp of the members of an archive. It is constant, so that equal data make equal archives: the first day
 * that ZIP knows.
 */
const STAMP = Date.UTC(1980, 0, 1)

async function* membersOf(
  source: Source,
  files: Written[],
  ended: () => Promise<void>,
): AsyncGenerator<Member> {
  for (const [at, file] of files.entries()) {
    const isLast = at === files.length - 1
    yield { name: file.name, body: bytesOf(source, file, isLast ? ended : async () => undefined) }
  }
}

/** The number of characters that are encoded at a time. */
const CHARACTERS_AT_ONCE = 64 * 1024

async function* bytesOf(
  source: Source,
  { text }: Written,
  ended: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ''
  for await (const piece of text(source)) {
    waiting += piece
    if (waiting.length >= CHARACTERS_AT_ONCE) {
      yield encoder.encode(waiting)
      waiting = ''
    }
  }
  yield encoder.encode(waiting)
  await ended()
}
