import type { CalendarDate } from '../../../../domain/calendar.ts'
import { AppError, checkAll } from '../../../../domain/errors.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import {
  type Creation,
  outcomeOf,
  record,
} from '../../../money/transactions/transactions.public.ts'
import { draftOf } from '../checking.usecases.ts'
import {
  changesWith,
  type Facts,
  factsById,
  transactionFor,
  viewNamed,
} from '../occurrences/occurrences.rules.ts'
import { mustBeUnchanged } from '../linking/candidates.queries.ts'
import { recurringErrors } from '../recurring.errors.ts'
import {
  itemsById,
  linkedRows,
  mustBeOpen,
  recurringRows,
  storedOccurrences,
} from '../recurring.queries.ts'
import { itemOf, type RecurringItem, todayOf } from '../recurring.rules.ts'
import { originOf, outcomesOf } from '../settling/settling.usecases.ts'
import type { DueOccurrence } from '../settling/settling.rules.ts'

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
  const [rows, stored, linked] = await read(
    ctx,
    recurringRows.byIds(ctx, ids),
    storedOccurrences(itemsById(ids)),
    linkedRows(ctx, itemsById(ids)),
  )
  const factsOf = factsById(stored, linked)
  const items = new Map(rows.map((row) => [row.id, itemOf(row)]))
  const known = { items, factsOf }
  const due = checkAll(
    ...wanted.map((one, at) => () => {
      const place = `items.${at}`
      if (one.nominalDate !== undefined && wanted.findIndex(isSameAs(one)) < at) {
        throw recurringErrors.settled({ field: `${place}.nominalDate` })
      }
      return toPost(ctx, one, { ...known, place })
    }),
  )
  requireBookings(ctx, due)
  const occurrences = due.flatMap(({ item, nominalDate }) =>
    nominalDate === null ? [] : [{ recurringId: item.id, nominalDate }],
  )
  return record(
    ctx,
    due.map((one) => ({
      ...draftOf(transactionFor(one.item, JSON.stringify(one.changes)), one.date),
      ...originOf(ctx, one),
    })),
    {
      ...{ force, dryRun, list: 'items' },
      premises: [mustBeUnchanged([...items.values()]), mustBeOpen(occurrences)],
      also: (decided) => [
        outcomesOf(
          ctx,
          due.filter(isOccurrence),
          decided.filter((_, at) => due[at]?.nominalDate !== null),
        ),
      ],
    },
    (recorded) => ({ results: recorded.map((one) => outcomeOf(one, dryRun)), dryRun }),
  )
}

/** An occurrence, or a template, that can be booked. */
interface Postable extends Omit<DueOccurrence, 'nominalDate'> {
  /** null for a template. */
  nominalDate: CalendarDate | null
  changes: Record<string, unknown>
}

const isSameAs = (one: WantedPosting) => (other: WantedPosting) =>
  other.recurringId === one.recurringId && other.nominalDate === one.nominalDate

const isOccurrence = (one: Postable): one is Postable & DueOccurrence => one.nominalDate !== null

interface Known {
  items: ReadonlyMap<string, RecurringItem>
  factsOf: (id: string) => Facts
  /** The field of the request. */
  place: string
}

function toPost(
  ctx: SignedIn,
  { recurringId, nominalDate, changes = {} }: WantedPosting,
  { items, factsOf, place }: Known,
): Postable {
  const item = items.get(recurringId)
  if (!item) {
    throw recurringErrors.unknownItem({ field: `${place}.recurringId` })
  }
  const facts = factsOf(recurringId)
  const today = todayOf(ctx, item)
  const { date: sent, ...fields } = changes as { date?: CalendarDate }
  if (item.schedule === null) {
    if (nominalDate !== undefined) {
      throw recurringErrors.dateOfTemplate({ field: `${place}.nominalDate` })
    }
    return {
      item,
      facts,
      nominalDate: null,
      date: sent ?? today,
      changes: changesWith(item, null, fields),
    }
  }
  if (nominalDate === undefined) {
    throw recurringErrors.dateNeeded({ field: `${place}.nominalDate` })
  }
  const view = viewNamed(item, facts, nominalDate, today)
  if (!view) {
    const { code, message } = recurringErrors.noSuchOccurrence()
    throw new AppError('invalid', code, message, { field: `${place}.nominalDate` })
  }
  if (view.transactionIds.length > 0 || facts.stored.get(nominalDate)?.state === 'booked') {
    throw recurringErrors.settled({ field: `${place}.nominalDate` })
  }
  return {
    ...{ item, facts, nominalDate, date: sent ?? view.date ?? nominalDate },
    changes: changesWith(item, view.changes, fields),
  }
}

/** Booking takes the permission that it takes elsewhere. */
function requireBookings(ctx: SignedIn, due: Postable[]): void {
  const { permissions } = profileOf(ctx)
  for (const { item } of due) {
    const needed = item.transaction.kind === 'transfer' ? 'transfers.write' : 'transactions.write'
    if (!permissions.includes(needed)) {
      throw forbidden(needed)
    }
  }
}
