import { isSameBooking } from '../../../../domain/comparing.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import {
  entriesOf,
  headerOf,
  type LedgerRow,
  requireUnreconciled,
  rowOf,
  withAttachmentsOf,
  withRefundsOf,
  amend,
  carryMatched,
  discard,
  post,
  dismissPair,
  duplicatePairs,
  findPair,
  foundPairs,
  windowOf,
} from '../../../../ledger/ledger.public.ts'
import { isSameLabels, labelsOf } from '../../../../ledger/labels/labels.public.ts'
import { requireMayHide } from '../changes/changes.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import { transactionConflicts } from '../transactions.usecases.ts'
import { type DuplicateCandidate, candidateOf, mergedRow, requireSame } from './duplicates.rules.ts'

export interface DuplicateLookup {
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  days: number
  limit: number
}

/** The likeliest candidates, and whether more would have been compared without bounds. */
export interface Candidates {
  candidates: DuplicateCandidate[]
  truncated: boolean
}

/** Pairs of rows of one account that may be one, the likeliest first. */
export async function listDuplicates(
  ctx: SignedIn,
  { accountId, days, limit, ...asked }: DuplicateLookup,
): Promise<Candidates> {
  const window = windowOf(asked, ctx.now)
  const [rows] = await read(ctx, duplicatePairs(ctx, { ...window, days, accountId }))
  const { pairs, truncated } = foundPairs(rows)
  const candidates = pairs
    .map(([one, other]) =>
      candidateOf(one.transactionId < other.transactionId ? [one, other] : [other, one]),
    )
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
  return { candidates, truncated }
}

const pairErrors = {
  unknown: transactionErrors.unknownTransaction,
  unfit: transactionErrors.notMergeable,
}

export const dismissDuplicate = (ctx: SignedIn, transactionIds: string[]): Promise<void> =>
  dismissPair(ctx, 'duplicate', transactionIds, pairErrors)

export interface DuplicateMerge {
  keepId: string
  dropId: string
  force?: boolean | undefined
}

/** Gives one of two that are the same what it lacks of the other, which goes to the trash. */
export async function mergeDuplicate(ctx: SignedIn, wanted: DuplicateMerge): Promise<LedgerRow> {
  const { keepId, dropId, force } = wanted
  const [keep, drop] = await findPair(
    ctx,
    [
      { id: keepId, field: 'keepId' },
      { id: dropId, field: 'dropId' },
    ],
    pairErrors,
  )
  requireSame(keep, drop)
  const forced = {
    ...requireUnreconciled(keep, { force }, transactionErrors.reconciled),
    ...requireUnreconciled(drop, { force }, transactionErrors.reconciled),
  }
  const { columns, entries, labels, taken } = mergedRow(keep, drop)
  if (columns.private && keep.private === 0) {
    requireMayHide(keep, { private: true }, ctx.caller.userId, 'dropId')
  }
  const { version } = keep
  const header = { ...headerOf(keep), ...columns, version: version + 1, updatedAt: ctx.now }
  const row = rowOf(header, entries, keep.line, labels)
  return commit(ctx, {
    changes: [
      post(
        ctx,
        { ...bookingErrors, force },
        // First, as its id of the bank may go over.
        discard(ctx, [{ row: drop, mergedInto: keep.transactionId, ...forced }]),
        amend(ctx, [
          {
            row: keep,
            columns,
            entries: isSameBooking(entriesOf(keep), entries) ? undefined : entries,
            labels: isSameLabels(labelsOf(keep), labels) ? undefined : labels,
            right: 'write',
            carries: true,
            ...forced,
          },
        ]),
        ...(taken.length === 0
          ? []
          : [
              carryMatched(
                ctx,
                { id: drop.transactionId, ownerId: drop.ownerId },
                { id: keep.transactionId, date: header.date },
                taken,
              ),
            ]),
      ),
    ],
    result: withRefundsOf(withAttachmentsOf(row, keep, drop), keep, drop),
    conflicts: transactionConflicts,
  })
}
