import { sql } from 'drizzle-orm'
import { db } from '../../../../platform/statements.ts'
import {
  type Asked,
  budgetWithAccounts,
  DAYS_OF_PERIOD,
  flowColumns,
  IS_HIDDEN,
  MARGIN_DAYS,
  ofOne,
} from '../figures/figures.queries.ts'
import type { RecordedFlow } from './members.rules.ts'

/** Reads the bookings in a period, and on some days around it, that everybody who sees the budget may see. */
export const recordedFlows = ofOne((asked: Asked) =>
  db.all<RecordedFlow>(sql`WITH ${budgetWithAccounts(asked)},
      days AS MATERIALIZED (SELECT date(max(${asked.from}, b.first_day), '-' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days') AS first,
        date(max(${asked.to}, b.first_day), '+' || (${MARGIN_DAYS} + ${DAYS_OF_PERIOD}) || ' days') AS last FROM b),
      named AS MATERIALIZED (SELECT u.id, u.name FROM b CROSS JOIN users u ON u.id = b.owner_id
        UNION SELECT u.id, u.name FROM b CROSS JOIN group_members m ON m.group_id = b.group_id CROSS JOIN users u ON u.id = m.user_id)
    SELECT ${flowColumns}, t.created_by AS createdBy, (SELECT n.name FROM named n WHERE n.id = t.created_by) AS name
    FROM b CROSS JOIN days CROSS JOIN inside i
      CROSS JOIN entries a ON a.account_id = i.id AND a.side = 'account' AND a.date BETWEEN days.first AND days.last
      CROSS JOIN transactions t ON t.id = a.transaction_id AND NOT ${IS_HIDDEN}
      CROSS JOIN entries e ON e.transaction_id = a.transaction_id AND e.account_id = i.id AND e.pair IS a.pair
    WHERE (e.side = 'expense' OR e.flow_minor IS NOT NULL) AND e.status <> 'void'`),
)
