import { type SQL, sql } from 'drizzle-orm'
import { monthOf } from '../../domain/calendar.ts'
import {
  type Comparison,
  comparisonsOf,
  type ConditionField,
  valuesOf,
} from '../../domain/conditions/conditions.ts'
import { needsHeader } from './conditions.queries.ts'
import { LETTERS_OF_WORDS } from './texts.queries.ts'
import { conditionIn, type Direction, type LedgerFilter, type Piece } from './search.rules.ts'

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

/** The side of a filter's days that a statement leaves out, where a bound of its own stands in its place. */
export type LeftOut = 'from' | 'to' | undefined

/**
 * Cuts a filter into those of as many pieces as it takes, in their order.
 * @param isSorted true if what is found is sorted by something else than its days
 * @param start the day of the first line, where it is another than that of the filter
 */
export function inPieces(
  filter: LedgerFilter,
  isSorted: boolean,
  direction: Direction = 'newestFirst',
  start = direction === 'newestFirst' ? filter.to : filter.from,
): LedgerFilter[] {
  const condition = conditionIn(filter)
  const walk = (needsHeader(condition) ? WALK.withHeaders : WALK.alone) + (isSorted ? SORT : 0)
  const effort = comparisonsOf(condition)
    .map(effortOf)
    .reduce((sum, one) => sum + one, walk)
  const count = Math.ceil(effort / MOST_OF_STATEMENT)
  const lines = LINES / count
  return count === 1
    ? [filter]
    : Array.from({ length: count }, (_, at) => {
        const isLast = at === count - 1
        return { ...filter, piece: { direction, start, skipped: at * lines, lines, isLast } }
      })
}

/**
 * The conditions for an entry `e` to be within the days of a filter and its piece, in a statement that has `seen`. An index is searched
 * by one bound on each side, so no two stand beside each other.
 * @param leftOut the side on which a condition of the statement stands in their place
 */
export function isInDays(filter: LedgerFilter, leftOut: LeftOut): SQL[] {
  const { from, to, piece } = filter
  const start = piece?.direction === 'oldestFirst' ? 'from' : 'to'
  const begins = piece && piece.skipped > 0 ? monthBehind(filter, piece, piece.skipped) : undefined
  const ends =
    piece && !piece.isLast ? monthBehind(filter, piece, piece.skipped + piece.lines) : undefined
  const lower =
    start === 'from'
      ? begins && sql`${begins} || '-01'`
      : ends && sql`max(ifnull(${ends} || '-32', ''), ${from ?? ''})`
  const upper =
    start === 'to'
      ? begins && sql`${begins} || '-31'`
      : ends && sql`min(ifnull(${ends} || '-00', '~'), ${to ?? '~'})`
  return [
    ...(leftOut === 'from' ? [] : dayBound(sql`>=`, lower ?? from)),
    ...(leftOut === 'to' ? [] : dayBound(sql`<=`, upper ?? to)),
  ]
}

const dayBound = (relation: SQL, day: SQL | string | undefined): SQL[] =>
  day === undefined ? [] : [sql`e.date ${relation} ${day}`]

/**
 * The first month that has so many lines before it, as the lines of months are counted already. Where there are fewer lines, there is
 * none, and pieces from there on are empty.
 */
function monthBehind({ accountId }: LedgerFilter, { direction, start }: Piece, count: number): SQL {
  const isNewestFirst = direction === 'newestFirst'
  const order = sql.raw(isNewestFirst ? 'DESC' : 'ASC')
  const isCounted =
    accountId === undefined
      ? sql`account_id IN (SELECT id FROM seen)`
      : sql`account_id = ${accountId}`
  const isAhead =
    start === undefined
      ? sql``
      : sql`AND period ${sql.raw(isNewestFirst ? '<=' : '>=')} ${monthOf(start)}`
  return sql`(SELECT period FROM (SELECT period, sum(sum(entry_count)) OVER (ORDER BY period ${order}) - sum(entry_count) AS before
      FROM account_periods WHERE ${isCounted} AND grain = 'month' ${isAhead} GROUP BY period)
    WHERE before >= ${Math.round(count)} ORDER BY period ${order} LIMIT 1)`
}
