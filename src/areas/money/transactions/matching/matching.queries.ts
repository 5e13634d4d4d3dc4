import { sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../../platform/database/refusals.ts'
import type { Statement } from '../../../../platform/database/statements.ts'

/**
 * Refuses when a part of one of these transactions was matched with a row, and does not move money to the account of that row any
 * more, in its direction. An account that is being erased takes its rows with it.
 */
export const mustKeepMatched = (transactionIds: string[], matched: Refusal): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(transactionIds)}) changed
      CROSS JOIN transactions m ON m.matched_into = changed.value AND m.matched_part IS NOT NULL
      JOIN unbooked_entries away ON away.transaction_id = m.id AND away.line = 1
      JOIN accounts other ON other.id = away.account_id AND other.erased_at IS NULL
      WHERE NOT EXISTS (SELECT 1 FROM entries leg WHERE leg.transaction_id = m.matched_into
        AND leg.pair = m.matched_part->>'line' AND leg.side = 'account' AND leg.account_id = away.account_id
        AND (leg.amount_minor < 0) = (away.amount_minor < 0)))`,
    matched,
  )

/** Refuses unless what a part gets back is still there, and its owner's: both are known from JSON alone. */
export const mustHaveLabels = (
  ownerId: string,
  { categoryId, payeeId }: { categoryId: string | null; payeeId: string | null },
): Statement[] =>
  categoryId === null && payeeId === null
    ? []
    : [
        refuseIf(
          sql`${categoryId} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM categories
              WHERE id = ${categoryId} AND owner_id = ${ownerId})
            OR ${payeeId} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payees
              WHERE id = ${payeeId} AND owner_id = ${ownerId})`,
          changedMeanwhile,
        ),
      ]
