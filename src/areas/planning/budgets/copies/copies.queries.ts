import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import { isInside, mayBeInside, visibleAccountIds } from '../../../identity/access/access.public.ts'
import type { StoredBudget } from '../budgets.rules.ts'
import { DAYS_OF_PERIOD, MARGIN_DAYS } from '../figures/figures.queries.ts'
import type { CopyableRow } from './copies.rules.ts'

/** Finds the accounts, categories and labels that a copy of a budget may name: those of users whose accounts are inside. */
export const copyable = (
  ctx: SignedIn,
  budgetId: string,
  { ownerId, groupId }: Pick<StoredBudget, 'ownerId' | 'groupId'>,
): Statement<CopyableRow[]> =>
  db.all(sql`WITH b AS MATERIALIZED (SELECT ${ownerId} AS owner_id, ${groupId} AS group_id, accounts, account_ids,
        income_in_next_period FROM budgets WHERE id = ${budgetId}),
      inside AS MATERIALIZED (SELECT accounts.id, accounts.owner_id FROM b CROSS JOIN accounts ON ${isInside(ctx.now, 'b')}),
      owners AS MATERIALIZED (SELECT owner_id FROM inside UNION SELECT owner_id FROM b),
      named AS MATERIALIZED (SELECT target_id AS id FROM budget_line_scopes WHERE budget_id = ${budgetId}
        UNION SELECT income.value FROM b CROSS JOIN json_each(b.income_in_next_period) income)
    SELECT 'accountOfBudget' AS what, accounts.id FROM b CROSS JOIN accounts ON ${mayBeInside(ctx.now, 'b')}
      WHERE accounts.id IN (${visibleAccountIds(ctx)})
    UNION ALL SELECT 'account', id FROM inside
    UNION ALL SELECT iif(x.kind = 'income', 'income', 'category'), x.id FROM named CROSS JOIN categories x ON x.id = named.id
      WHERE x.owner_id IN (SELECT owner_id FROM owners)
    UNION ALL SELECT 'tag', x.id FROM named CROSS JOIN tags x ON x.id = named.id
      WHERE x.owner_id IN (SELECT owner_id FROM owners)
    UNION ALL SELECT 'payee', x.id FROM named CROSS JOIN payees x ON x.id = named.id
      WHERE x.owner_id IN (SELECT owner_id FROM owners)`)

/** The amount that was set for a line in a period. */
export interface AmountOfPeriod {
  period: string
  lineId: string
  amountMinor: number
}

/**
 * Reads the amounts of the lines of a budget in the period that contains a day or begins on it, and in some periods
 * around it.
 */
export const amountsNear = (budgetId: string, day: CalendarDate): Statement<AmountOfPeriod[]> =>
  db.all(sql`SELECT a.period, a.line_id AS lineId, a.amount_minor AS amountMinor
    FROM budgets b CROSS JOIN budget_amounts a ON a.budget_id = b.id AND a.amount_minor IS NOT NULL
      AND a.period >= date(max(${day}, b.first_day), '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days')
      AND a.period <= date(max(${day}, b.first_day), '+' || ${MARGIN_DAYS} || ' days')
    WHERE b.id = ${budgetId}`)
