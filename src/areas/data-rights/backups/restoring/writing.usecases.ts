import { isDecided, knownBy } from '../../../../platform/owned-data/archived-merging.ts'
import { rowToStore } from '../../../../platform/owned-data/archived-rows.ts'
import { storeLate, storeRows } from '../../../../platform/owned-data/archived-storing.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  tableNameOf,
  shapeOf,
} from '../../../../platform/owned-data/archived-tables.ts'
import { commit } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import { countAttemptsAnew, reportProgress } from '../../../../platform/work/task-rows.ts'
import { readOrStop } from '../../../../platform/work/tasks.ts'
import { openMember, type ZipMember } from '../../../../platform/files/unzip.ts'
import { backupErrors } from '../backups.errors.ts'
import { backupEvents } from '../backups.events.ts'
import { membersOf } from '../verifying/inspection.usecases.ts'
import { advance, keepReplaced } from './restoring.queries.ts'
import {
  COMMITS_PER_RUN,
  FILES_PER_PIECE,
  ROWS_PER_PIECE,
  TEXT_PER_PIECE,
} from './restoring.rules.ts'
import { insertRestoredRows, mustBeAbsent } from './merging.queries.ts'
import {
  goOn,
  mappedLines,
  mappingOf,
  type Run,
  type Step,
  stepsOf,
  restoreThing,
  untouched,
  withMerge,
} from './runs.usecases.ts'
import type { MappedLine } from './restoring.usecases.ts'

type Members = ReadonlyMap<string, ZipMember>

/** Stores the rows of an archive in pieces, each by one commit; each run a number of them. */
export async function write(stored: Run): Promise<void> {
  const run = await withMerge(stored)
  const members = await membersOf(run.read, run.row.size)
  const steps = stepsOf()
  let left = COMMITS_PER_RUN
  const row = { ...run.row }
  const here = { ...run, row }
  // A merge passes over rows that exist already.
  let reached = { nextStep: row.nextStep, nextLine: row.nextLine }
  for (const [at, step] of steps.entries()) {
    if (at < row.nextStep) {
      continue
    }
    const first = at === row.nextStep ? row.nextLine : 0
    for await (const piece of piecesOf(run, step, first, members)) {
      if (left <= 0) {
        return goOn(here, { state: 'writing', ...reached })
      }
      const place = { nextStep: at, nextLine: piece.end }
      const lines = await toStore(run, step, piece.lines)
      if (lines.length > 0) {
        await writePiece(here, step, lines, { ...place, of: steps.length }, members)
        Object.assign(row, place)
      }
      left -= lines.length > 0 ? 1 : PASSED_OVER
      reached = place
    }
  }
  return goOn(here, { state: 'comparing', ...reached })
}

/** The weight of a piece that is read and not stored. */
const PASSED_OVER = 0.2

/** Returns the lines to store: all, or the added ones of a merge. */
async function toStore(
  { merge }: Run,
  { table, isLate }: Step,
  lines: MappedLine[],
): Promise<MappedLine[]> {
  if (!merge) {
    return lines
  }
  return isLate
    ? lines.filter((line) => merge.isAdded(table, line))
    : await merge.additions(table, lines)
}

/** Lines of one commit. */
interface Piece {
  lines: MappedLine[]
  /** The number of lines of the table before the next piece. */
  end: number
}

async function* piecesOf(
  run: Run,
  { table, isLate }: Step,
  first: number,
  members: Members,
): AsyncGenerator<Piece> {
  const shape = shapeOf(table)
  const most = table.file ? FILES_PER_PIECE : (table.rowsPerPiece ?? ROWS_PER_PIECE)
  let piece: Piece = { lines: [], end: first }
  let units = 0
  let line = 0
  for await (const found of mappedLines(run.read, members, table, mappingOf(run))) {
    const { archived, mapped } = found
    line += 1
    if (line <= first || (isLate && shape.late.every((name) => mapped[name] === null))) {
      continue
    }
    const last = piece.lines.at(-1)?.archived
    const belongs = table.together && last?.[table.together.name] === archived[table.together.name]
    if (!belongs && (piece.lines.length >= most || units >= TEXT_PER_PIECE)) {
      yield piece
      piece = { lines: [], end: line - 1 }
      units = 0
    }
    piece.lines.push(found)
    piece.end = line
    units += JSON.stringify(mapped).length
  }
  if (piece.lines.length > 0) {
    yield piece
  }
}

interface NextPlace {
  nextStep: number
  nextLine: number
  of: number
}

async function writePiece(
  run: Run,
  { table, isLate }: Step,
  lines: MappedLine[],
  { nextStep, nextLine, of }: NextPlace,
  members: Members,
): Promise<void> {
  const { ctx, row, owner } = run
  // Ends here what somebody asked to stop.
  await readOrStop(ctx)
  const { userId } = owner.caller
  const rows = await storedForms(run, table, lines, members)
  const statements: Statement[] = isLate
    ? storeLate(table, rows, userId)
    : [
        ...(table.isSingle ? rows : []).map(({ version }) =>
          keepReplaced(row, table, userId, Number(version)),
        ),
        ...asAdded(run, table, lines),
        ...storeRows(table, rows, userId, backupErrors.foreignRow),
        ...(table.file?.premises(owner) ?? []),
      ]
  await commit(ctx, {
    changes: [
      {
        statements: [untouched(run), ...advance(ctx, row, { nextStep, nextLine }), ...statements],
        events: [
          backupEvents.rowsRestored(restoreThing(run), { [tableNameOf(table)]: rows.length }),
        ],
      },
      withoutEvents([...reportProgress(ctx, (100 * nextStep) / of), ...countAttemptsAnew(ctx)]),
    ],
    result: undefined,
  })
}

/** Stores the keys of rows that are added, so that they can be taken back, and nothing else is. */
function asAdded(
  { row, owner, merge }: Run,
  table: ArchivedTable,
  lines: MappedLine[],
): Statement[] {
  const { userId } = owner.caller
  const keys = isDecided(table, shapeOf(table).id)
    ? lines.map(({ mapped }) => knownBy(table, mapped))
    : []
  return [
    ...(merge && table.isSingle ? [mustBeAbsent(table, userId)] : []),
    ...insertRestoredRows(
      row.id,
      userId,
      keys.map((id) => ({ id, becomes: id })),
    ),
  ]
}

/** Rows as they are stored. Objects come before the rows that name them. */
async function storedForms(
  { owner, read }: Run,
  table: ArchivedTable,
  lines: MappedLine[],
  members: Members,
): Promise<ArchivedRow[]> {
  const { file } = table
  const shape = shapeOf(table)
  const stored: ArchivedRow[] = []
  for (const { archived, mapped } of lines) {
    const row = rowToStore(shape, mapped, owner.caller.userId)
    const member = members.get(file?.pathOf(archived) ?? '')
    const bytes = member && openMember(read, member)
    stored.push({ ...row, ...(await file?.store(owner, row, bytes)) })
  }
  return stored
}
