import { dateInZone, nearDay } from '../../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { visibleNames } from '../../../../ledger/search/search.public.ts'
import { dismissedKeys } from '../linking/candidates.queries.ts'
import { matching, recurringRows } from '../recurring.queries.ts'
import { itemOf } from '../recurring.rules.ts'
import { looseRows } from './suggesting.queries.ts'
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
  const [rows, items, dismissed, names] = await read(
    ctx,
    looseRows(ctx, nearDay(near, -DAYS_BACK), nearDay(near, 1), MOST_ROWS + 1),
    recurringRows.where(ctx, matching({})),
    dismissedKeys(ctx),
    visibleNames(ctx, 'category', []),
  )
  const { permissions, timeZone } = profileOf(ctx)
  if (!permissions.includes('transactions.read')) {
    return { suggestions: [], truncated: false }
  }
  const left = new Set([
    ...dismissed.map(({ key }) => key),
    ...items.flatMap((row) => keysOfItem(itemOf(ctx, row))),
  ])
  const categories = new Set(names.filter(({ archived }) => !archived).map(({ id }) => id))
  const found = seriesAmong(rows, left, dateInZone(ctx.now, timeZone)).flatMap(
    (one) => suggestionOf(one, categories) ?? [],
  )
  return {
    suggestions: found.slice(0, MOST_SUGGESTIONS),
    truncated: (rows[0]?.lines ?? 0) > MOST_ROWS || found.length > MOST_SUGGESTIONS,
  }
}
