import type { CalendarDate } from '../../../../domain/calendar.ts'
import { checkAll } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import {
  amend,
  entriesOf,
  type LedgerRow,
  ledgerRowsByIds,
  post,
  releaseRecurring,
} from '../../../../ledger/ledger.public.ts'
import {
  bookingErrors,
  MOST_BULK_LINES,
  transactionErrors,
} from '../../../money/transactions/transactions.public.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { recurringEvents } from '../recurring.events.ts'
import type { LinkedRow } from '../recurring.rules.ts'
import type { RecurringItem } from '../recurring.rules.ts'
import { thingOf } from '../settling/settling.usecases.ts'

interface Place {
  item: RecurringItem
  nominalDate: CalendarDate
  /** The rows that are linked to it now. */
  linked: readonly LinkedRow[]
}

/** Links exactly these transactions to an occurrence. The other fields of the transactions stay as they are. */
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
  const rows = await read(ctx, ledgerRowsByIds(ctx, [...added, ...removed], MOST_BULK_LINES))
  const byId = new Map(rows[0].map((row) => [legIdOf(row.transactionId, row.kind, row.line), row]))
  const toAdd = checkAll(
    ...added.map((id) => () => {
      const row = byId.get(id)
      const field = `transactionIds.${transactionIds.indexOf(id)}`
      if (!row) {
        throw transactionErrors.unknownTransaction({ field })
      }
      requireLinkable(item, row, field)
      return row
    }),
  )
  const toRemove = removed.flatMap((id) => byId.get(id) ?? [])
  const amendments = [
    ...toAdd.map((row) => ({ row, columns: { recurringId: item.id, recurringDate: nominalDate } })),
    ...toRemove.map((row) => ({ row, columns: { recurringId: null, recurringDate: null } })),
  ]
  return [
    post(
      ctx,
      bookingErrors,
      amend(
        ctx,
        amendments.map((one) => ({ ...one, right: 'annotate' as const })),
      ),
    ),
    {
      statements: toRemove.map((row) => releaseRecurring(row, item.id)),
      events:
        toAdd.length === 0
          ? []
          : [recurringEvents.settled(thingOf(item), { nominalDate, transactionIds: added })],
    },
  ]
}

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
