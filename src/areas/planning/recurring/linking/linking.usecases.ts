import type { CalendarDate } from '../../../../domain/calendar.ts'
import { checkAll } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { nearestDates } from '../../../../domain/recurring/linking.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import {
  amend,
  type Amendment,
  entriesOf,
  type LedgerRow,
  ledgerRowsByIds,
  post,
  releaseRecurring,
} from '../../../../ledger/ledger.public.ts'
import { categoriesByIds } from '../../../money/categories/categories.public.ts'
import {
  bookingErrors,
  MOST_BULK_LINES,
  transactionErrors,
} from '../../../money/transactions/transactions.public.ts'
import { storedWith, thingOf } from '../booking.usecases.ts'
import type { OccurrenceView } from '../occurrences/occurrences.rules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import { saveOccurrences } from '../recurring.queries.ts'
import type { LinkedRow, RecurringItem } from '../recurring.rules.ts'
import { dismiss } from './candidates.queries.ts'
import { categoryIdsOf, filledFrom, keyOfMatch } from './linking.rules.ts'

/** A transaction that is to be linked to an occurrence, or to a template without one. */
export interface NewLink {
  row: LedgerRow
  item: RecurringItem
  nominalDate: CalendarDate | null
  /** The amount that is expected of the occurrence. */
  expectedMinor: number
}

/** Reads transactions by their ids, with the kinds of what items fill in. */
export async function readToLink(ctx: SignedIn, items: RecurringItem[], ids: string[]) {
  const [rows, categories] = await read(
    ctx,
    ledgerRowsByIds(ctx, ids, MOST_BULK_LINES),
    categoriesByIds(ctx, [...new Set(items.flatMap(categoryIdsOf))]),
  )
  const ofExpenses = categories.filter(({ kind }) => kind === 'expense').map(({ id }) => id)
  return {
    byId: new Map(rows.map((row) => [idOf(row), row])),
    expenseCategoryIds: new Set(ofExpenses),
  }
}

type ReadToLink = Awaited<ReturnType<typeof readToLink>>

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)

/**
 * Links transactions, fills in what they lack, and tells it.
 * @param fills false if their other fields stay as they are
 * @param others further changes of transactions
 */
export function linking(
  ctx: SignedIn,
  links: NewLink[],
  { expenseCategoryIds }: Pick<ReadToLink, 'expenseCategoryIds'>,
  { fills = true, others = [] }: { fills?: boolean; others?: Amendment[] } = {},
): Change[] {
  const amendments = links.map(({ row, item, nominalDate }): Amendment => ({
    row,
    columns: { recurringId: item.id, recurringDate: nominalDate },
    ...(fills
      ? { ...filledFrom(row, item, expenseCategoryIds), carries: true }
      : { right: 'annotate' }),
  }))
  const ofOccurrences = links.flatMap(({ nominalDate, ...link }) =>
    nominalDate === null ? [] : [{ ...link, nominalDate }],
  )
  const byOccurrence = Map.groupBy(
    ofOccurrences,
    ({ item, nominalDate }) => `${item.id} ${nominalDate}`,
  )
  const rows = ofOccurrences.map((one) =>
    storedWith(ctx, one, { expectedMinor: one.expectedMinor }),
  )
  return [
    post(ctx, bookingErrors, amend(ctx, [...amendments, ...others])),
    {
      // What else is known of them stays as it is.
      statements: [saveOccurrences(rows, ['expected_minor', 'updated_at'])],
      events: [...byOccurrence.values()].flatMap((some) => {
        const transactionIds = some.map(({ row }) => idOf(row))
        const [{ item, nominalDate }] = some as [(typeof some)[0]]
        return recurringEvents.settled(thingOf(item), { nominalDate, transactionIds })
      }),
    },
  ]
}

/** Links exactly these transactions to an occurrence. What is taken off is not linked to it again by itself. */
export async function linkedByHand(
  ctx: SignedIn,
  { item, nominalDate, transactionIds: before, expected }: OccurrenceView,
  transactionIds: string[],
): Promise<Change[]> {
  const added = transactionIds.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !transactionIds.includes(id))
  if (added.length + removed.length === 0) {
    return []
  }
  const found = await readToLink(ctx, [item], [...added, ...removed])
  const links = linkable(item, found, transactionIds, added).map((row) => ({
    ...{ row, item, nominalDate, expectedMinor: expected.amountMinor },
  }))
  const toRemove = removed.flatMap((id) => found.byId.get(id) ?? [])
  const others = toRemove.map((row) => ({
    ...{ row, columns: { recurringId: null, recurringDate: null } },
    right: 'annotate' as const,
  }))
  const keys = removed.map((transactionId) =>
    keyOfMatch({ recurringId: item.id, nominalDate, transactionId }),
  )
  return [
    ...linking(ctx, links, found, { others }),
    withoutEvents([
      ...toRemove.map((row) => releaseRecurring(row, item.id)),
      ...(keys.length === 0 ? [] : [dismiss(ctx, item.ownerId, keys)]),
    ]),
  ]
}

/** Links transactions to a new item: each to the occurrence with the nearest nominal date, and those of a template to none. */
export async function linkedAtCreation(
  ctx: SignedIn,
  item: RecurringItem,
  transactionIds: string[],
): Promise<{ changes: Change[]; linked: LinkedRow[] }> {
  if (transactionIds.length === 0) {
    return { changes: [], linked: [] }
  }
  const found = await readToLink(ctx, [item], transactionIds)
  const rows = linkable(item, found, transactionIds)
  const nearest = nearestDates(
    item.schedule,
    rows.map(({ date }) => date),
  )
  const links = rows.map((row) => {
    const nominalDate = nearest.get(row.date) ?? null
    return { row, item, nominalDate, expectedMinor: item.amountMinor }
  })
  return {
    changes: linking(ctx, links, found),
    linked: links.flatMap(({ row, nominalDate }) => {
      const { transactionId: headerId, headerKind: kind, line, date, amountMinor } = row
      const recurringId = item.id
      return nominalDate === null
        ? []
        : [{ recurringId, nominalDate, headerId, kind, line, date, amountMinor }]
    }),
  }
}

/** @throws AppError that names a transaction which cannot be linked, by its place in the list */
const linkable = (
  item: RecurringItem,
  { byId }: Pick<ReadToLink, 'byId'>,
  all: string[],
  added = all,
): LedgerRow[] =>
  checkAll(
    ...added.map((id) => () => {
      const row = byId.get(id)
      const field = `transactionIds.${all.indexOf(id)}`
      if (!row) {
        throw transactionErrors.unknownTransaction({ field })
      }
      if (!isOnAccountOf(item, row)) {
        throw recurringErrors.otherAccount({ field })
      }
      if (row.recurringId !== null) {
        throw recurringErrors.linkedElsewhere({ field })
      }
      return row
    }),
  )

const isOnAccountOf = (item: RecurringItem, row: LedgerRow): boolean =>
  item.accountId === null
    ? row.currency === item.currency && row.ownerId === item.ownerId
    : entriesOf(row).some(
        ({ accountId, side }) => side === 'account' && accountId === item.accountId,
      )
