import { formatMoney } from '../../../../domain/money.ts'
import { amountAfter, percentChange } from '../../../../domain/recurring/amounts.ts'
import type { Context } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import type { Change } from '../../../../platform/log/events.ts'
import type { LoggedEvent } from '../../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../../platform/work/readers.ts'
import { insertNotifications } from '../../../identity/notifications/notifications.public.ts'
import { viewsIn } from '../occurrences/occurrences.rules.ts'
import { notificationOf, thingOf } from '../booking.usecases.ts'
import { recurringEvents } from '../recurring.events.ts'
import { recurringRows } from '../recurring.queries.ts'
import {
  type Definition,
  itemsFrom,
  type RecurringItem,
  type RecurringTransaction,
} from '../recurring.rules.ts'
import { itemsSince } from './settling.queries.ts'

/** Gives items the amounts that were paid twice in a row, whatever has settled their occurrences. */
export async function followPrices(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const first = new Map<string, string>()
  for (const { resourceId, content } of events) {
    const { nominalDate } = JSON.parse(content ?? '{}') as { nominalDate: string }
    const known = first.get(resourceId ?? '')
    first.set(resourceId ?? '', known !== undefined && known < nominalDate ? known : nominalDate)
  }
  const items = itemsFrom(ctx, await read(ctx, ...itemsSince(first)))
  return { changes: items.flatMap((item) => priceChange(ctx, item) ?? []) }
}

function priceChange(ctx: Context, item: RecurringItem): Change | undefined {
  const dates = [...item.linked.keys()].toSorted()
  const [first = '', last = ''] = [dates.at(0), dates.at(-1)]
  const paid = viewsIn(item, [first, last]).flatMap(({ status, paidMinor, changes }) =>
    // An amount for one occurrence alone is no price.
    status === 'paid' && paidMinor !== null && !hasOwnAmount(changes) ? [paidMinor] : [],
  )
  const after = amountAfter(item, paid)
  if (after === item.amountMinor || !isAmountAlone(item.transaction)) {
    return undefined
  }
  const definition = JSON.parse(item.row.definition) as Definition
  const amount = formatMoney(after, item.currency)
  const transaction = { ...definition.transaction, amount }
  const percent = percentChange(item.amountMinor, after)
  const told = { item, nominalDate: last }
  return {
    statements: [
      ...recurringRows.update(ctx, item, {
        definition: JSON.stringify({ ...definition, transaction }),
      }),
      insertNotifications([notificationOf(ctx, 'recurring.priceChanged', told, { percent })]),
    ],
    events: [
      recurringEvents.priceChanged(
        { ...thingOf(item), version: item.version + 1 },
        { nominalDate: last, beforeMinor: item.amountMinor, afterMinor: after, percent },
      ),
    ],
  }
}

const hasOwnAmount = (changes: string | null): boolean =>
  changes !== null && 'amount' in (JSON.parse(changes) as object)

/** True if no other field of a transaction tells the amount once more. */
function isAmountAlone(transaction: RecurringTransaction): boolean {
  const { splits, fees, toAmount, originalAmount } = transaction as Partial<
    Record<'splits' | 'fees', unknown[]> & Record<'toAmount' | 'originalAmount', string | null>
  >
  return [splits, fees].every((list = []) => list.length === 0) && !toAmount && !originalAmount
}
