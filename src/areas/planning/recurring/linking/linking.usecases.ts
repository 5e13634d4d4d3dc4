import type { CalendarDate } from '../../../../domain/calendar.ts'
import { checkAll } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import { nearestDates } from '../../../../domain/recurring/linking.ts'
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
import { dismissMatches } from '../dismissing/dismissing.queries.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import type { LinkedRow } from '../recurring.rules.ts'
import type { RecurringItem } from '../recurring.rules.ts'
import { thingOf } from '../settling/settling.usecases.ts'
import { saveExpected } from './candidates.queries.ts'
import { categoryIdsOf, filledFrom } from './filling.rules.ts'
import { keyOfMatch } from './linking.rules.ts'

interface Place {
  item: RecurringItem
  nominalDate: CalendarDate
  /** The rows that are linked to it now. */
  linked: readonly LinkedRow[]
}

/** Links exactly these transactions to an occurrence. What is taken off is not linked to it again by itself. */
export async function linkedByHand(
  ctx: SignedIn,
  { item, nominalDate, linked }: Place,
  transactionIds: string[],
): Promise<Change[]> {
  const before = linked.map(({ headerId, kind, line }) => legIdOf(headerId, kind, line))
  const added = transactionIds.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !transactionIds.includes(id))
  if (added.length + removed.length === 0) {
    return []
  }
  const { byId, expenseCategoryIds } = await readToLink(ctx, [item], [...added, ...removed])
  const toAdd = linkable(item, byId, transactionIds, added)
  const toRemove = removed.flatMap((id) => byId.get(id) ?? [])
  const off = { recurringId: null, recurringDate: null }
  const keys = removed.map((transactionId) =>
    keyOfMatch({ recurringId: item.id, nominalDate, transactionId }),
  )
  return [
    post(
      ctx,
      bookingErrors,
      amend(ctx, [
        ...toAdd.map((row) => linkedTo(row, { item, nominalDate }, expenseCategoryIds)),
        ...toRemove.map((row) => ({ row, columns: off, right: 'annotate' as const })),
      ]),
    ),
    {
      statements: [
        ...toRemove.map((row) => releaseRecurring(row, item.id)),
        ...(keys.length === 0 ? [] : [dismissMatches(ctx, item, keys)]),
      ],
      events:
        toAdd.length === 0
          ? []
          : [recurringEvents.settled(thingOf(item), { nominalDate, transactionIds: added })],
    },
  ]
}

/** Links transactions to a new item: each to the occurrence with the nearest nominal date, and those of a template to none. */
export async function linkedAtCreation(
  ctx: SignedIn,
  item: RecurringItem,
  transactionIds: string[],
): Promise<{ changes: Change[]; linked: LinkedRow[] }> {
  const { byId, expenseCategoryIds } = await readToLink(ctx, [item], transactionIds)
  const rows = linkable(item, byId, transactionIds, transactionIds)
  const nearest = nearestDates(
    item.schedule,
    rows.map(({ date }) => date),
  )
  const places = rows.map((row) => ({ row, nominalDate: nearest.get(row.date) ?? null }))
  const byDate = Map.groupBy(places, ({ nominalDate }) => nominalDate)
  const linked = [...byDate].flatMap(([nominalDate, some]) =>
    nominalDate === null ? [] : [{ nominalDate, rows: some.map(({ row }) => row) }],
  )
  const amendments = places.map(({ row, nominalDate }) =>
    linkedTo(row, { item, nominalDate }, expenseCategoryIds),
  )
  return {
    changes: [
      post(ctx, bookingErrors, amend(ctx, amendments)),
      settledBy(
        ctx,
        linked.map((one) => ({
          ...{ item, nominalDate: one.nominalDate, expectedMinor: item.amountMinor },
          transactionIds: one.rows.map(idOf),
        })),
      ),
    ],
    linked: linked.flatMap(({ nominalDate, rows: some }) =>
      some.map((row) => ({
        ...{ recurringId: item.id, nominalDate, headerId: row.transactionId, kind: row.headerKind },
        ...{ line: row.line, date: row.date, amountMinor: row.amountMinor },
      })),
    ),
  }
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

const idOf = ({ transactionId, kind, line }: LedgerRow) => legIdOf(transactionId, kind, line)

/** @throws AppError that names a transaction which cannot be linked, by its place in the list */
const linkable = (
  item: RecurringItem,
  byId: ReadonlyMap<string, LedgerRow>,
  all: string[],
  added: string[],
): LedgerRow[] =>
  checkAll(
    ...added.map((id) => () => {
      const row = byId.get(id)
      const field = `transactionIds.${all.indexOf(id)}`
      if (!row) {
        throw transactionErrors.unknownTransaction({ field })
      }
      requireLinkable(item, row, field)
      return row
    }),
  )

/** The change that links a transaction to an occurrence, and fills in what it lacks. */
export const linkedTo = (
  row: LedgerRow,
  { item, nominalDate }: { item: RecurringItem; nominalDate: CalendarDate | null },
  expenseCategoryIds: ReadonlySet<string>,
): Amendment => ({
  row,
  columns: { recurringId: item.id, recurringDate: nominalDate },
  ...filledFrom(row, item, expenseCategoryIds),
  carries: true,
})

interface Settled {
  item: RecurringItem
  nominalDate: CalendarDate
  transactionIds: string[]
  expectedMinor: number
}

/** Keeps what was expected of occurrences that have transactions now, and tells it. */
export const settledBy = ({ now }: SignedIn, all: Settled[]): Change => ({
  statements: [
    saveExpected(
      all.map(({ item, nominalDate, expectedMinor }) => ({
        ...{ recurringId: item.id, ownerId: item.ownerId, nominalDate, expectedMinor },
        updatedAt: now,
      })),
    ),
  ],
  events: all.map(({ item, nominalDate, transactionIds }) =>
    recurringEvents.settled(thingOf(item), { nominalDate, transactionIds }),
  ),
})

/** @throws AppError of a transaction on another account, or of one that is linked already */
function requireLinkable(item: RecurringItem, row: LedgerRow, field: string): void {
  const isOnIt =
    item.accountId === null
      ? row.currency === item.currency && row.ownerId === item.ownerId
      : entriesOf(row).some(
          ({ accountId, side }) => side === 'account' && accountId === item.accountId,
        )
  if (!isOnIt) {
    throw recurringErrors.otherAccount({ field })
  }
  if (row.recurringId !== null) {
    throw recurringErrors.linkedElsewhere({ field })
  }
}
