import { type CalendarDate, dateInZone, daysBetween, nearDay } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import {
  checkSchedule,
  type Occurrence,
  occurrencesFrom,
  type Schedule,
} from '../../../../domain/schedules/schedules.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commitAndRead, read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { checkDrafts, refusalIn } from '../../../money/transactions/transactions.public.ts'
import { draftOf } from '../checking.usecases.ts'
import { linkedByHand } from '../linking/linking.usecases.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import {
  itemsById,
  linkedRows,
  mustBeAsRead,
  recurringRows,
  saveOccurrences,
  storedOccurrences,
  wakeItem,
  within,
} from '../recurring.queries.ts'
import { itemOf, type RecurringItem, type StoredOccurrence, todayOf } from '../recurring.rules.ts'
import { existingItem, mustBeWritable } from '../recurring.usecases.ts'
import { storedWith, thingOf } from '../settling/settling.usecases.ts'
import {
  changesWith,
  factsById,
  type OccurrenceView,
  transactionFor,
  viewNamed,
  viewsIn,
} from './occurrences.rules.ts'

interface OccurrenceFilter {
  from?: CalendarDate | undefined
  to?: CalendarDate | undefined
  status?: OccurrenceView['status'] | undefined
}

/** The longest span of nominal dates in a request. */
const MOST_DAYS = 11_000

/** Days after today that a list shows where nobody says more. */
const DAYS_AHEAD = 366

/** Lists the occurrences of an item by their nominal dates. */
export async function listOccurrences(
  ctx: SignedIn,
  id: string,
  { from: sentFrom, to: sentTo, status }: OccurrenceFilter,
  page: PageRequest,
): Promise<Page<OccurrenceView>> {
  const isAsked = within([sentFrom ?? '', sentTo ?? '9999'])
  const [[row], stored, linked] = await read(
    ctx,
    recurringRows.byId(ctx, id),
    storedOccurrences(itemsById([id]), isAsked.stored),
    linkedRows(ctx, itemsById([id]), isAsked.linked),
  )
  const item = itemOf(existingItem(row))
  const today = todayOf(ctx, item)
  const [from, to] = [sentFrom ?? item.firstDay, sentTo ?? nearDay(today, DAYS_AHEAD)]
  if (from <= to && daysBetween(from, to) > MOST_DAYS) {
    throw recurringErrors.spanTooLong({ most: '11,000 days' }, { field: 'to' })
  }
  const all = viewsIn(item, factsById(stored, linked)(id), [from, to], today).filter(
    (view) => status === undefined || view.status === status,
  )
  const [after = ''] = page.after ?? []
  const rest = all.filter(({ nominalDate }) => nominalDate > after).slice(0, page.limit + 1)
  return { ...cutPage(rest, page, ({ nominalDate }) => [nominalDate]), count: all.length }
}

interface Preview {
  schedule: Schedule
  from?: CalendarDate | undefined
  count: number
}

/** The first occurrences of a schedule on or after a day. */
export async function previewSchedule(
  ctx: SignedIn,
  { schedule, from, count }: Preview,
): Promise<Occurrence[]> {
  checkSchedule(schedule)
  await read(ctx)
  const first = from ?? dateInZone(ctx.now, profileOf(ctx).timeZone)
  return [...occurrencesFrom(schedule, first).take(count)]
}

/** The parts of an occurrence that a request changes; what is absent is left alone. */
interface OccurrenceInput {
  /** null takes the occurrence back to the day of the schedule. */
  date?: CalendarDate | null | undefined
  /** Fields of the transaction; null takes all changes back. */
  changes?: Record<string, unknown> | null | undefined
  skipped?: boolean | undefined
  /** All transactions that are linked afterwards. */
  transactionIds?: string[] | undefined
}

/** Changes one occurrence, and which transactions are linked to it. */
export async function updateOccurrence(
  ctx: SignedIn,
  id: string,
  nominalDate: CalendarDate,
  { transactionIds, ...sent }: OccurrenceInput,
): Promise<OccurrenceView> {
  const isIt = within([nominalDate, nominalDate])
  const linkedToIt = linkedRows(ctx, itemsById([id]), isIt.linked)
  const [[row], stored, linked] = await read(
    ctx,
    recurringRows.byId(ctx, id),
    storedOccurrences(itemsById([id]), isIt.stored),
    linkedToIt,
  )
  const found = existingItem(row)
  const item = itemOf(found)
  const facts = factsById(stored, linked)(id)
  const today = todayOf(ctx, item)
  const view = viewNamed(item, facts, nominalDate, today)
  if (!view) {
    throw recurringErrors.noSuchOccurrence()
  }
  const isBooked = facts.linked.size > 0 || facts.stored.get(nominalDate)?.state === 'booked'
  if (isBooked && Object.values(sent).some((value) => value !== undefined)) {
    throw recurringErrors.settled()
  }
  const one = { item, nominalDate, date: view.date ?? nominalDate, facts }
  const after = storedWith(ctx, one, {
    ...(await changedColumns(ctx, item, view, sent)),
    ...(transactionIds ? { expectedMinor: view.amountMinor } : {}),
  })
  const links = transactionIds
    ? await linkedByHand(ctx, { item, nominalDate, linked }, transactionIds)
    : []
  const linkedAfter = await commitAndRead(
    ctx,
    {
      changes: [
        mustBeWritable(ctx, found.accountIds),
        {
          statements: [
            mustBeAsRead(item, nominalDate, facts.stored.get(nominalDate)),
            saveOccurrences([after]),
            ...wakeItem(ctx, found),
          ],
          events: sent.skipped ? [recurringEvents.skipped(thingOf(item), { nominalDate })] : [],
        },
        ...links,
      ],
    },
    linkedToIt,
  )
  const later = factsById([after], linkedAfter)(id)
  return viewNamed(item, later, nominalDate, today) ?? view
}

async function changedColumns(
  ctx: SignedIn,
  item: RecurringItem,
  { date: planned, changes: before, nominalDate }: OccurrenceView,
  { date, changes, skipped }: Omit<OccurrenceInput, 'transactionIds'>,
): Promise<Partial<StoredOccurrence>> {
  const wanted = changes ? JSON.stringify(changesWith(item, before, changes)) : changes
  if (wanted) {
    const draft = draftOf(transactionFor(item, wanted), date ?? planned ?? nominalDate)
    const currency = item.accountId === null ? item.currency : undefined
    const [made] = await checkDrafts(ctx, [draft], currency)
    if (made instanceof AppError) {
      throw refusalIn(made, 'changes')
    }
  }
  return {
    ...(date === undefined ? {} : { date, told: false }),
    ...(wanted === undefined ? {} : { changes: wanted }),
    ...(skipped === undefined ? {} : { state: skipped ? 'skipped' : null, reason: null }),
  }
}
