import { AppError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { logEvent } from '../logger.ts'

// Scheduled work goes over rows of many owners. A row that it fails for must not keep it from the others, tonight or any other
// night: the failure is logged with the id of the row, and the work goes on.

interface Row {
  id: string
}

interface RowWork<One extends Row> {
  /** Names the work in the log. */
  work: string
  rows: readonly One[]
  /** Keeps a failed row from being first again. An error of it ends the work. */
  putBack?: (row: One, error: unknown) => unknown
  /** Set where `putBack` asks the database, which shows whether it answers: then no other run has to try again. */
  triesOnce?: true
}

/** Works on each row by itself. */
export async function forEachRow<One extends Row>(
  ctx: Context,
  { work, rows, putBack, triesOnce }: RowWork<One>,
  run: (row: One) => unknown,
): Promise<void> {
  for (const row of rows) {
    try {
      await run(row)
    } catch (error) {
      if (endsWork(ctx, error, triesOnce)) {
        throw error
      }
      logEvent('error', 'row.undone', { work, id: row.id, ...causeOf(error) })
      await putBack?.(row, error)
    }
  }
}

/** Works on all rows together or, where that fails, on each by itself, so that only those are left that it fails for. */
export async function forAllRows<One extends Row>(
  ctx: Context,
  { rows, ...work }: RowWork<One>,
  run: (rows: readonly One[]) => Promise<unknown>,
): Promise<void> {
  if (rows.length > 1) {
    try {
      await run(rows)
      return
    } catch (error) {
      if (endsWork(ctx, error)) {
        throw error
      }
    }
  }
  await forEachRow(ctx, { rows, ...work }, (row) => run([row]))
}

/**
 * Tells whether the work itself cannot go on: another run has its task, or somebody cancelled it. A database that does not
 * answer, or that fails in a way that nobody foresaw, is worth one more run of the task, and after that it is taken for the
 * trouble of the row. A sweep has no task that would run again, but comes again itself.
 */
const endsWork = ({ task }: Context, error: unknown, triesOnce = false): boolean =>
  error instanceof AppError &&
  (error.code.startsWith('tasks.') ||
    (!triesOnce &&
      ((error.kind === 'unavailable' && (task?.attempt ?? 1) === 1) ||
        (error.kind === 'internal' && task?.attempt === 1))))

/** Frames of the stack that are logged. */
const FRAMES = 3

/** The cause without the messages of JavaScript, which may quote what is stored. Those of the database name tables and columns. */
function causeOf(error: unknown): object {
  const code = error instanceof AppError ? error.code : 'service.failed'
  const cause = error instanceof AppError ? error.cause : error
  if (!(cause instanceof Error)) {
    return { code }
  }
  const isOfDatabase = error instanceof AppError && ['internal', 'unavailable'].includes(error.kind)
  const frames = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    code,
    cause: isOfDatabase ? cause.message.slice(0, 300) : cause.name,
    at: frames.slice(0, FRAMES).map((line) => line.trim()),
  }
}
