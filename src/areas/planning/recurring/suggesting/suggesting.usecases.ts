import { dateInZone, nearDay } from '../../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { forbidden } from '../../../../platform/database/refusals.ts'
import { dismissedKeys } from '../dismissing/dismissing.queries.ts'
import { matching, recurringRows } from '../recurring.queries.ts'
import { itemOf } from '../recurring.rules.ts'
import { looseRows, wordsOf } from './suggesting.queries.ts'
import { keysOfItem, seriesAmong, type Suggestion, suggestionOf } from './suggesting.rules.ts'

export interface Suggestions {
  suggestions: Suggestion[]
  /** True if there are more rows, or more suggestions. */
  truncated: boolean
}

const DAYS_BACK = 400
const MOST_ROWS = 20_000
const MOST_SUGGESTIONS = 100

/** Suggests items for transactions that come again and belong to none. */
export async function suggestRecurring(ctx: SignedIn): Promise<Suggestions> {
  const near = dateInZone(ctx.now, 'UTC')
  const [rows, items, dismissed] = await read(
    ctx,
    looseRows(ctx, nearDay(near, -DAYS_BACK), nearDay(near, 1), MOST_ROWS + 1),
    recurringRows.where(ctx, matching({})),
    dismissedKeys(ctx),
  )
  const { permissions, timeZone } = profileOf(ctx)
  if (!permissions.includes('transactions.read')) {
    throw forbidden('transactions.read')
  }
  const left = new Set([
    ...dismissed.map(({ key }) => key),
    ...items.map(itemOf).flatMap(keysOfItem),
  ])
  const found = seriesAmong(rows, left, dateInZone(ctx.now, timeZone))
  const shown = found.slice(0, MOST_SUGGESTIONS)
  const [words] =
    shown.length === 0 ? [[]] : await read(ctx, wordsOf(shown.map(({ last }) => last.id)))
  const byId = new Map(words.map((one) => [one.id, one]))
  return {
    suggestions: shown.flatMap((one) => {
      const said = byId.get(one.last.id)
      return (said && suggestionOf(one, said)) ?? []
    }),
    truncated: (rows[0]?.lines ?? 0) > MOST_ROWS || found.length > shown.length,
  }
}
