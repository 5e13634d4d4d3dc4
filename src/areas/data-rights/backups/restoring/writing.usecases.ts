import { rowToStore } from '../../../../platform/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  nameOf,
  shapeOf,
  storeLate,
  storeRows,
} from '../../../../platform/archived-tables.ts'
import { commit } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { countAttemptsAnew, reportProgress } from '../../../../platform/task-rows.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { openMember, type ZipMember } from '../../../../platform/unzip.ts'
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
import {
  goOn,
  mappedLines,
  mappingOf,
  type Run,
  type Step,
  stepsOf,
  thingOf,
  untouched,
} from './runs.usecases.ts'

type Members = ReadonlyMap<string, ZipMember>

/** Stores the rows of an archive in pieces, each by one commit; each run a number of them. */
export async function write(run: Run): Promise<void> {
  const members = await membersOf(run.read, run.row.size)
  const steps = stepsOf()
  let left = COMMITS_PER_RUN
  const row = { ...run.row }
  const here = { ...run, row }
  for (const [at, step] of steps.entries()) {
    if (at < row.nextStep) {
      continue
    }
    const first = at === row.nextStep ? row.nextLine : 0
    for await (const piece of piecesOf(run, step, first, members)) {
      if (left === 0) {
        return goOn(here, { state: 'writing' })
      }
      left -= 1
      const place = { nextStep: at, nextLine: piece.end }
      await writePiece(here, step, piece, { ...place, of: steps.length }, members)
      Object.assign(row, place)
    }
  }
  return goOn(here, { state: 'comparing' })
}

/** Rows of one commit. */
interface Piece {
  /** In the form that the archive has them in. */
  archived: ArchivedRow[]
  /** As they are stored. */
  rows: ArchivedRow[]
  /** How many lines of the table come before what follows. */
  end: number
}

async function* piecesOf(
  run: Run,
  { table, isLate }: Step,
  first: number,
  members: Members,
): AsyncGenerator<Piece> {
  const shape = shapeOf(table)
  const most = table.file ? FILES_PER_PIECE : ROWS_PER_PIECE
  let piece: Piece = { archived: [], rows: [], end: first }
  let units = 0
  let line = 0
  for await (const { archived, mapped } of mappedLines(run.read, members, table, mappingOf(run))) {
    line += 1
    if (line <= first || (isLate && shape.late.every((name) => mapped[name] === null))) {
      continue
    }
    const last = piece.archived.at(-1)
    const belongs = table.together && last?.[table.together.name] === archived[table.together.name]
    if (!belongs && (piece.rows.length >= most || units >= TEXT_PER_PIECE)) {
      yield piece
      piece = { archived: [], rows: [], end: line - 1 }
      units = 0
    }
    piece.archived.push(archived)
    piece.rows.push(rowToStore(shape, mapped, run.owner.caller.userId))
    piece.end = line
    units += JSON.stringify(mapped).length
  }
  if (piece.rows.length > 0) {
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
  piece: Piece,
  { nextStep, nextLine, of }: NextPlace,
  members: Members,
): Promise<void> {
  const { ctx, row, owner } = run
  // Ends here what somebody asked to stop.
  await readOrStop(ctx)
  const { userId } = owner.caller
  const rows = table.file ? await storeFiles(run, table, piece, members) : piece.rows
  const statements: Statement[] = isLate
    ? storeLate(table, rows, userId)
    : [
        ...(table.isSingle ? rows : []).map(({ version }) =>
          keepReplaced(row, table, userId, Number(version)),
        ),
        ...storeRows(table, rows, userId, backupErrors.foreignRow),
        ...(table.file?.premises(owner) ?? []),
      ]
  await commit(ctx, {
    changes: [
      {
        statements: [untouched(run), ...advance(ctx, row, { nextStep, nextLine }), ...statements],
        events: [backupEvents.rowsRestored(thingOf(run), { [nameOf(table)]: rows.length })],
      },
      withoutEvents([...reportProgress(ctx, (100 * nextStep) / of), ...countAttemptsAnew(ctx)]),
    ],
    result: undefined,
  })
}

/** Objects come before the rows that name them. */
async function storeFiles(
  { owner, read }: Run,
  { file }: ArchivedTable,
  { archived, rows }: Piece,
  members: Members,
): Promise<ArchivedRow[]> {
  const stored: ArchivedRow[] = []
  for (const [at, row] of rows.entries()) {
    const member = members.get(file?.pathOf(archived[at] ?? row) ?? '')
    const bytes = member && openMember(read, member)
    stored.push({ ...row, ...(await file?.store(owner, row, bytes)) })
  }
  return stored
}
