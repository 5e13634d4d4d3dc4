import { type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import { parseMoney } from '../../../domain/money.ts'
import { rankOf } from '../../../domain/sharing.ts'
import { type Context, freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { forAllRows } from '../../../platform/work/each-row.ts'
import { withoutEvents, type Change } from '../../../platform/log/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { changedMeanwhile, rightNeeded } from '../../../platform/database/refusals.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import type { Basis } from '../../../ledger/search/search.public.ts'
import { assertionErrors } from './balance-assertions.errors.ts'
import { assertionEvents, assertionThing, statedByAssertion } from './balance-assertions.events.ts'
import {
  accountToAssert,
  assertionById,
  type AssertionFilter,
  assertionOn,
  assertionsAfter,
  type AssertionView,
  type CheckedAssertion,
  countOfAssertions,
  deleteAssertionRow,
  insertAssertions,
  keepOutcomes,
  pageOfAssertions,
} from './balance-assertions.queries.ts'
import {
  type AssertionRow,
  type Edge,
  holds,
  lastDayOf,
  type AssertionOutcome,
  assertionOutcome,
} from './balance-assertions.rules.ts'
import type { StatedClosingRow } from './checking.queries.ts'

/** An assertion with what came of it. */
export interface Assertion {
  row: AssertionRow
  currency: string
  outcome: AssertionOutcome
}

export const assertionFrom = ({
  currency,
  actual,
  isHidden,
  rank: _,
  wasOk,
  ...row
}: AssertionView): Assertion => ({
  row: { ...row, wasOk: wasOk === 1 },
  currency,
  outcome: assertionOutcome(row, fromWideSum(actual), isHidden === 1),
})

export async function listBalanceAssertions(
  ctx: SignedIn,
  filter: AssertionFilter,
  page: PageRequest,
): Promise<Page<Assertion>> {
  const [found, [total]] = await read(
    ctx,
    pageOfAssertions(ctx, filter, page),
    countOfAssertions(ctx, filter),
  )
  const { rows, next } = cutPage(found, page, ({ date, id }) => [date, id])
  return { rows: rows.map(assertionFrom), next, count: total?.count ?? 0 }
}

export async function getBalanceAssertion(ctx: SignedIn, id: string): Promise<Assertion> {
  const [[view]] = await read(ctx, assertionById(ctx, id))
  if (!view) {
    throw assertionErrors.notFound()
  }
  return assertionFrom(view)
}

interface NewAssertion {
  accountId: string
  date: CalendarDate
  when: Edge
  of: Basis
  /** Decimal text, as is `tolerance`. */
  amount: string
  tolerance?: string | undefined
  note?: string | null | undefined
}

export interface CreatedAssertion {
  assertion: Assertion
  isNew: boolean
}

/** States what an account held at the edge of a day. The same statement once more gives the first one. */
export async function createBalanceAssertion(
  ctx: SignedIn,
  { accountId, date, when: edge, of: basis, amount, tolerance = '0', note = null }: NewAssertion,
): Promise<CreatedAssertion> {
  const through = lastDayOf(date, edge)
  const [[account], [existing]] = await read(
    ctx,
    accountToAssert(ctx, { accountId, through, basis }),
    assertionOn(ctx, { accountId, date, edge, basis }),
  )
  if (!account) {
    throw assertionErrors.unknownAccount({ field: 'accountId' })
  }
  requireMayAssert(account.rank)
  const { ownerId, currency } = account
  const stated = {
    amountMinor: parseMoney(amount, currency, { signed: true, field: 'amount' }),
    toleranceMinor: parseMoney(tolerance, currency, { field: 'tolerance' }),
  }
  if (date > dateInZone(ctx.now, profileOf(ctx).timeZone)) {
    throw assertionErrors.dateInFuture({ field: 'date' })
  }
  if (existing && existing.amountMinor !== stated.amountMinor) {
    const { id } = existing
    throw assertionErrors.taken({ id }, { field: 'amount', location: `/balance-assertion/${id}` })
  }
  if (existing) {
    return { assertion: assertionFrom(existing), isNew: false }
  }
  const actual = fromWideSum(account.actual)
  const row: AssertionRow = {
    id: freshId(ctx, 'bas'),
    ownerId,
    ...{ accountId, date, edge, basis, through, ...stated },
    ...{ source: 'user', lockId: null, note },
    createdBy: ctx.caller.userId,
    wasOk: holds(stated, actual),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'write', [accountId], unknownAccount),
          ...insertAssertions([row]),
        ],
        events: [
          assertionEvents.created(
            { ...assertionThing(row), version: 1 },
            { after: statedByAssertion(row) },
          ),
        ],
      },
    ],
    result: {
      assertion: { row, currency, outcome: assertionOutcome(row, actual, account.isHidden === 1) },
      isNew: true,
    },
    conflicts: { 'balance_assertions.account_id': changedMeanwhile },
  })
}

const unknownAccount = () => assertionErrors.unknownAccount({ field: 'accountId' })

function requireMayAssert(rank: number): void {
  if (rank < rankOf('write')) {
    throw rightNeeded('write')()
  }
}

export async function deleteBalanceAssertion(ctx: SignedIn, id: string): Promise<void> {
  const [[view]] = await read(ctx, assertionById(ctx, id))
  if (!view) {
    throw assertionErrors.notFound()
  }
  requireMayAssert(view.rank)
  requireVersion(ctx, view.version)
  const { row } = assertionFrom(view)
  return commit(ctx, {
    changes: [
      {
        statements: [
          requireAccess(ctx, 'write', [row.accountId], assertionErrors.notFound),
          ...deleteAssertionRow(row),
        ],
        events: [assertionEvents.deleted(assertionThing(row), { before: statedByAssertion(row) })],
      },
    ],
    result: undefined,
  })
}

export const CHECK_ASSERTIONS = 'assertions.check'

/** Assertions of one run; the others are another task's. */
const ASSERTIONS_PER_RUN = 500

/** Compares, every night, all assertions with the books, and tells of those that do not hold any more. */
export async function checkAssertions(
  ctx: Context,
  { after = '' }: { after?: string | undefined },
  finish: Statement[],
): Promise<void> {
  const [checked] = await read(ctx, assertionsAfter(after, ASSERTIONS_PER_RUN))
  const turned = checked.flatMap((one) => {
    const isOk = holds(one, fromWideSum(one.actual))
    // Nothing is booked on an account in the trash: what it held is compared again once it is restored.
    return one.isInTrash === 1 || isOk === (one.wasOk === 1) ? [] : [{ ...one, isOk }]
  })
  await forAllRows(ctx, { work: CHECK_ASSERTIONS, rows: turned }, (some) =>
    commit(ctx, {
      changes: [
        {
          statements: keepOutcomes([...some]),
          events: some.filter(({ isOk }) => !isOk).map(failed),
        },
      ],
      result: undefined,
    }),
  )
  const last = checked.length === ASSERTIONS_PER_RUN ? checked.at(-1) : undefined
  return commit(ctx, {
    changes: [withoutEvents(finish)],
    tasks: last ? [{ kind: CHECK_ASSERTIONS, payload: { after: last.id } }] : [],
    result: undefined,
  })
}

const failed = (assertion: CheckedAssertion) => {
  const { date, edge, basis, amountMinor, hasPrivate } = assertion
  return assertionEvents.failed(assertionThing(assertion), {
    ...{ date, edge, basis, amountMinor },
    ...(hasPrivate === 1 ? { private: true } : {}),
  })
}

/** States the closings of statements of which nothing is stated yet. */
export function assertClosings(ctx: SignedIn, closings: StatedClosingRow[]): Change {
  const open = closings.filter(({ isStated }) => isStated === 0)
  const rows = open.map(
    ({ accountId, ownerId, date, basis, amountMinor, actual }): AssertionRow => {
      const stated = { amountMinor, toleranceMinor: 0 }
      return {
        id: freshId(ctx, 'bas'),
        ...{ ownerId, accountId, date, edge: 'endOfDay', basis, through: date, ...stated },
        ...{ source: 'import', lockId: null, note: null, createdBy: ctx.caller.userId },
        wasOk: holds(stated, fromWideSum(actual)),
        ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
      }
    },
  )
  const accountIds = [...new Set(rows.map(({ accountId }) => accountId))]
  return {
    statements:
      rows.length === 0
        ? []
        : [
            requireAccess(ctx, 'write', accountIds, assertionErrors.unknownAccount),
            ...insertAssertions(rows),
          ],
    events: rows.map((row) =>
      assertionEvents.created(
        { ...assertionThing(row), version: 1 },
        { after: statedByAssertion(row) },
      ),
    ),
  }
}
