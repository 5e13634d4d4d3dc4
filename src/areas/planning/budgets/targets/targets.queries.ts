import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { plannedItems } from '../../recurring/recurring.public.ts'
import { budgetRow, budgetWithAccounts, IS_ITEM_COUNTABLE } from '../figures/figures.queries.ts'
import { isInside, ownedBy, visibleAccountIds } from '../../../identity/access/access.public.ts'

/** A recurring item with the account that it books on. */
export interface ItemOfTarget {
  id: string
  accountId: string | null
}

/** The recurring items that a target of a line of a budget can name, of those with these ids. */
export const itemsForTarget = (
  ctx: SignedIn,
  budgetId: string,
  ids: string[],
): Statement<ItemOfTarget[]> =>
  db.all(sql`WITH ${budgetWithAccounts({ budgets: budgetRow(budgetId), now: ctx.now })}
    SELECT recurring.id, recurring.account_id AS accountId FROM b CROSS JOIN recurring
    WHERE recurring.id IN (SELECT id FROM (${plannedItems(ctx, ids)})) AND ${IS_ITEM_COUNTABLE}`)

/** A category that no line of a budget has. */
export interface FreeCategory {
  id: string
  name: string
  nameKey: string
}

/**
 * The expense categories that the lines of a budget could have and do not: the caller's own, and those of others that the caller
 * sees on accounts inside. The caller's come first, then in the order of creation.
 */
export const freeCategories = (ctx: SignedIn, budgetId: string): Statement<FreeCategory[]> =>
  db.all<FreeCategory>(sql`WITH b AS MATERIALIZED (SELECT * FROM budgets WHERE id = ${budgetId}),
      inside AS MATERIALIZED (SELECT accounts.id, accounts.owner_id FROM b JOIN accounts ON ${isInside(ctx.now, 'b')}),
      owners AS MATERIALIZED (SELECT owner_id FROM inside UNION SELECT owner_id FROM b)
    SELECT c.id, c.name, c.name_key AS nameKey
    FROM owners CROSS JOIN categories c ON c.owner_id = owners.owner_id
    WHERE c.kind = 'expense' AND c.archived = 0 AND c.exclude_from_budget = 0
      AND NOT EXISTS (SELECT 1 FROM budget_line_scopes s
        WHERE s.target_id = c.id AND s.budget_id = ${budgetId} AND s.until_period IS NULL)
      AND (${ownedBy(ctx.caller, 'c.owner_id')} OR EXISTS (
        SELECT 1 FROM entries e JOIN transactions t ON t.id = e.transaction_id
        WHERE e.category_id = c.id AND e.account_id IN (SELECT id FROM inside) AND e.account_id IN (${visibleAccountIds(ctx)})
          AND (t.private = 0 OR t.created_by = ${ctx.caller.userId})))
    ORDER BY NOT ${ownedBy(ctx.caller, 'c.owner_id')}, c.id`)
