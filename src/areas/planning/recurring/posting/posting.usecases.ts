import type { CalendarDate } from '../../../../domain/calendar.ts'
import { AppError, checkAll } from '../../../../domain/errors.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import { type Creation, outcomeOf } from '../../../money/transactions/transactions.public.ts'
import { bookOccurrences, type ToBook } from '../booking.usecases.ts'
import { changesWith, isBooked, viewNamed } from '../occurrences/occurrences.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { isOneOf, itemFinders } from '../recurring.queries.ts'
import { itemsFrom, type RecurringItem } from '../recurring.rules.ts'

/** An occurrence that is to be booked, or a template without one. */
interface WantedPosting {
  recurringId: string
  nominalDate?: CalendarDate | undefined
  changes?: Record<string, unknown> | undefined
}

interface Posting {
  items: WantedPosting[]
  force?: boolean | undefined
  dryRun: boolean
}

/** Books occurrences, and templates: all of them, or none. */
export async function postOccurrences(
  ctx: SignedIn,
  { items: wanted, force, dryRun }: Posting,
): Promise<Creation> {
  const ids = [...new Set(wanted.map(({ recurringId }) => recurringId))]
  const found = itemsFrom(ctx, await read(ctx, ...itemFinders(ctx, isOneOf(ids))))
  const items = new Map(found.map((item) => [item.id, item]))
  const toBook = checkAll(
    ...wanted.map((one, at) => () => toPost(items.get(one.recurringId), one, `items.${at}`)),
  )
  requireBookings(ctx, toBook)
  return bookOccurrences(ctx, toBook, { force, dryRun, list: 'items' }, (recorded) => ({
    results: recorded.map((one) => outcomeOf(one, dryRun)),
    dryRun,
  }))
}

/** @param place the field of the request */
function toPost(
  item: RecurringItem | undefined,
  { nominalDate, changes = {} }: WantedPosting,
  place: string,
): ToBook {
  if (!item) {
    throw recurringErrors.unknownItem({ field: `${place}.recurringId` })
  }
  const field = `${place}.nominalDate`
  const { date: sent, ...fields } = changes as { date?: CalendarDate }
  if (item.schedule === null) {
    if (nominalDate !== undefined) {
      throw recurringErrors.dateOfTemplate({ field })
    }
    const only = JSON.stringify(changesWith(item, null, fields))
    return { item, nominalDate: null, date: sent ?? item.today, changes: only }
  }
  if (nominalDate === undefined) {
    throw recurringErrors.dateNeeded({ field })
  }
  const view = viewNamed(item, nominalDate)
  if (!view) {
    const { code, message } = recurringErrors.noSuchOccurrence()
    throw new AppError('invalid', code, message, { field })
  }
  if (isBooked(view)) {
    throw recurringErrors.settled({ field })
  }
  return {
    ...view,
    date: sent ?? view.date ?? nominalDate,
    changes: JSON.stringify(changesWith(item, view.changes, fields)),
  }
}

/** Booking takes the permission that it takes elsewhere. */
function requireBookings(ctx: SignedIn, wanted: ToBook[]): void {
  const { permissions } = profileOf(ctx)
  for (const { item } of wanted) {
    const needed = item.transaction.kind === 'transfer' ? 'transfers.write' : 'transactions.write'
    if (!permissions.includes(needed)) {
      throw forbidden(needed)
    }
  }
}
