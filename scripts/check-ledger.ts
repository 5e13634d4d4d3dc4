/** `npm run check:ledger`: compares the local ledger with itself; a difference is an alarm, not repaired. */
import { withLocalService } from './lib/local-service.ts'

/** Each gives one row `finding` per difference. */
const CHECKS = [
  `SELECT 'transaction ' || transaction_id || ': its entries sum to ' || sum(amount_minor) || ' ' || currency
    || ' in ' || count(*) || ' lines' AS finding
  FROM entries GROUP BY transaction_id, currency HAVING sum(amount_minor) <> 0 OR count(*) < 2`,

  `SELECT 'transaction ' || t.id || ': ' || CASE WHEN t.deleted_at IS NULL THEN 'has no entries'
    ELSE 'is in the trash and has entries' END AS finding
  FROM transactions t
  WHERE (t.deleted_at IS NULL) <> EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id)`,

  `WITH truth AS (
    SELECT a.id AS account_id,
      ifnull(sum(amount_minor) FILTER (WHERE "end" = 'account' AND e.status <> 'void'), 0) AS balance,
      ifnull(sum(amount_minor) FILTER (WHERE "end" = 'account' AND e.status IN ('cleared', 'reconciled')), 0) AS cleared,
      ifnull(sum(amount_minor) FILTER (WHERE "end" = 'account' AND e.status = 'reconciled'), 0) AS reconciled,
      ifnull(-sum(amount_minor) FILTER (WHERE "end" = 'opening' AND e.status <> 'void'), 0) AS opening,
      count(*) FILTER (WHERE "end" = 'account') AS transactions,
      max(date) FILTER (WHERE "end" = 'account') AS last_date
    FROM accounts a LEFT JOIN entries e ON e.account_id = a.id GROUP BY a.id)
  SELECT 'account ' || t.account_id || ': kept '
    || ifnull(concat_ws('/', b.balance_minor, b.cleared_minor, b.reconciled_minor, b.opening_minor, b.transaction_count, b.last_date), 'nothing')
    || ', entries give ' || concat_ws('/', balance, cleared, reconciled, opening, transactions, t.last_date) AS finding
  FROM truth t LEFT JOIN account_balances b ON b.account_id = t.account_id
  WHERE (b.balance_minor, b.cleared_minor, b.reconciled_minor, b.opening_minor, b.transaction_count, b.last_date)
    IS NOT (balance, cleared, reconciled, opening, transactions, t.last_date)`,

  `WITH truth AS (
    SELECT account_id, substr(date, 1, 7) AS month, ifnull(category_id, '') AS category_id,
      sum(amount_minor) AS activity, count(*) AS lines
    FROM entries WHERE "end" IN ('expense', 'income') AND status <> 'void' GROUP BY 1, 2, 3)
  SELECT 'category ' || ifnull(nullif(category_id, ''), 'none') || ' of account ' || account_id || ' in ' || month
    || ': kept ' || ifnull(m.activity_minor || '/' || m.entry_count, 'nothing')
    || ', entries give ' || ifnull(t.activity || '/' || t.lines, 'nothing') AS finding
  FROM truth t FULL JOIN category_months m USING (account_id, month, category_id)
  WHERE (m.activity_minor, m.entry_count) IS NOT (t.activity, t.lines)`,
]

const [entries, ...results] = await withLocalService(({ env: { DB } }) =>
  DB.batch<{ finding: string }>(
    ['SELECT count(*) AS finding FROM entries', ...CHECKS].map((sql) => DB.prepare(sql)),
  ),
)
const findings = results.flatMap((result) => result.results.map(({ finding }) => finding))
for (const finding of findings) {
  console.error(finding)
}
console.log(`${entries?.results[0]?.finding ?? 0} entries, ${findings.length} differences.`)
process.exitCode = findings.length === 0 ? 0 : 1
