import { addDays, dateInZone, daysBetween } from '../../domain/calendar.ts'
import type { AppError, ErrorDetail } from '../../domain/errors.ts'
import type { SignedIn } from '../../platform/context.ts'
import { commit, read } from '../../platform/database/database.ts'
import { requireAccess } from '../../areas/identity/access/access.public.ts'
import { type LedgerRow, ledgerRowById } from '../rows/rows.queries.ts'
import { pairErrors } from './pairs.errors.ts'
import { pairEvents } from '../ledger.events.ts'
import { insertDistinctPair, type PairKind, type Window } from './pairs.queries.ts'

const USUAL_DAYS = 90
const MOST_DAYS = 366

/**
 * Returns the requested period, or the last 90 days. It ends tomorrow by default, as the user may be in a time zone
 * ahead.
 */
export function windowOf(
  asked: Partial<Record<keyof Window, string | undefined>>,
  now: number,
): Window {
  const to = asked.to ?? addDays(dateInZone(now, 'UTC'), 1)
  const from = asked.from ?? addDays(to, -USUAL_DAYS)
  const days = daysBetween(from, to)
  if (days < 0 || days > MOST_DAYS) {
    throw pairErrors.window({ field: asked.from === undefined ? 'to' : 'from' })
  }
  return { from, to }
}

/** The errors with which an area refuses two transactions. */
export interface PairErrors {
  unknown: (detail: ErrorDetail) => AppError
  unfit: (detail: ErrorDetail) => AppError
}

/** The two that ids name; each an expense or an income, and not the same. */
export async function findPair(
  ctx: SignedIn,
  ids: { id: string; field: string }[],
  errors: PairErrors,
): Promise<[LedgerRow, LedgerRow]> {
  const [one, two] = ids
  const [[first], [second]] = await read(
    ctx,
    ledgerRowById(ctx, one?.id ?? ''),
    ledgerRowById(ctx, two?.id ?? ''),
  )
  const pair = [first, second].map((row, at) => {
    const detail = { field: ids[at]?.field ?? '' }
    if (!row) {
      throw errors.unknown(detail)
    }
    const isUnfit = row.kind !== 'expense' && row.kind !== 'income'
    if (isUnfit || (at === 1 && row.transactionId === first?.transactionId)) {
      throw errors.unfit(detail)
    }
    return row
  })
  return pair as [LedgerRow, LedgerRow]
}

/** Never shows these two as such a pair again. */
export async function dismissPair(
  ctx: SignedIn,
  kind: PairKind,
  transactionIds: string[],
  errors: PairErrors,
): Promise<void> {
  const ids = transactionIds.map((id, at) => ({ id, field: `transactionIds.${at}` }))
  const pair = await findPair(ctx, ids, errors)
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(
            ctx,
            'annotate',
            pair.map(({ accountId }) => accountId),
            () => errors.unknown({ field: 'transactionIds' }),
          ),
          ...insertDistinctPair(ctx, kind, pair),
        ],
        events: [
          pairEvents.pairDismissed(
            { id: null, ownerId: pair[0].ownerId },
            { kind, transactionIds: transactionIds.toSorted() },
          ),
        ],
      },
    ],
    result: undefined,
  })
}
