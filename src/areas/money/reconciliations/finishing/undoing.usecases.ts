import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import { discard, post } from '../../../../ledger/ledger.public.ts'
import {
  assertionEvents,
  type AssertionRow,
  assertionThing,
  deleteAssertionRow,
  statedByAssertion as assertionStated,
} from '../../balance-assertions/balance-assertions.public.ts'
import { reconciliationErrors } from '../reconciliations.errors.ts'
import {
  reconciliationEvents,
  reconciliationThing,
  statedBySession,
} from '../reconciliations.events.ts'
import {
  accountOfReconciliation,
  type AccountToReconcile,
  reconciliationById,
  updateAsRead,
} from '../reconciliations.queries.ts'
import { MOST_TICKS, type ReconciliationView } from '../reconciliations.rules.ts'
import {
  existingReconciliation,
  type Reconciliation,
  requireMayReconcile,
} from '../reconciliations.usecases.ts'
import { rowsOfSession } from '../rows.queries.ts'
import { assertionWith, mustBeLast, replaceRows, storedRows } from './finishing.queries.ts'
import { decideUndo, type UnchangedRow, type Undoing } from './finishing.rules.ts'
import {
  againIfRaced,
  postingErrors,
  finishingPostings,
  requireSeesAll,
} from './finishing.usecases.ts'

/** A session that is open again, with the rows that stay as they are. */
export interface UndoneReconciliation extends Reconciliation {
  kept: UnchangedRow[]
}

/** Opens the last finished session of an account again, with its ticks. */
export const undoReconciliation = (ctx: SignedIn, id: string): Promise<UndoneReconciliation> =>
  // A lock that was made meanwhile: the adjustment stays at the next try.
  againIfRaced(() => undo(ctx, id), ['request.conflict', 'locks.periodLocked'])

async function undo(ctx: SignedIn, id: string): Promise<UndoneReconciliation> {
  const [[found], [account], stored, [assertion], ...chunks] = await read(
    ctx,
    reconciliationById(ctx, id),
    accountOfReconciliation(ctx, id),
    storedRows(id),
    assertionWith(id),
    ...rowsOfSession(ctx, id, MOST_TICKS + 1),
  )
  const view = existingReconciliation(found)
  requireMayReconcile(view)
  const { lockedThrough } = requireLast(view, account)
  requireSeesAll(view)
  const { adjustmentId } = view
  const undoing = decideUndo(stored, chunks.flat(), { adjustmentId, lockedThrough })
  return commitUndo(ctx, view, { ...undoing, assertion })
}

/** Refuses to undo a session unless it is the last finished one of an open account without an open session. */
function requireLast(
  { id, state }: ReconciliationView,
  account: AccountToReconcile | undefined,
): AccountToReconcile {
  if (state !== 'finished') {
    throw reconciliationErrors.notFinished()
  }
  if (account?.lastId !== id) {
    throw reconciliationErrors.notLast()
  }
  if (account.openId !== null) {
    throw reconciliationErrors.open()
  }
  if (account.status !== 'open') {
    throw reconciliationErrors.accountClosed()
  }
  return account
}

function commitUndo(
  ctx: SignedIn,
  view: ReconciliationView,
  { restored, discarded, kept, assertion }: Undoing & { assertion: AssertionRow | undefined },
): Promise<UndoneReconciliation> {
  const rows = restored.map(({ row }) => row)
  const statuses = new Map(restored.map(({ row, status }) => [row, status]))
  const total = rows.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)
  const version = view.version + 1
  const reopened = {
    ...{ state: 'open' as const, finishedAt: null, adjustmentId: null, assertionId: null },
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'write', [view.accountId], reconciliationErrors.notFound),
          mustBeLast(view),
          ...updateAsRead(ctx, view, reopened),
        ],
        events: [],
      },
      post(
        ctx,
        postingErrors,
        ...finishingPostings(ctx, rows, (row) => statuses.get(row) ?? 'cleared'),
        ...(discarded ? [discard(ctx, [{ row: discarded }])] : []),
      ),
      {
        statements: replaceRows(
          view,
          rows.map(({ transactionId, line }) => ({ transactionId, line })),
        ),
        events: [
          reconciliationEvents.undone(
            { ...reconciliationThing(view), version },
            { ...statedBySession(view), rows: rows.length, kept: kept.length },
          ),
        ],
      },
      ...(assertion ? [assertionDeleted(assertion)] : []),
    ],
    result: {
      view: {
        ...{ ...view, ...reopened, version, updatedAt: ctx.now },
        ...{ ticked: rows.length, tickedTotal: total },
        // The rows that are taken out may sum up to more than an amount; what is left is in the table.
        reconciledNow: Number(
          BigInt(view.reconciledNow) - total - BigInt(discarded?.amountMinor ?? 0),
        ),
      },
      drift: [],
      kept,
    },
    conflicts: { 'reconciliations.account_id': reconciliationErrors.open },
  })
}

const assertionDeleted = (row: AssertionRow): Change => ({
  statements: deleteAssertionRow(row),
  events: [assertionEvents.deleted(assertionThing(row), { before: assertionStated(row) })],
})
