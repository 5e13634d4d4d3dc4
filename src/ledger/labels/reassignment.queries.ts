import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { conflicting } from '../../platform/database/refusals.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import {
  accountIdsWithHistory,
  ownedBy,
  requireHistory,
} from '../../areas/identity/access/access.public.ts'
import { replaceInMatchedParts, touchTransactions, withTransactions } from './labels.queries.ts'
import { type LabelledLine, MOST_RELABELLED } from './labels.rules.ts'
import type { LineTable } from '../books/lines.queries.ts'

const TABLES = [sql`entries`, sql`unbooked_entries`]

/** True if a line `l` is the only one of its transaction beside the account's. */
const isOnly = (table: LineTable) =>
  sql.raw(`NOT EXISTS (SELECT 1 FROM ${table} o
    WHERE o.transaction_id = l.transaction_id AND o.line NOT IN (1, l.line))`)

/** The lines of a category wherever they are, by these columns: also those of transactions in the trash. */
const everyLine = (columns: SQL, categoryId: string) =>
  sql`SELECT ${columns} FROM entries l WHERE category_id = ${categoryId}
    UNION ALL SELECT ${columns} FROM unbooked_entries l WHERE category_id = ${categoryId}`

/** The lines of a category, one more than a commit moves, wherever they are: also in accounts in the trash. */
export const linesOfCategory = (ctx: SignedIn, categoryId: string) =>
  db.all<LabelledLine>(
    withTransactions(
      ctx,
      sql`SELECT transactionId, line, isWhole, targetId FROM (${everyLine(
        sql`transaction_id AS transactionId, line, owner_id, category_id AS targetId,
        ${isOnly('entries')} AND ${isOnly('unbooked_entries')} AS isWhole`,
        categoryId,
      )}) WHERE ${ownedBy(ctx.caller, 'owner_id')} LIMIT ${MOST_RELABELLED + 1}`,
    ),
  )

/** True if anything is booked on a category, or was and is in the trash, as a condition. */
export const isBookedOn = (categoryId: string) => sql`EXISTS (${everyLine(sql`1`, categoryId)})`

export interface CategoryLines {
  transactionCount: number
  lineCount: number
  lastDate: string | null
}

/** Counts the lines of a category on accounts that the caller can see. Both sides of a transfer count as one. */
export const countOfLines = (ctx: SignedIn, categoryId: string) =>
  db.all<CategoryLines>(
    sql`SELECT count(DISTINCT transaction_id) AS transactionCount, 
        count(DISTINCT transaction_id || iif(side = 'account', '', '-' || ifnull(pair, line))) AS lineCount,
        max(date) AS lastDate
      FROM entries WHERE category_id = ${categoryId}
        AND account_id IN (${accountIdsWithHistory(ctx)})`,
  )

/**
 * Refuses unless these lines are all that the category has, and when an access token does not see all accounts of those in
 * the trash; of those that are booked a guard refuses it. Their transactions get a new version.
 */
function claimLines(ctx: SignedIn, categoryId: string, lines: LabelledLine[]): Statement[] {
  const known = JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))
  const pairs = sql`(SELECT value->>0, value->>1 FROM json_each(${known}))`
  const stored = everyLine(sql`transaction_id, line`, categoryId)
  return [
    refuseIf(
      sql`(SELECT count(*) FROM (${stored})) <> ${lines.length}
        OR EXISTS (SELECT 1 FROM (${stored}) WHERE (transaction_id, line) NOT IN ${pairs})`,
      conflicting,
    ),
    ...(lines.length === 0
      ? []
      : [
          requireHistory(
            ctx,
            sql`SELECT account_id FROM unbooked_entries WHERE category_id = ${categoryId}`,
          ),
          ...touchTransactions(ctx, lines, conflicting),
        ]),
  ]
}

/** Takes a category off these lines, which are all that it has, and all in the trash. Without it no income is a refund. */
export const clearCategory = (
  ctx: SignedIn,
  categoryId: string,
  lines: LabelledLine[],
): Statement[] => [
  ...claimLines(ctx, categoryId, lines),
  db.run(sql`UPDATE unbooked_entries SET category_id = NULL,
    side = iif(side = 'expense' AND (SELECT kind FROM transactions t WHERE t.id = transaction_id) = 'income', 'income', side)
    WHERE category_id = ${categoryId} AND ${ownedBy(ctx.caller, 'owner_id')}`),
]

/**
 * Moves lines from one category to another of the same kind, and gives their transactions a new version.
 * Refuses unless they are all that the category has.
 */
export const replaceCategory = (
  ctx: SignedIn,
  { from, to }: { from: string; to: string },
  lines: LabelledLine[],
): Statement[] => [
  ...claimLines(ctx, from, lines),
  ...(lines.length === 0
    ? []
    : TABLES.map((table) =>
        db.run(sql`UPDATE ${table} SET category_id = ${to}
          WHERE category_id = ${from} AND ${ownedBy(ctx.caller, '+owner_id')}`),
      )),
  replaceInMatchedParts(ctx, 'categoryId', [from], to),
]
