import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { valuationEvents } from './valuations.events.ts'
import type { CalendarDate } from '../../../domain/calendar.ts'
import { parseMoney } from '../../../domain/money.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { fromWideSum, type WideSum } from '../../../platform/database/wide-sums.ts'
import { requireAccess } from '../../identity/access/access.public.ts'
import { balanceUpTo, mustBalanceUpTo } from '../../../ledger/search/search.public.ts'
import { type LedgerRow, type Forced, post } from '../../../ledger/ledger.public.ts'
import { adjustmentIn, bookAdjustment } from './booking/booking.usecases.ts'
import { valuationErrors } from './valuations.errors.ts'
import {
  accountOfValuation,
  accountToValue,
  adjustmentsOf,
  countOfValuations,
  dayOfValuation,
  type Follower,
  followers,
  literal,
  mustBeOffBudget,
  mustFollow,
  pageOfValuations,
  valuationById,
  valuationRows,
  type ValuationFilter,
  type ValuationRow,
  type ValuationView,
} from './valuations.queries.ts'
import { followerOf, valuationPlan } from './valuations.rules.ts'

/** A valuation of an account on a day, with the balance at the end of that day. */
export interface Valuation extends ValuationRow {
  currency: string
  balanceMinor: bigint
  isHidden: 0 | 1
}

const valuationFrom = ({ balance, ...row }: ValuationView): Valuation => ({
  ...row,
  balanceMinor: fromWideSum(balance),
})

export async function listValuations(
  ctx: SignedIn,
  filter: ValuationFilter,
  page: PageRequest,
): Promise<Page<Valuation>> {
  const [found, [total]] = await read(
    ctx,
    pageOfValuations(ctx, filter, page),
    countOfValuations(ctx, filter),
  )
  const { rows, next } = cutPage(found, page, ({ date, id }) => [date, id])
  return { rows: rows.map(valuationFrom), next, count: total?.count ?? 0 }
}

export async function getValuation(ctx: SignedIn, id: string): Promise<Valuation> {
  const [[view]] = await read(ctx, valuationById(ctx, id))
  return valuationFrom(existing(view))
}

function existing(view: ValuationView | undefined): ValuationView {
  if (!view) {
    throw valuationErrors.notFound()
  }
  return view
}

interface NewValuation {
  accountId: string
  date: CalendarDate
  /** Decimal text. */
  value: string
  note?: string | null | undefined
  force?: boolean | undefined
}

/** Says what an account was worth on a day, and books what its balance differs by. */
export async function createValuation(ctx: SignedIn, wanted: NewValuation): Promise<Valuation> {
  const { accountId, date, force } = wanted
  const among = { account: literal(accountId), exceptId: '' }
  const days = [literal(date)]
  const [[account], [sums], others, rows] = await read(
    ctx,
    accountToValue(ctx, accountId),
    balanceUpTo(accountId, date),
    followers(among, days),
    adjustmentsOf(ctx, among, days),
  )
  if (!account || !sums) {
    throw valuationErrors.unknownAccount({ field: 'accountId' })
  }
  if (account.onBudget) {
    throw valuationErrors.onBudget({ field: 'accountId' })
  }
  const { ownerId, currency } = account
  const valueMinor = valueIn(currency, wanted.value)
  const booked = bookFor(ctx, account, {
    own: undefined,
    wanted: { date, valueMinor, balance: sums.balance },
    others,
    rows,
    force,
  })
  const valuation: ValuationRow = {
    id: freshId(ctx, 'val'),
    ownerId,
    accountId,
    date,
    valueMinor,
    note: wanted.note ?? null,
    transactionId: booked.transactionId,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      withoutEvents([mustBeOffBudget(accountId)]),
      ...booked.changes,
      {
        statements: [valuationRows.insert(valuation)],
        events: [
          valuationEvents.created(
            { id: valuation.id, ownerId, accountId, version: 1 },
            { after: { ...valuation, currency }, ...booked.forced },
          ),
        ],
      },
    ],
    result: { ...valuation, currency, balanceMinor: BigInt(valueMinor), isHidden: 0 },
    conflicts,
  })
}

const valueIn = (currency: string, text: string) =>
  parseMoney(text, currency, { signed: true, field: 'value' })

const bookingErrors = {
  gone: valuationErrors.accountNotFound,
  closed: valuationErrors.accountClosed,
}

const conflicts = { 'valuations.date': () => valuationErrors.dayTaken({ field: 'date' }) }

/** Absent means left alone. */
type ValuationChanges = Partial<Omit<NewValuation, 'accountId'>>

/** Changes what a valuation says, and books it anew: whatever differed, does not any more. */
export async function updateValuation(
  ctx: SignedIn,
  id: string,
  changes: { [Field in keyof ValuationChanges]: ValuationChanges[Field] | undefined },
): Promise<Valuation> {
  const days = [dayOfValuation(id), ...(changes.date === undefined ? [] : [literal(changes.date)])]
  const among = { account: accountOfValuation(id), exceptId: id }
  const [[found], others, rows] = await read(
    ctx,
    valuationById(ctx, id, changes.date),
    followers(among, days),
    adjustmentsOf(ctx, among, days),
  )
  const view = existing(found)
  requireVersion(ctx, view.version)
  if (view.onBudget) {
    throw valuationErrors.onBudget()
  }
  const { balance, currency, onBudget: _, isHidden, ...before } = view
  const { accountId, ownerId } = before
  const valueMinor =
    changes.value === undefined ? before.valueMinor : valueIn(currency, changes.value)
  const { date = before.date, note = before.note } = changes
  const booked = bookFor(
    ctx,
    { id: accountId, ownerId, currency },
    { own: before, wanted: { date, valueMinor, balance }, others, rows, force: changes.force },
  )
  const changed = { date, valueMinor, note, transactionId: booked.transactionId }
  const after = { ...before, ...changed }
  return commit(ctx, {
    changes: [
      withoutEvents([mustBeOffBudget(accountId)]),
      ...booked.changes,
      {
        statements: valuationRows.update(ctx, before, changed),
        events: [
          valuationEvents.updated(
            { id, ownerId, accountId, version: before.version + 1 },
            { before, after, ...booked.forced },
          ),
        ],
      },
    ],
    result: {
      ...after,
      currency,
      balanceMinor: BigInt(valueMinor),
      isHidden,
      version: before.version + 1,
      updatedAt: ctx.now,
    },
    conflicts,
  })
}

/** Takes a valuation back, and its adjustment to the trash. */
export async function deleteValuation(ctx: SignedIn, id: string, force?: boolean): Promise<void> {
  const days = [dayOfValuation(id)]
  const among = { account: accountOfValuation(id), exceptId: id }
  const [[found], others, rows] = await read(
    ctx,
    valuationById(ctx, id),
    followers(among, days),
    adjustmentsOf(ctx, among, days),
  )
  const { balance: _balance, currency, onBudget: _, isHidden: _hidden, ...before } = existing(found)
  requireVersion(ctx, before.version)
  const { accountId, ownerId } = before
  const account = { id: accountId, ownerId, currency }
  const booked = bookFor(ctx, account, { own: before, wanted: undefined, others, rows, force })
  await commit(ctx, {
    changes: [
      ...booked.changes,
      {
        statements: valuationRows.delete(before),
        events: [
          valuationEvents.deleted(
            { id, ownerId, accountId },
            { before: { ...before, currency }, ...booked.forced },
          ),
        ],
      },
    ],
    result: undefined,
  })
}

interface Rebooking {
  /** The stored valuation; undefined for a new one. */
  own: ValuationRow | undefined
  /** Undefined takes it back. */
  wanted: { date: CalendarDate; valueMinor: number; balance: WideSum } | undefined
  others: Follower[]
  /** The adjustments that were read. */
  rows: LedgerRow[]
  force: boolean | undefined
}

/** All that the bookings of one valuation and of those after it come to. */
interface BookedValuation {
  /** Transaction of the valuation's own adjustment. */
  transactionId: string | null
  changes: Change[]
  forced: Forced
}

/**
 * Returns the change, with its premises, that brings the account to the wanted value on its day. Later valuations
 * stay true.
 */
function bookFor(
  ctx: SignedIn,
  account: { id: string; ownerId: string; currency: string },
  { own, wanted, others, rows, force }: Rebooking,
): BookedValuation {
  const accountId = account.id
  const exceptId = own?.id ?? ''
  const following = others.map((other) => ({
    ...other,
    row: adjustmentIn(rows, { ...other, accountId }),
  }))
  const ownRow = own && adjustmentIn(rows, own)
  const plan = valuationPlan({
    own: own && { date: own.date, bookedMinor: ownRow?.amountMinor ?? 0 },
    wanted,
    balanceMinor: wanted ? fromWideSum(wanted.balance) : 0n,
    others: following.map(({ id, date, row }) => ({
      id,
      date,
      bookedMinor: row?.amountMinor ?? 0,
    })),
  })
  const date = wanted?.date ?? own?.date ?? ''
  const ownBooking = bookAdjustment(ctx, account, ownRow, { date, minor: plan.ownMinor, force })
  const rebooked = following
    .filter(({ id }) => plan.others.has(id))
    .map((other) => ({
      other,
      booking: bookAdjustment(ctx, account, other.row, {
        date: other.date,
        minor: plan.others.get(other.id) ?? 0,
        force,
      }),
    }))
  const bookings = [ownBooking, ...rebooked.map(({ booking }) => booking)]
  const postings = bookings.flatMap(({ posting }) => posting ?? [])
  const days = new Set([own?.date ?? [], wanted?.date ?? []].flat())
  return {
    transactionId: ownBooking.transactionId,
    forced: Object.assign({}, ...bookings.map((one) => one.forced)),
    changes: [
      withoutEvents([
        ...(postings.length === 0
          ? [requireAccess(ctx, 'write', [accountId], bookingErrors.gone)]
          : []),
        ...(wanted ? [mustBalanceUpTo(accountId, wanted.date, wanted.balance)] : []),
        ...[...days].map((day) =>
          mustFollow({ accountId, exceptId }, day, followerOf(others, day)),
        ),
      ]),
      post(ctx, { ...bookingErrors, force }, ...postings),
      // The valuations after it keep their words, and so are not mentioned.
      withoutEvents(
        rebooked.flatMap(({ other, booking }) =>
          booking.transactionId === other.transactionId
            ? []
            : valuationRows.update(
                ctx,
                { ...other, ownerId: account.ownerId },
                { transactionId: booking.transactionId },
              ),
        ),
      ),
    ],
  }
}
