import { dateInZone } from '../../../../domain/calendar.ts'
import { noRows } from '../../../../domain/imports/counts.ts'
import { AppError } from '../../../../domain/errors.ts'
import { rankOf } from '../../../../domain/sharing.ts'
import { deleteFiles } from '../../../../platform/files/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { isCertain, rightNeeded } from '../../../../platform/database/refusals.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import {
  attachmentById,
  type AttachmentRow,
} from '../../../files/attachments/attachments.public.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { newJob } from '../../../operations/jobs/jobs.public.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  importById,
  insertImport,
  openImports,
  type StoredImport,
  updateImport,
} from '../imports.queries.ts'
import type { ImportView } from '../imports.usecases.ts'
import { IMPORT_KEPT_MS, type Mapping, MOST_OPEN_IMPORTS, READ_AT_ONCE } from '../imports.rules.ts'
import { type Result, readRows } from '../reading/storing.usecases.ts'
import { TooManyForNow } from '../reading/reading.usecases.ts'
import { surveyFile } from '../reading/answers.usecases.ts'
import {
  fileIn,
  type StoredSource,
  storeSource,
  type SourceUpload,
  uploadFrom,
  makingIn,
  type Surroundings,
  surroundings,
  surroundingsFrom,
} from './sources.usecases.ts'
import { hasTooManyLines, chosenFor, requireReadableImport } from './bytes.rules.ts'

export const READ_IMPORT = 'imports.read'

interface UploadInput {
  fileName?: string | undefined
  attachmentId?: string | undefined
  accountId?: string | undefined
  profileId?: string | undefined
  again?: boolean | undefined
}

/** Stores a file, and reads it at once where it is small. */
export async function createImport(
  ctx: SignedIn,
  upload: SourceUpload,
  uploadInput: UploadInput,
): Promise<ImportView> {
  const { repeatable } = ctx
  delete ctx.repeatable
  const { attachmentId } = uploadInput
  const [open, [attached], ...found] = await read(
    ctx,
    openImports(ctx),
    attachmentId === undefined ? nothing<AttachmentRow>() : attachmentById(ctx, attachmentId),
    ...surroundings(ctx),
  )
  const around = surroundingsFrom(...found)
  const { views, profiles } = around
  requireAccount(views, uploadInput.accountId)
  if (uploadInput.accountId === undefined && ctx.caller.token?.accountIds) {
    throw importErrors.accountNeeded({ field: 'accountId' })
  }
  if (
    uploadInput.profileId !== undefined &&
    !profiles.some(({ id }) => id === uploadInput.profileId)
  ) {
    throw importErrors.unknownProfile({ field: 'profileId' })
  }
  // A repeated request may itself have used the room before, so its limit is checked later.
  if (!repeatable && open.length >= MOST_OPEN_IMPORTS) {
    throw importErrors.tooMany()
  }
  const id = freshId(ctx, 'imp')
  const objectKey = `imports/${id}/source`
  const source = await uploadFrom(ctx, upload, attachmentId, attached)
  const stored = await storeSource(ctx, objectKey, source)
  if (repeatable) {
    ctx.repeatable = { ...repeatable, body: `${repeatable.body}\n${stored.sha256}` }
  }
  const keys = [objectKey]
  try {
    const { accountId = '', again = false, profileId = null } = uploadInput
    const fileName = uploadInput.fileName ?? attached?.fileName ?? ''
    const same = open.find((one) => one.sha256 === stored.sha256 && one.accountId === accountId)
    if (same && !again && !repeatable) {
      throw sameFile(same.id)
    }
    const begun = newImport(ctx, {
      ...{ id, objectKey, fileName, accountId, again, profileId },
      ...{ size: stored.size, sha256: stored.sha256 },
    })
    const rowsKey = `imports/${id}/rows.1`
    keys.push(rowsKey)
    const result = await readAtOnce(ctx, begun, stored, around, rowsKey)
    return await record(ctx, begun, result).catch((error: unknown) => firstOf(ctx, begun, error))
  } catch (error) {
    await (isCertain(error) ? deleteFiles(ctx, keys) : undefined)
    throw error
  }
}

export function requireAccount(views: AccountView[], accountId: string | undefined): void {
  if (accountId === undefined) {
    return
  }
  const view = views.find(({ account }) => account.id === accountId)
  if (!view) {
    throw importErrors.accountNotFound({ field: 'accountId' })
  }
  if (view.seen.rank < rankOf('write')) {
    throw rightNeeded('write')()
  }
  if (view.account.status !== 'open') {
    throw importErrors.accountClosed({ accountId }, { field: 'accountId' })
  }
}

type NewImport = Pick<
  StoredImport,
  ('id' | 'objectKey' | 'fileName' | 'size') | ('sha256' | 'accountId' | 'again' | 'profileId')
>

const newImport = (ctx: SignedIn, uploadInput: NewImport): StoredImport => ({
  ...uploadInput,
  ownerId: ctx.caller.userId,
  state: 'uploaded',
  taskId: null,
  chosen: '{}',
  mapping: '{}',
  questions: '[]',
  warnings: '[]',
  counts: JSON.stringify(noRows()),
  accounts: '[]',
  shape: '[]',
  error: null,
  untrusted: '[]',
  vanished: '[]',
  options: '{}',
  outcome: '{}',
  made: '{}',
  reverted: null,
  step: null,
  rowsDone: 0,
  rowsTotal: 0,
  nextChunk: 0,
  backwards: false,
  analysedAt: null,
  expiresAt: ctx.now + IMPORT_KEPT_MS,
  version: 1,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

/** Reads a small file. Undefined where it is left to a task. */
export async function readAtOnce(
  ctx: SignedIn,
  row: StoredImport,
  { whole, encoding, head }: StoredSource,
  { views, profiles, untrusted, hasPayees, habits }: Surroundings,
  key: string,
): Promise<Result | undefined> {
  if (!whole || hasTooManyLines(whole, head, row)) {
    return undefined
  }
  const file = await fileIn(whole, { encoding, head })
  if (!file) {
    return undefined
  }
  const making = makingIn(ctx)
  const surveyed = await surveyFile(file, {
    chosen: JSON.parse(row.chosen) as Mapping,
    ...{ accountId: row.accountId, views, profiles, profileId: row.profileId, habits },
    ...making,
    today: dateInZone(row.createdAt, 'UTC'),
  })
  try {
    return await readRows(
      ctx,
      row,
      { file, surveyed, key },
      {
        views,
        untrusted,
        hasPayees,
        importId: row.id,
        mostRows: READ_AT_ONCE.rows,
        busy: making.busy,
        tell: () => Promise.resolve(),
      },
    )
  } catch (error) {
    if (error instanceof TooManyForNow) {
      return undefined
    }
    throw error
  }
}

/** A token for some accounts, by which the task of its request sees these alone. */
export const restrictionOf = ({ caller: { token, tokenHash } }: SignedIn) =>
  tokenHash !== null && token?.accountIds ? { tokenHash } : {}

/** The task that reads a file, and the columns that say so. */
export function readingTask(ctx: SignedIn, importId: string) {
  const { task, job } = newJob(ctx, {
    kind: READ_IMPORT,
    payload: { importId, ...restrictionOf(ctx) },
    summary: importId,
  })
  return {
    task,
    changed: { state: 'uploaded' as const, taskId: job.id, step: 'reading' as const, error: null },
  }
}

async function record(
  ctx: SignedIn,
  begun: StoredImport,
  result: Result | undefined,
): Promise<ImportView> {
  const later = result ? undefined : readingTask(ctx, begun.id)
  const row: StoredImport = { ...begun, ...result?.changed, ...later?.changed }
  const { id, version, fileName, size, sha256 } = row
  return commit(ctx, {
    changes: [
      {
        statements: [...insertImport(row), ...(result?.statements ?? [])],
        events: [importEvents.uploaded({ id, version }, { after: { fileName, size, sha256 } })],
      },
    ],
    tasks: later ? [later.task] : [],
    result: {
      row: { ...row, task: later ? ('queued' as const) : null },
      statements: result?.statementRows ?? [],
    },
    conflicts: { 'imports.sha256': importErrors.sameMoment },
  })
}

/** Names the import of the same file that another request began at the same moment. */
async function firstOf(ctx: SignedIn, begun: StoredImport, error: unknown): Promise<never> {
  if (error instanceof AppError && error.code === 'imports.sameMoment') {
    const [open] = await read(ctx, openImports(ctx))
    const same = open.find(
      (one) => one.sha256 === begun.sha256 && one.accountId === begun.accountId,
    )
    throw same ? sameFile(same.id) : error
  }
  throw error
}

const sameFile = (importId: string) =>
  importErrors.sameFile({ importId }, { location: `/import/${importId}` })

/** Puts another file in the place of the one of an import that is still open. */
export async function replaceImportFile(
  ctx: SignedIn,
  id: string,
  upload: SourceUpload,
  { fileName }: { fileName?: string | undefined },
): Promise<ImportView> {
  const [[row], ...found] = await read(ctx, importById(ctx, id), ...surroundings(ctx))
  if (!row) {
    throw importErrors.notFound()
  }
  requireVersion(ctx, row.version)
  requireReadableImport(row)
  const objectKey = `imports/${id}/source.${row.version + 1}`
  const stored = await storeSource(ctx, objectKey, upload)
  const rowsKey = `imports/${id}/rows.${row.version + 1}`
  const { size, sha256 } = stored
  const chosen = chosenFor(row, stored.head)
  const replaced = { ...row, chosen, objectKey, size, sha256, fileName: fileName ?? row.fileName }
  try {
    const result = await readAtOnce(ctx, replaced, stored, surroundingsFrom(...found), rowsKey)
    const later = result ? undefined : readingTask(ctx, id)
    const changed = {
      ...{ chosen, objectKey, size, sha256, fileName: replaced.fileName },
      ...result?.changed,
      ...later?.changed,
    }
    await commit(ctx, {
      changes: [
        {
          statements: [...updateImport(ctx, row, changed), ...(result?.statements ?? [])],
          events: [
            importEvents.uploaded(
              { id, version: row.version + 1 },
              { after: { fileName: replaced.fileName, size, sha256 } },
            ),
          ],
        },
      ],
      tasks: later ? [later.task] : [],
      result: undefined,
      conflicts: { 'imports.sha256': importErrors.sameMoment },
    })
    await deleteFiles(ctx, row.objectKey === null ? [] : [row.objectKey])
    return {
      row: {
        ...{ ...row, ...changed, version: row.version + 1, updatedAt: ctx.now },
        task: later ? 'queued' : null,
      },
      statements: result?.statementRows ?? [],
    }
  } catch (error) {
    await (isCertain(error) ? deleteFiles(ctx, [objectKey, rowsKey]) : undefined)
    throw error
  }
}
