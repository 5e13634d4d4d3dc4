import { AppError } from '../../../../domain/errors.ts'
import type { Status } from '../../../../domain/ledger.ts'
import { formatMoney, toMinor } from '../../../../domain/money.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import type { Change } from '../../../../platform/events.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { nothing } from '../../../../platform/statements.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import { amend, book, discard, historyFacts, post } from '../../../../ledger/ledger.public.ts'
import {
  assertionEvents,
  type AssertionRow,
  assertionThing,
  deleteAssertionRow,
  insertAssertions,
  statedOf as assertionStated,
} from '../../balance-assertions/balance-assertions.public.ts'
import { categoriesByIds, type NamedCategory } from '../../categories/categories.public.ts'
import { bookingErrors, makeTransaction } from '../../transactions/transactions.public.ts'
import { reconciliationErrors } from '../reconciliations.errors.ts'
import { reconciliationEvents, reconciliationThing, statedOf } from '../reconciliations.events.ts'
import {
  accountOfReconciliation,
  reconciliationById,
  updateAsRead,
} from '../reconciliations.queries.ts'
import {
  MOST_TICKS,
  numbersOf,
  type ReconciliationView,
  requireOpen,
} from '../reconciliations.rules.ts'
import { existing, type Reconciliation, requireMayReconcile } from '../reconciliations.usecases.ts'
import { rowsOfSession } from '../rows/rows.queries.ts'
import {
  assertionWith,
  daysStated,
  lastReconciledDay,
  mustBeLast,
  mustReconcileTo,
  replaceRows,
  storedRows,
} from './finishing.queries.ts'
import { decideUndo, type Kept, statusChanges } from './finishing.rules.ts'

interface Finish {
  /** Whether the difference is booked. */
  adjust?: boolean | undefined
  description?: string | undefined
  categoryId?: string | undefined
  force?: boolean | undefined
}

/** Transactions that one statement changes. */
const ROWS_PER_POSTING = 500

/** The maximum number of tries if another request is faster. */
const MOST_TRIES = 5

/** Decides anew, by what is there then, where another request was faster: so the answer says what is wrong now. */
async function againIfRaced<Result>(
  attempt: () => Promise<Result>,
  races = ['request.conflict'],
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof AppError) || !races.includes(error.code)) {
        throw error
      }
    }
  }
}

/** Refuses who does not see all that a session sums up: what they could do would tell it. */
function requireSeesAll({ isHidden }: ReconciliationView): void {
  if (isHidden === 1) {
    throw reconciliationErrors.hiddenRows()
  }
}

/** Reconciles all ticked rows of a session, if there is no difference, or that is booked. */
export const finishReconciliation = (
  ctx: SignedIn,
  id: string,
  wanted: Finish,
): Promise<Reconciliation> => againIfRaced(() => finish(ctx, id, wanted))

async function finish(
  ctx: SignedIn,
  id: string,
  { adjust, description, categoryId, force }: Finish,
): Promise<Reconciliation> {
  const [[found], [account], [late], stated, categories, ...chunks] = await read(
    ctx,
    reconciliationById(ctx, id),
    accountOfReconciliation(ctx, id),
    lastReconciledDay(id),
    daysStated(id),
    categoryId === undefined ? nothing<NamedCategory>() : categoriesByIds(ctx, [categoryId]),
    ...rowsOfSession(ctx, id, MOST_TICKS),
  )
  const view = existing(found)
  requireMayReconcile(view)
  requireOpen(view)
  requireSeesAll(view)
  if (account?.status !== 'open') {
    throw reconciliationErrors.accountClosed()
  }
  const rows = chunks.flat()
  const { currency, accountId, statementDate, closingMinor } = view
  const { difference } = numbersOf(view)
  if (difference !== 0n && !adjust) {
    const shown = { difference: formatMoney(difference, currency), currency, id }
    throw reconciliationErrors.difference(shown, { field: 'adjust' })
  }
  const adjustment =
    difference === 0n
      ? undefined
      : makeTransaction(ctx, account, {
          ...adjustmentOf(toMinor(difference), currency, categoryId, categories),
          ...{ accountId, date: statementDate, status: 'reconciled', description },
        })
  const stored = [...rows, ...(adjustment ? [adjustment.row] : [])].map((row) => ({
    ...{ transactionId: row.transactionId, line: row.line },
    ...{ statusBefore: row.status, amountMinor: row.amountMinor, date: row.date },
  }))
  const days = [statementDate, late?.date ?? '', ...rows.map(({ date }) => date)]
  const lastDay = days.reduce((one, other) => (one > other ? one : other))
  const assertion = stated.some(({ date }) => date === lastDay)
    ? undefined
    : assertionFor(ctx, view, lastDay)
  const finished = {
    state: 'finished' as const,
    reconciledMinor: view.reconciledNow,
    finishedAt: ctx.now,
    adjustmentId: adjustment?.header.id ?? null,
    assertionId: assertion?.id ?? null,
  }
  const changes: Change[] = [
    {
      statements: [
        requireAccess(ctx, 'write', [accountId], reconciliationErrors.notFound),
        ...updateAsRead(ctx, view, finished),
      ],
      events: [],
    },
    post(
      ctx,
      { ...postingErrors, force, lockedField: 'adjust' },
      ...postingsOf(ctx, rows, () => 'reconciled'),
      ...(adjustment ? [book([adjustment])] : []),
    ),
    {
      statements: [
        ...replaceRows(id, stored),
        mustReconcileTo(view),
        ...(assertion ? insertAssertions([assertion]) : []),
      ],
      events: [
        reconciliationEvents.finished(
          {
            ...reconciliationThing(view),
            version: view.version + 1,
            history: historyFacts({ date: statementDate, changeMinor: 0, transactionId: null }),
          },
          {
            ...{ ...statedOf(view), rows: stored.length },
            ...(adjustment ? { adjustmentId: adjustment.header.id } : {}),
          },
        ),
        ...(assertion
          ? [
              assertionEvents.created(
                { ...assertionThing(assertion), version: 1 },
                { after: assertionStated(assertion) },
              ),
            ]
          : []),
      ],
    },
  ]
  return commit(ctx, {
    changes,
    result: {
      view: {
        ...{ ...view, ...finished, version: view.version + 1, updatedAt: ctx.now },
        ...{ reconciledNow: closingMinor, ticked: stored.length },
      },
      drift: [],
    },
    conflicts: { 'balance_assertions.account_id': changedMeanwhile },
  })
}

const postingErrors = {
  ...bookingErrors,
  gone: reconciliationErrors.notFound,
  closed: reconciliationErrors.accountClosed,
}

type Rows = Parameters<typeof statusChanges>[0]

const postingsOf = (ctx: SignedIn, rows: Rows, statusOf: (row: Rows[number]) => Status) => {
  const changes = statusChanges(rows, statusOf)
  return Array.from({ length: Math.ceil(changes.length / ROWS_PER_POSTING) }, (_, at) =>
    amend(ctx, changes.slice(at * ROWS_PER_POSTING, (at + 1) * ROWS_PER_POSTING)),
  )
}

/** Makes the booking of a difference: with a category an expense or income, otherwise an adjustment. */
function adjustmentOf(
  minor: number,
  currency: string,
  categoryId: string | undefined,
  categories: NamedCategory[],
) {
  if (categoryId === undefined) {
    return { kind: 'adjustment' as const, amount: formatMoney(minor, currency) }
  }
  return {
    kind: minor < 0 ? ('expense' as const) : ('income' as const),
    amount: formatMoney(Math.abs(minor), currency),
    categoryId,
    expenseCategoryIds: categories.filter(({ kind }) => kind === 'expense').map(({ id }) => id),
  }
}

/** States what is reconciled through a day. */
const assertionFor = (
  ctx: SignedIn,
  { ownerId, accountId, closingMinor }: ReconciliationView,
  date: string,
): AssertionRow => ({
  id: freshId(ctx, 'bas'),
  ...{ ownerId, accountId, date, edge: 'endOfDay', basis: 'reconciled', through: date },
  ...{ amountMinor: closingMinor, toleranceMinor: 0, source: 'reconciliation', lockId: null },
  ...{ note: null, createdBy: ctx.caller.userId },
  ...{ wasOk: true, version: 1, createdAt: ctx.now, updatedAt: ctx.now },
})

/** A session that is open again, with the rows that stay as they are. */
export interface UndoneReconciliation extends Reconciliation {
  kept: Kept[]
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
  const view = existing(found)
  requireMayReconcile(view)
  if (view.state !== 'finished') {
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
  requireSeesAll(view)
  const { adjustmentId } = view
  const { lockedThrough } = account
  const { restored, discarded, kept } = decideUndo(stored, chunks.flat(), {
    ...{ adjustmentId, lockedThrough },
  })
  const statuses = new Map(restored.map(({ row, status }) => [row, status]))
  const total = restored.reduce((sum, { row }) => sum + BigInt(row.amountMinor), 0n)
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
        ...postingsOf(
          ctx,
          restored.map(({ row }) => row),
          (row) => statuses.get(row) ?? 'cleared',
        ),
        ...(discarded ? [discard(ctx, [{ row: discarded }])] : []),
      ),
      {
        statements: [
          ...replaceRows(
            id,
            restored.map(({ row: { transactionId, line } }) => ({ transactionId, line })),
          ),
          ...(assertion ? deleteAssertionRow(assertion) : []),
        ],
        events: [
          reconciliationEvents.undone(
            { ...reconciliationThing(view), version: view.version + 1 },
            { ...statedOf(view), rows: restored.length, kept: kept.length },
          ),
          ...(assertion
            ? [
                assertionEvents.deleted(assertionThing(assertion), {
                  before: assertionStated(assertion),
                }),
              ]
            : []),
        ],
      },
    ],
    result: {
      view: {
        ...{ ...view, ...reopened, version: view.version + 1, updatedAt: ctx.now },
        ...{ ticked: restored.length, tickedTotal: total },
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
