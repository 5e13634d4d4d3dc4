import { AppError, type ErrorKind } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { isMarkDue, mustGuard, uncheckedCaller } from './session.ts'

// A request may begin at a replica of the database, which lags (ADR 0062). Here is when it goes on at the primary.

/** Has everything that this request reads from now on come from the primary. */
export function moveToPrimary(ctx: Context): void {
  if (ctx.toPrimary) {
    ctx.database = ctx.toPrimary()
    delete ctx.toPrimary
  }
}

/** Asks the primary for what a replica did not answer. It is asked once, and its word is final. */
export async function orFromPrimary<Result>(
  ctx: Context,
  ask: () => Promise<Result>,
): Promise<Result> {
  const unchecked = uncheckedCaller(ctx)
  if (unchecked && (mustGuard(ctx, unchecked) || isMarkDue(ctx, unchecked))) {
    // The batch writes, so it runs there anyway, and a second one could say nothing else.
    moveToPrimary(ctx)
  }
  try {
    return await ask()
  } catch (error) {
    if (!mayKnowMore(ctx, error)) {
      throw error
    }
    moveToPrimary(ctx)
    return ask()
  }
}

/** A replica may not know yet of a session or a role that is new, or of a column that this build needs. */
const KNOWN_LATER: ReadonlySet<ErrorKind> = new Set(['unauthenticated', 'forbidden', 'internal'])

/** A database that is busy is not asked again, unless its replicas may wait for a bookmark of the caller that none ever reaches. */
const mayKnowMore = (ctx: Context, error: unknown): boolean =>
  ctx.toPrimary !== undefined &&
  uncheckedCaller(ctx) !== undefined &&
  error instanceof AppError &&
  (KNOWN_LATER.has(error.kind) ||
    (error.kind === 'unavailable' && ctx.database.getBookmark() !== null))
