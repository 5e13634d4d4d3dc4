import { deleteFiles, type Range } from '../../../platform/files/bucket.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { download } from '../../../platform/files/downloads.ts'
import { forAllRows } from '../../../platform/work/each-row.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import { VERDICTS } from '../../../domain/imports/verdicts.ts'
import { visibleAccounts } from '../../money/accounts/accounts.public.ts'
import { namedRules } from '../../money/rules/rules.public.ts'
import { importErrors } from './imports.errors.ts'
import { importEvents } from './imports.events.ts'
import {
  chunksOf,
  countOfImports,
  deleteImportRow,
  expireRows,
  importById,
  type ImportFilter,
  type ImportRow,
  type ImportToExpire,
  importsToExpire,
  keysOf,
  pageOfImports,
  type ShownStatement,
  statementsShown,
  type StoredChunk,
  type StoredNote,
  namesOfKept,
} from './imports.queries.ts'
import { rowIdOf, countsFrom } from './imports.rules.ts'
import { settledRow } from './rows/pieces.rules.ts'
import { readPiece } from './rows/rows.usecases.ts'
import { knownRules } from './rows/ruled.usecases.ts'
import { type AccountOutcome, type LeftOut, outcomeFrom } from './booking/outcomes.rules.ts'
import { categoriesOfOwners } from './booking/booking.queries.ts'

export async function listImports(
  ctx: SignedIn,
  filter: ImportFilter,
  page: PageRequest,
): Promise<Page<ImportRow>> {
  const [found, [total]] = await read(
    ctx,
    pageOfImports(ctx, filter, page),
    countOfImports(ctx, filter),
  )
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export interface ImportView {
  row: ImportRow
  statements: ShownStatement[]
}

export async function getImport(ctx: SignedIn, id: string): Promise<ImportView> {
  const [[row], statements] = await read(ctx, importById(ctx, id), statementsShown(ctx, id))
  if (!row) {
    throw importErrors.notFound()
  }
  return { row, statements }
}

/** A file to download. */
export interface ImportFile {
  id: string
  fileName: string
  contentType: string
  size: number
  sha256: string
  objectKey: string
  version: number
}

export async function findImportFile(ctx: SignedIn, id: string): Promise<ImportFile> {
  const { row } = await getImport(ctx, id)
  const { fileName, size, sha256, objectKey, version } = row
  if (objectKey === null) {
    throw importErrors.fileGone()
  }
  // The content type is the same for all bytes, so that no browser runs or opens them.
  return { id, fileName, contentType: 'application/octet-stream', size, sha256, objectKey, version }
}

export async function openImportFile(
  ctx: SignedIn,
  { id, objectKey, size }: ImportFile,
  range: Range,
): Promise<ReadableStream<Uint8Array>> {
  const body = await download(ctx, { kind: 'import', id, objectKey, size }, range)
  if (!body) {
    throw importErrors.fileGone()
  }
  return body
}

const AT_WORK = ['queued', 'running']

/** Deletes file and rows. What was booked stays, and is known. */
export async function deleteImport(ctx: SignedIn, id: string): Promise<void> {
  const [[row], chunks] = await read(ctx, importById(ctx, id), chunksOf(id))
  if (!row) {
    throw importErrors.notFound()
  }
  requireVersion(ctx, row.version)
  if (AT_WORK.includes(row.task ?? '') && ['committing', 'reverting'].includes(row.state)) {
    throw importErrors.underWay()
  }
  await commit(ctx, {
    changes: [{ statements: deleteImportRow(row), events: [importEvents.deleted({ id })] }],
    result: undefined,
  })
  await deleteFiles(ctx, [
    ...(row.objectKey === null ? [] : [row.objectKey]),
    ...new Set(chunks.map(({ objectKey }) => objectKey)),
  ])
}

/** Imports of one commit. */
const AT_ONCE = 50
/** Steps of one run, so that it ends well within its lease; the next night goes on. */
const MOST_STEPS = 100

/** Erases the files and rows of imports whose time is over; what they booked stays known. Objects go before their rows. */
export async function expireImports(ctx: Context, finish: Statement[]): Promise<void> {
  let after: string | undefined = ''
  for (let step = 0; after !== undefined && step < MOST_STEPS; step++) {
    const [due]: [ImportToExpire[]] = await readOrStop(
      ctx,
      importsToExpire(ctx.now, after, AT_ONCE),
    )
    await forAllRows(ctx, { work: 'imports.expire', rows: due }, (some) => expire(ctx, some))
    after = due.length < AT_ONCE ? undefined : due.at(-1)?.id
  }
  await commit(ctx, { changes: [withoutEvents(finish)], result: undefined })
}

async function expire(ctx: Context, some: readonly ImportToExpire[]): Promise<void> {
  const ids = some.map(({ id }) => id)
  const [keys] = await read(ctx, keysOf(ids))
  await deleteFiles(
    ctx,
    keys.map(({ key }) => key),
  )
  await commit(ctx, {
    changes: [
      {
        statements: expireRows(ctx, ids),
        events: some.map(({ id, ownerId }) => importEvents.expired({ id, ownerId })),
      },
    ],
    result: undefined,
  })
}

/** A row of a file that was not booked. */
export interface UnbookedRow {
  /** The id of the row. */
  id: string
  accountId: string | null
  /** Null where the file does not say it. */
  date: string | null
  minor: number
  text: string
}

const NOT_BOOKED: ReadonlySet<string> = new Set(['error', 'ignored', 'skipped'])

/** The rows of pieces that were not booked, but for those whose amount the file does not say. */
export async function unbookedRows(
  ctx: SignedIn,
  pieces: StoredChunk[],
  notes: StoredNote[],
): Promise<UnbookedRow[]> {
  const found = await Promise.all(
    pieces.map(async (piece) => {
      const byRow = new Map(
        notes.filter(({ importId }) => importId === piece.importId).map((note) => [note.row, note]),
      )
      return (await readPiece(ctx, piece))
        .map((one) => settledRow(one, byRow.get(one.row.at + 1)))
        .filter(({ verdict }) => NOT_BOOKED.has(verdict))
        .flatMap(({ read: { row } }): UnbookedRow[] =>
          row.minor === undefined
            ? []
            : [
                {
                  id: rowIdOf(piece.importId, row.at + 1),
                  accountId: row.accountId ?? null,
                  date: row.date ?? null,
                  minor: row.minor,
                  text: row.source.description ?? row.source.payeeRaw ?? '',
                },
              ],
        )
    }),
  )
  return found.flat()
}

/** The report on the rows of a file. It does not need the rows, so it exists as long as the import does. */
export interface ImportReport extends ImportView {
  accounts: (AccountOutcome & { accountId: string })[]
  leftOut: LeftOut[]
  /** The caller's rules that changed rows, in their order, with how many. */
  rules: { id: string; name: string; rows: number }[]
  /** The names of accounts, categories and kept transactions that the caller sees, by their ids. */
  names: ReadonlyMap<string, string>
}

const NOT_BOOKED_VERDICTS = VERDICTS.filter(
  (verdict) => !['new', 'matched', 'updated', 'transfer'].includes(verdict),
)

/** Tells what was booked, matched and left out, and why. Before a commit it tells what would be left out. */
export async function getImportReport(ctx: SignedIn, id: string): Promise<ImportReport> {
  const [[row], statements, views, categories, kept, named] = await read(
    ctx,
    importById(ctx, id),
    statementsShown(ctx, id),
    visibleAccounts(ctx),
    categoriesOfOwners(ctx),
    namesOfKept(ctx, id),
    namedRules(ctx),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  const { accounts, leftOut, rules } = outcomeFrom(row.outcome)
  const counts = countsFrom(row.counts)
  const isBegun = leftOut.length > 0 || Object.keys(accounts).length > 0
  return {
    ...{ row, statements },
    accounts: Object.entries(accounts).map(([accountId, one]) => ({ accountId, ...one })),
    leftOut: isBegun
      ? leftOut
      : NOT_BOOKED_VERDICTS.filter((verdict) => counts[verdict] > 0).map((verdict) => ({
          ...{ verdict, reason: null, rows: counts[verdict], lines: [] },
        })),
    rules: [...knownRules(ctx, named)].flatMap(([ruleId, name]) => {
      const changed = rules[ruleId]
      return changed === undefined ? [] : [{ id: ruleId, name, rows: changed }]
    }),
    names: new Map(
      [...views.map(({ account }) => account), ...categories, ...kept].flatMap((one) =>
        one.name === null ? [] : [[one.id, one.name]],
      ),
    ),
  }
}
