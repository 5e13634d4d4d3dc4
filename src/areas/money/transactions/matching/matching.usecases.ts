import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import {
  type Amendment,
  type Forced,
  headerOf,
  type LedgerRow,
  ledgerRowById,
  matchedRows,
  type MatchedRow,
  matchPart,
  post,
  type Posting,
  requireUnreconciled,
  rowOf,
  unmatchPart,
  withAttachmentsOf,
  withRefundsOf,
} from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import { transactionConflicts } from '../transactions.usecases.ts'
import { mustHaveLabels } from './matching.queries.ts'
import {
  matchedWith,
  partAt,
  rowMatchedInto,
  type Unmatched,
  unmatchedFrom,
  type WholeAfter,
} from './matching.rules.ts'

interface Match {
  transactionId: string
  force?: boolean | undefined
}

/** Makes a row of another account the other side of a part, and keeps it beside the ledger. */
export async function matchSplit(
  ctx: SignedIn,
  id: string,
  splitId: string,
  { transactionId, force }: Match,
): Promise<LedgerRow> {
  const [[found], [row], matched] = await read(
    ctx,
    ledgerRowById(ctx, id),
    ledgerRowById(ctx, transactionId),
    matchedRows(ctx, id),
  )
  const whole = existing(found)
  const part = partAt(whole, splitId)
  if (!row) {
    throw transactionErrors.unknownTransaction({ field: 'transactionId' })
  }
  const after = matchedWith(whole, part, row, matched)
  const posting = joining(ctx, { whole, row }, after, force)
  return commit(ctx, {
    changes: [post(ctx, { ...bookingErrors, force }, posting)],
    result: rowAfter(ctx, whole, after),
    conflicts: transactionConflicts,
  })
}

const joining = (
  ctx: SignedIn,
  { whole, row }: { whole: LedgerRow; row: LedgerRow },
  after: ReturnType<typeof matchedWith>,
  force: boolean | undefined,
): Posting =>
  matchPart(ctx, amendmentOf(whole, after, [row.accountId], forcedBy([whole, row], force)), {
    row,
    part: after.part,
  })

/** A part of a transaction, and the row that is its other side. */
export interface PartSides {
  whole: LedgerRow
  /** The rows that are the other sides of its parts already. */
  matched: MatchedRow[]
  splitId: string
  row: LedgerRow
}

/** Makes rows the other sides of parts of different transactions, all in one change. */
export function joinParts(ctx: SignedIn, all: PartSides[], force: boolean | undefined): Change {
  const postings = all.map(({ whole, matched, splitId, row }) => {
    const after = matchedWith(whole, partAt(whole, splitId), row, matched)
    return joining(ctx, { whole, row }, after, force)
  })
  return post(ctx, { ...bookingErrors, force }, ...postings)
}

/** Books the row again that a part was matched with, and makes the part what it was. */
export async function unmatchSplit(
  ctx: SignedIn,
  id: string,
  splitId: string,
  force?: boolean,
): Promise<Unmatched> {
  const [[found], matched] = await read(ctx, ledgerRowById(ctx, id), matchedRows(ctx, id))
  const whole = existing(found)
  const part = partAt(whole, splitId)
  const row = rowMatchedInto(part, matched)
  const after = unmatchedFrom(whole, part, row, ctx.now)
  const { header, entries, labels } = after.row
  const amendment = amendmentOf(whole, after, [row.accountId], forcedBy([whole], force))
  return commit(ctx, {
    changes: [
      withoutEvents(mustHaveLabels(whole.ownerId, after.restored)),
      post(
        ctx,
        { ...bookingErrors, force },
        unmatchPart(ctx, amendment, { row: after.row, line: part.line }),
      ),
    ],
    result: {
      transaction: rowAfter(ctx, whole, after),
      restored: withRefundsOf(
        withAttachmentsOf(rowOf(header, entries, row.line, labels), row),
        row,
      ),
    },
    conflicts: transactionConflicts,
  })
}

function existing(row: LedgerRow | undefined): LedgerRow {
  if (!row) {
    throw transactionErrors.notFound()
  }
  return row
}

const forcedBy = (rows: LedgerRow[], force: boolean | undefined): Forced =>
  Object.assign(
    {},
    ...rows.map((row) => requireUnreconciled(row, { force }, transactionErrors.reconciled)),
  )

/** The labels of a part that was matched may be archived. */
const amendmentOf = (
  row: LedgerRow,
  { entries, labels }: WholeAfter,
  others: string[],
  forced: Forced,
): Amendment => ({
  ...{ row, columns: {}, entries, labels, right: 'write', carries: true },
  on: [row.accountId, ...others],
  ...forced,
})

/** The row that a finder will give: an answer that is kept must be known before the commit. */
function rowAfter(ctx: SignedIn, row: LedgerRow, { entries, labels }: WholeAfter): LedgerRow {
  const { hiddenAccountIds, rank, attachmentIds, refunds } = row
  const header = { ...headerOf(row), version: row.version + 1, updatedAt: ctx.now }
  return {
    ...rowOf(header, entries, row.line, labels),
    ...(hiddenAccountIds === undefined ? {} : { hiddenAccountIds }),
    ...(rank === undefined ? {} : { rank }),
    ...(attachmentIds === undefined ? {} : { attachmentIds }),
    ...(refunds === undefined ? {} : { refunds }),
  }
}
