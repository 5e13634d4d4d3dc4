import {
  type CalendarDate,
  dateInZone,
  daysBetween,
  LAST_DATE,
  nearDay,
} from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import {
  checkSchedule,
  type Occurrence,
  occurrencesFrom,
  type Schedule,
} from '../../../../domain/schedules/schedules.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commitAndRead, read } from '../../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../../platform/database/paging.ts'
import { checkDrafts, refusalIn } from '../../../money/transactions/transactions.public.ts'
import { storedWith, thingOf } from '../booking.usecases.ts'
import { linkedByHand } from '../linking/linking.usecases.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import {
  isOneOf,
  itemFinders,
  mustBeAsRead,
  saveOccurrences,
  wakeItem,
} from '../recurring.queries.ts'
import { draftOf, itemOf, type StoredOccurrence, transactionWith } from '../recurring.rules.ts'
import { mustBeWritable, pageOf, readItem } from '../recurring.usecases.ts'
import {
  changesWith,
  isBooked,
  type OccurrenceView,
  noSuchOccurrence,
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
  const item = await readItem(ctx, id, [sentFrom ?? '', sentTo ?? LAST_DATE])
  const [from, to] = [sentFrom ?? item.firstDay, sentTo ?? nearDay(item.today, DAYS_AHEAD)]
  if (from <= to && daysBetween(from, to) > MOST_DAYS) {
    throw recurringErrors.spanTooLong({ most: '11,000 days' }, { field: 'to' })
  }
  const all = viewsIn(item, [from, to]).filter(
    (view) => status === undefined || view.status === status,
  )
  return pageOf(all, page, ({ nominalDate }) => nominalDate)
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
  const onIt = [nominalDate, nominalDate] as const
  const item = await readItem(ctx, id, onIt)
  const view = viewNamed(item, nominalDate)
  if (!view) {
    throw noSuchOccurrence(item, nominalDate)
  }
  if (isBooked(view) && Object.values(sent).some((value) => value !== undefined)) {
    throw recurringErrors.settled()
  }
  const after = storedWith(ctx, view, {
    ...(await changedColumns(ctx, view, sent)),
    ...(transactionIds ? { expectedMinor: view.expected.amountMinor } : {}),
  })
  const links = transactionIds ? await linkedByHand(ctx, view, transactionIds) : []
  const linked = await commitAndRead(
    ctx,
    {
      changes: [
        mustBeWritable(ctx, item.accountIds),
        {
          statements: [
            mustBeAsRead(item, nominalDate, view.known),
            saveOccurrences([after]),
            ...wakeItem(ctx, item),
          ],
          events: sent.skipped ? [recurringEvents.skipped(thingOf(item), { nominalDate })] : [],
        },
        ...links,
      ],
    },
    itemFinders(ctx, isOneOf([id]), onIt)[2],
  )
  return viewNamed(itemOf(ctx, item.row, [after], linked), nominalDate) ?? view
}

async function changedColumns(
  ctx: SignedIn,
  { item, nominalDate, date: planned, changes: before }: OccurrenceView,
  { date, changes, skipped }: Omit<OccurrenceInput, 'transactionIds'>,
): Promise<Partial<StoredOccurrence>> {
  const wanted = changes ? JSON.stringify(changesWith(item, before, changes)) : changes
  if (wanted) {
    const transaction = transactionWith(item.transaction, wanted)
    const currency = item.accountId === null ? item.currency : undefined
    const draft = draftOf(transaction, date ?? planned ?? nominalDate)
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
