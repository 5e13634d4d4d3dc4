import {
  addDays,
  type CalendarDate,
  dateInZone,
  daysBetween,
  LAST_DATE,
  nearDay,
} from '../../../../domain/calendar.ts'
import { type Outlook, outlookFrom } from '../../../../domain/recurring/upcoming.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import { nothing } from '../../../../platform/database/statements.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { balanceUpTo, movements } from '../../../../ledger/search/search.public.ts'
import { accountById, accountErrors } from '../../../money/accounts/accounts.public.ts'
import { type DatedOccurrence, type Totals, totalsOf } from '../occurrences/occurrences.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { itemFinders, matching } from '../recurring.queries.ts'
import { isResting, itemsFrom } from '../recurring.rules.ts'
import { spanOfAnyNext } from '../recurring.usecases.ts'
import { changeOf, unpaidOf, unsettledIn } from './upcoming.rules.ts'

interface UpcomingFilter {
  from?: CalendarDate | undefined
  to?: CalendarDate | undefined
  accountId?: string | undefined
}

/** The balances of an account in the days to come. */
export interface AccountOutlook extends Outlook {
  currency: string
  /** Items that are left out, as only a rate would tell what they move here. */
  unconverted: string[]
}

export interface Upcoming {
  occurrences: DatedOccurrence[]
  totals: Totals[]
  /** Of the account, if one is asked for. */
  outlook?: AccountOutlook
}

const MOST_DAYS = 366
const MOST_OCCURRENCES = 1000
const DAYS_AHEAD = 30

/** Lists what is planned or due, in the order of the days; with an account also its balances until then. */
export async function listUpcoming(
  ctx: SignedIn,
  { from: sentFrom, to: sentTo, accountId }: UpcomingFilter,
): Promise<Upcoming> {
  const where = matching({ accountId, active: true })
  // It is one of the days around that of UTC everywhere.
  const yesterday = addDays(dateInZone(ctx.now, 'UTC'), -1)
  const ofAccount = <Finder>(id: string | undefined, find: (id: string) => Finder) =>
    id === undefined ? nothing<never>() : find(id)
  const [[found], [before], moved, ...known] = await read(
    ctx,
    ofAccount(accountId, (id) => accountById(ctx, id)),
    ofAccount(accountId, (id) => balanceUpTo(id, addDays(yesterday, -1))),
    ofAccount(accountId, (id) => movements(id, { from: yesterday, to: LAST_DATE, byMonth: false })),
    ...itemFinders(ctx, where, spanOfAnyNext(ctx)),
  )
  if (accountId !== undefined && !found) {
    throw accountErrors.notFound()
  }
  const { permissions, timeZone } = profileOf(ctx)
  if (found && !permissions.includes('accounts.read')) {
    throw forbidden('accounts.read')
  }
  const today = dateInZone(ctx.now, timeZone)
  const from = sentFrom ?? today
  const to = sentTo ?? nearDay(from > today ? from : today, DAYS_AHEAD)
  // Balances follow from all that comes before.
  const first = found && today < from ? today : from
  if (first <= to && daysBetween(first, to) >= MOST_DAYS) {
    throw recurringErrors.spanTooLong({ most: `${MOST_DAYS} days` }, { field: 'to' })
  }
  const all: DatedOccurrence[] = []
  for (const item of itemsFrom(ctx, known).filter((one) => one.schedule && !isResting(one))) {
    all.push(...unsettledIn(item, [first, to]))
    if (all.length > MOST_OCCURRENCES) {
      throw recurringErrors.spanTooLong({ most: '1,000 occurrences' }, { field: 'to' })
    }
  }
  const inOrder = all.toSorted((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
  const occurrences = inOrder.filter(({ date }) => date >= from || from <= today)
  const unpaid = occurrences.map((view) => ({ item: view.item, minor: unpaidOf(view) }))
  const listed = { occurrences, totals: totalsOf(unpaid) }
  if (!found || !before) {
    return listed
  }
  const { account } = found
  const changes = inOrder.map((one) => ({ ...one, amountMinor: changeOf(one, account) }))
  const booked = moved.map((one) => ({ date: one.period, amountMinor: fromWideSum(one.moved) }))
  const balanceMinor = booked
    .filter(({ date }) => date <= today)
    .reduce((sum, { amountMinor }) => sum + amountMinor, fromWideSum(before.balance))
  const outlook = outlookFrom([from, to], { today, balanceMinor }, [
    ...booked.filter(({ date }) => date > today),
    ...changes.flatMap(({ date, amountMinor }) =>
      amountMinor === undefined ? [] : [{ date, amountMinor }],
    ),
  ])
  const unconverted = changes.flatMap(({ item, amountMinor }) =>
    amountMinor === undefined ? [item.id] : [],
  )
  return {
    ...listed,
    outlook: {
      ...outlook,
      currency: account.currency,
      unconverted: [...new Set(unconverted)],
    },
  }
}

const positionOf = ({ date, nominalDate, item }: DatedOccurrence) =>
  `${date} ${nominalDate} ${item.id}`
