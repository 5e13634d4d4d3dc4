import { AppError } from '../../../../domain/errors.ts'
import type { Status } from '../../../../domain/ledger.ts'
import { formatMoney, toMinor } from '../../../../domain/money.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import {
  amend,
  book,
  historyFacts,
  type LedgerRow,
  post,
  type Posting,
} from '../../../../ledger/ledger.public.ts'
import type { BookableAccount } from '../../accounts/accounts.public.ts'
import {
  assertionEvents,
  type AssertionRow,
  assertionThing,
  insertAssertions,
  statedByAssertion as assertionStated,
} from '../../balance-assertions/balance-assertions.public.ts'
import { categoriesByIds, type NamedCategory } from '../../categories/categories.public.ts'
import {
  type MadeTransaction,
  bookingErrors,
  makeTransaction,
  rowOfMade,
} from '../../transactions/transactions.public.ts'
import { reconciliationErrors } from '../reconciliations.errors.ts'
import {
  reconciliationEvents,
  reconciliationThing,
  statedBySession,
} from '../reconciliations.events.ts'
import {
  accountOfReconciliation,
  reconciliationById,
  updateAsRead,
} from '../reconciliations.queries.ts'
import {
  MOST_TICKS,
  numbersOf,
  type ReconciliationView,
  requireOpenSession,
} from '../reconciliations.rules.ts'
import {
  existingReconciliation,
  type Reconciliation,
  requireMayReconcile,
} from '../reconciliations.usecases.ts'
import { rowsOfSession } from '../rows.queries.ts'
import { daysStated, lastReconciledDay, mustReconcileTo, replaceRows } from './finishing.queries.ts'
import { statusChanges } from './finishing.rules.ts'

interface Finish {
  /** True if the difference is booked. */
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
export async function againIfRaced<Result>(
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
export function requireSeesAll({ isHidden }: ReconciliationView): void {
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

async function finish(ctx: SignedIn, id: string, wanted: Finish): Promise<Reconciliation> {
  const { categoryId } = wanted
  const [[found], [account], [late], stated, categories, ...chunks] = await read(
    ctx,
    reconciliationById(ctx, id),
    accountOfReconciliation(ctx, id),
    lastReconciledDay(id),
    daysStated(id),
    categoryId === undefined ? nothing<NamedCategory>() : categoriesByIds(ctx, [categoryId]),
    ...rowsOfSession(ctx, id, MOST_TICKS),
  )
  const view = existingReconciliation(found)
  requireMayReconcile(view)
  requireOpenSession(view)
  requireSeesAll(view)
  if (account?.status !== 'open') {
    throw reconciliationErrors.accountClosed()
  }
  const rows = chunks.flat()
  const adjustment = adjustmentFor(ctx, view, account, { ...wanted, categories })
  const days = [view.statementDate, late?.date ?? '', ...rows.map(({ date }) => date)]
  const lastDay = days.reduce((one, other) => (one > other ? one : other))
  const assertion = stated.some(({ date }) => date === lastDay)
    ? undefined
    : assertionFor(ctx, view, lastDay)
  return commitFinish(ctx, view, { rows, adjustment, assertion, force: wanted.force })
}

interface Finishing {
  /** The rows that are ticked. */
  rows: LedgerRow[]
  adjustment: MadeTransaction | undefined
  assertion: AssertionRow | undefined
  force: boolean | undefined
}

function commitFinish(
  ctx: SignedIn,
  view: ReconciliationView,
  { rows, adjustment, assertion, force }: Finishing,
): Promise<Reconciliation> {
  const { accountId, statementDate, closingMinor } = view
  const version = view.version + 1
  const finished = {
    state: 'finished' as const,
    reconciledMinor: view.reconciledNow,
    finishedAt: ctx.now,
    adjustmentId: adjustment?.header.id ?? null,
    assertionId: assertion?.id ?? null,
  }
  const stored = [...rows, ...(adjustment ? [rowOfMade(adjustment)] : [])].map((row) => ({
    ...{ transactionId: row.transactionId, line: row.line },
    ...{ statusBefore: row.status, amountMinor: row.amountMinor, date: row.date },
  }))
  const history = historyFacts({ date: statementDate, changeMinor: 0, transactionId: null })
  return commit(ctx, {
    changes: [
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
        ...finishingPostings(ctx, rows, () => 'reconciled'),
        ...(adjustment ? [book([adjustment])] : []),
      ),
      {
        statements: [...replaceRows(view, stored), mustReconcileTo(view)],
        events: [
          reconciliationEvents.finished(
            { ...reconciliationThing(view), version, history },
            {
              ...{ ...statedBySession(view), rows: stored.length },
              ...(adjustment ? { adjustmentId: adjustment.header.id } : {}),
            },
          ),
        ],
      },
      ...(assertion ? [assertionCreated(assertion)] : []),
    ],
    result: {
      view: {
        ...{ ...view, ...finished, version, updatedAt: ctx.now },
        ...{ reconciledNow: closingMinor, ticked: stored.length },
      },
      drift: [],
    },
    conflicts: { 'balance_assertions.account_id': changedMeanwhile },
  })
}

export const postingErrors = {
  ...bookingErrors,
  gone: reconciliationErrors.notFound,
  closed: reconciliationErrors.accountClosed,
}

export const finishingPostings = (
  ctx: SignedIn,
  rows: LedgerRow[],
  statusOf: (row: LedgerRow) => Status,
): Posting[] => {
  const changes = statusChanges(rows, statusOf)
  return Array.from({ length: Math.ceil(changes.length / ROWS_PER_POSTING) }, (_, at) =>
    amend(ctx, changes.slice(at * ROWS_PER_POSTING, (at + 1) * ROWS_PER_POSTING)),
  )
}

/** Makes the booking of the difference of a session. A difference that is not to be booked is refused. */
function adjustmentFor(
  ctx: SignedIn,
  view: ReconciliationView,
  account: BookableAccount,
  { adjust, description, categoryId, categories }: Finish & { categories: NamedCategory[] },
): MadeTransaction | undefined {
  const { id, accountId, currency, statementDate: date } = view
  const { difference } = numbersOf(view)
  if (difference === 0n) {
    return undefined
  }
  if (!adjust) {
    const shown = { difference: formatMoney(difference, currency), currency, id }
    throw reconciliationErrors.difference(shown, { field: 'adjust' })
  }
  return makeTransaction(ctx, account, {
    ...amountOf(toMinor(difference), currency, categoryId, categories),
    ...{ accountId, date, status: 'reconciled', description },
  })
}

/** Makes the amount of a difference: with a category an expense or income, otherwise an adjustment. */
function amountOf(
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

const assertionCreated = (row: AssertionRow): Change => ({
  statements: insertAssertions([row]),
  events: [
    assertionEvents.created(
      { ...assertionThing(row), version: 1 },
      { after: assertionStated(row) },
    ),
  ],
})
