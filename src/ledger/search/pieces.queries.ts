import { type SQL, sql } from 'drizzle-orm'
import {
  type Comparison,
  comparisonsOf,
  type ConditionField,
} from '../../domain/conditions/conditions.ts'
import type { SignedIn } from '../../platform/context.ts'
import { ownedBy } from '../../areas/identity/access/access.public.ts'
import { needsHeader } from './conditions.queries.ts'
import { conditionIn, type LedgerFilter, type Piece } from './search.rules.ts'

// A statement that asks much of each line looks at a piece of the caller's own lines only, and others of the same round trip look at
// the rest, so that none of them holds the database for long.

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
const OF_WORDS = 50

const effortOf = ({ field, op }: Comparison): number =>
  op === 'word' || op === 'like' ? OF_WORDS : (OF_FIELD[field] ?? OF_OTHERS)

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

/** The condition for an entry `e` to be in a piece. Where there are fewer lines, the later pieces are empty. */
export const isInPiece = (ctx: SignedIn, { skipped, lines, isLast }: Piece): SQL[] => [
  ...(skipped === 0 ? [] : [sql`e.date <= ${dayBehind(ctx, skipped)}`]),
  ...(isLast ? [] : [sql`e.date > ifnull(${dayBehind(ctx, skipped + lines)}, '')`]),
]

const dayBehind = (ctx: SignedIn, skipped: number): SQL =>
  sql`(SELECT d.date FROM entries d WHERE ${ownedBy(ctx.caller, 'd.owner_id')} AND d.side = 'account'
    ORDER BY d.date DESC, d.transaction_id DESC, d.line DESC LIMIT 1 OFFSET CAST(${Math.round(skipped)} AS INTEGER))`
