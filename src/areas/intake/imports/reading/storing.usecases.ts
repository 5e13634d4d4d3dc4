import type { Question } from '../../../../domain/bank-files/format.ts'
import type { FileWarning } from '../../../../domain/bank-files/source.ts'
import { addCounts, noRows } from '../../../../domain/imports/counts.ts'
import { storePieces } from '../../../../platform/files/bucket.ts'
import * as database from '../../../../platform/database/database.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { importErrors } from '../imports.errors.ts'
import {
  dropReading,
  insertChunk,
  type StoredImport,
  type StoredStatement,
} from '../imports.queries.ts'
import { type ForeignAccount, IMPORT_KEPT_MS } from '../imports.rules.ts'
import { notesOn } from '../rows/rows.usecases.ts'
import { countOfDecided, insertStatements } from '../rows/rows.queries.ts'
import { ReadingPass, type ReadingResult, type ReadWishes } from './reading.usecases.ts'
import { statementsFrom } from './statements.usecases.ts'
import type { SourceFile, Surveyed } from './survey.usecases.ts'
import { dropping } from './outcomes.rules.ts'

/** The changes that a reading makes to an import. */
export interface Result {
  changed: Partial<StoredImport>
  statements: Statement[]
  /** The statements of banks in the file. */
  statementRows: StoredStatement[]
  /** The object that it stored, if any. */
  rowsKey: string | undefined
}

/** More than the rows of a file of the largest size become. */
const MOST_BYTES_OF_ROWS = 1024 ** 3

const json = (value: unknown) => JSON.stringify(value)

const known = ({ mapping, shape, profileId }: Surveyed, accounts: ForeignAccount[]) => ({
  mapping: json(mapping),
  accounts: json(accounts),
  shape: json(shape),
  profileId,
})

/** Reads the rows of a file that was looked at, unless something has to be answered first. */
export async function readRows(
  ctx: SignedIn,
  { id, ownerId, analysedAt }: Pick<StoredImport, 'id' | 'ownerId' | 'analysedAt'>,
  { file, surveyed, key }: { file: SourceFile; surveyed: Surveyed; key: string },
  wishes: ReadWishes,
): Promise<Result> {
  requireReached(ctx, surveyed, wishes)
  const shared = {
    error: null,
    analysedAt: ctx.now,
    expiresAt: ctx.now + IMPORT_KEPT_MS,
    step: null,
  }
  const { questions } = surveyed
  if (questions.length > 0) {
    const dropped = analysedAt === null ? [] : await droppedBy(ctx, id)
    return {
      changed: {
        ...{ ...shared, ...known(surveyed, surveyed.accounts), state: 'questions' },
        ...{
          questions: json(questions satisfies Question[]),
          warnings: json([...surveyed.warnings, ...dropped]),
          untrusted: '[]',
        },
        ...{ counts: json(noRows()), vanished: '[]', rowsDone: 0, rowsTotal: 0, nextChunk: 0 },
      },
      statements: dropReading({ id, ownerId }),
      statementRows: [],
      rowsKey: undefined,
    }
  }
  const pass = new ReadingPass(ctx, file, surveyed, wishes)
  await storePieces(ctx, key, pass.lines(), {
    maxBytes: MOST_BYTES_OF_ROWS,
    storageClass: 'Standard',
  })
  const read = await pass.end()
  const { chunks, comparison } = read
  const counts = chunks.map((chunk) => chunk.counts).reduce(addCounts, noRows())
  const accounts = surveyed.accounts.map((one) => ({
    ...one,
    rows: read.rowsByAccount.get(one.key) ?? 0,
  }))
  const notes = await notesOn(id, comparison.decisions)
  const statementRows = statementsFrom(read.checks, comparison.matched, {
    importId: id,
    ownerId,
    now: ctx.now,
  })
  return {
    changed: {
      ...{ ...shared, ...known(surveyed, accounts), state: 'previewed', questions: '[]' },
      ...{
        warnings: json([...surveyed.warnings, ...warningsOf(read)]),
        untrusted: json(comparison.reused),
      },
      ...{ counts: json(counts), backwards: read.backwards, nextChunk: 0 },
      ...{ vanished: json(comparison.vanished), rowsDone: 0, rowsTotal: counts.rows },
    },
    statements: [
      ...dropReading({ id, ownerId }),
      ...chunks.map((chunk) =>
        insertChunk({
          ...{ ...chunk, importId: id, objectKey: key, counts: json(chunk.counts) },
          leftOut: chunk.leftOut && json(chunk.leftOut),
        }),
      ),
      ...notes,
      ...insertStatements(statementRows),
    ],
    statementRows,
    rowsKey: key,
  }
}

/** A token for some accounts could not see what it imports where the file names another one. */
function requireReached(
  { caller: { token, tokenHash } }: SignedIn,
  { accounts }: Surveyed,
  { views }: ReadWishes,
): void {
  // A task has a token only if that is restricted.
  const isRestricted = token === undefined ? tokenHash !== null : token.accountIds !== null
  const isReached = (id: string | null) => views.some(({ account }) => account.id === id)
  if (isRestricted && !accounts.every(({ accountId }) => isReached(accountId))) {
    throw importErrors.accountsUnreached()
  }
}

/** Tells of decisions on rows of the reading before, which this one takes the place of. */
async function droppedBy(ctx: SignedIn, id: string): Promise<FileWarning[]> {
  const [[decided]] = await database.read(ctx, countOfDecided(id))
  return dropping(decided?.rows)
}

const warningsOf = ({ warnings, comparison: { reused } }: ReadingResult) => [
  ...warnings,
  ...reused.map((one) => ({ code: 'bankIdsReused', ...one })),
]
