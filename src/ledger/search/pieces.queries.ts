import { type SQL, sql } from 'drizzle-orm'
import {
  type Comparison,
  comparisonsOf,
  type ConditionField,
  valuesOf,
} from '../../domain/conditions/conditions.ts'
import { needsHeader } from './conditions.queries.ts'
import { LETTERS_OF_WORDS } from './texts.queries.ts'
import { conditionIn, type LedgerFilter } from './search.rules.ts'

// A statement that asks much of each line looks at a piece of the lines only, and others of the same round trip look at the rest, so
// that none of them holds the database for long.

/** Efforts are said in milliseconds for so many lines. */
const LINES = 100_000
const MOST_OF_STATEMENT = 100
const WALK = { alone: 25, withHeaders: 70 }
const SORT = 40

/** What it takes to compare a field. */
const OF_FIELD: Partial<Record<ConditionField, number>> = {
  ...{ text: 14, description: 35, payeeRaw: 35, note: 35 },
  ...{ categoryId: 80, payeeId: 45, tagId: 45, isSplit: 65, metadata: 30, importId: 30 },
}
const OF_OTHERS = 5
const OF_WORD = 50
const OF_PATTERN = 65
/** Nearly all texts fit, and the names of nearly all payees. */
const OF_SHORT = { contains: 30, like: 140 }

function effortOf(comparison: Comparison): number {
  const { field, op } = comparison
  const [text = ''] = valuesOf(comparison)
  const isShort = field === 'text' && text.replaceAll('*', '').length < LETTERS_OF_WORDS
  if (op === 'like') {
    return isShort ? OF_SHORT.like : OF_PATTERN
  }
  if (op === 'word') {
    return OF_WORD
  }
  return isShort ? OF_SHORT.contains : (OF_FIELD[field] ?? OF_OTHERS)
}

/**
 * Cuts a filter into those of as many pieces as it takes, newest first.
 * @param isSorted true if what is found is sorted by something else than its days
 */
export function inPieces(filter: LedgerFilter, isSorted: boolean): LedgerFilter[] {
  const condition = conditionIn(filter)
  const walk = (needsHeader(condition) ? WALK.withHeaders : WALK.alone) + (isSorted ? SORT : 0)
  const effort = comparisonsOf(condition)
    .map(effortOf)
    .reduce((sum, one) => sum + one, walk)
  const count = Math.ceil(effort / MOST_OF_STATEMENT)
  const lines = LINES / count
  return count === 1
    ? [filter]
    : Array.from({ length: count }, (_, at) => ({
        ...filter,
        piece: { skipped: at * lines, lines, isLast: at === count - 1 },
      }))
}

/**
 * The condition for an entry `e` to be in the piece of a filter, in a statement that has `seen`. A piece ends with a month, as the
 * lines of months are counted already. Where there are fewer lines, the later pieces are empty.
 */
export function isInPiece({ piece, accountId }: LedgerFilter): SQL[] {
  if (!piece) {
    return []
  }
  const { skipped, lines, isLast } = piece
  const isCounted =
    accountId === undefined
      ? sql`account_id IN (SELECT id FROM seen)`
      : sql`account_id = ${accountId}`
  /** The last day of the newest month that has so many lines behind it. */
  const dayBehind = (count: number) =>
    sql`(SELECT period || '-31' FROM (SELECT period, sum(sum(entry_count)) OVER (ORDER BY period DESC) - sum(entry_count) AS newer
        FROM account_periods WHERE ${isCounted} AND grain = 'month' GROUP BY period)
      WHERE newer >= ${Math.round(count)} ORDER BY period DESC LIMIT 1)`
  return [
    ...(skipped === 0 ? [] : [sql`e.date <= ${dayBehind(skipped)}`]),
    ...(isLast ? [] : [sql`e.date > ifnull(${dayBehind(skipped + lines)}, '')`]),
  ]
}
