import { type SQL, sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/database/premises.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import { db, type Statement } from '../../../../platform/database/statements.ts'
import type { OwnedTransaction } from '../../../../ledger/ledger.public.ts'

/** The linked amount of a target transaction, in its currency, as an expression. */
export const linkedTo = (targetId: SQL): SQL =>
  sql`(SELECT ifnull(sum(k.amount_minor), 0) FROM transaction_links k WHERE k.target_id = ${targetId})`

/** The linked amount of a source transaction in its own currency. */
export const linkedFrom = (sourceId: SQL, currency: SQL): SQL =>
  sql`(SELECT ifnull(sum(k.amount_minor), 0) FROM transaction_links k
    WHERE k.source_id = ${sourceId} AND k.currency = ${currency})`

/**
 * The amount of a transaction that can be given back, by its line 1 under this name: parts that are transfers stayed
 * with the owner.
 */
export const spendableOf = (line: SQL): SQL =>
  sql`abs(${line}.amount_minor - (SELECT ifnull(sum(moved.flow_minor), 0) FROM entries moved
    WHERE moved.transaction_id = ${line}.transaction_id AND moved.account_id = ${line}.account_id AND moved.side = 'exchange'))`

/**
 * Refuses when one of these transactions is linked with more than its amount, or is no longer what its
 * links say. What is linked with one in the trash counts: it comes back from there with its links.
 */
export const mustCoverLinked = (transactionIds: string[], linkedTooMuch: Refusal): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(transactionIds)}) wanted
      JOIN transactions t ON t.id = wanted.value
      JOIN entries e ON e.transaction_id = t.id AND e.line = 1
      WHERE EXISTS (SELECT 1 FROM transaction_links k WHERE k.source_id = t.id AND t.kind <> CASE k.kind
          WHEN 'feeOf' THEN 'expense' WHEN 'refundOf' THEN 'income' WHEN 'reimburses' THEN 'income' ELSE t.kind END)
        OR EXISTS (SELECT 1 FROM transaction_links k WHERE k.target_id = t.id AND k.amount_minor IS NOT NULL
          AND (t.kind <> 'expense' OR k.currency <> e.currency))
        OR ${linkedTo(sql`t.id`)} > ${spendableOf(sql.raw('e'))}
        OR ${linkedFrom(sql`t.id`, sql`e.currency`)} > ${spendableOf(sql.raw('e'))})`,
    linkedTooMuch,
  )

/** Links to one transaction go to another, but for those between the two and those that it has already. */
export const moveLinks = (from: OwnedTransaction, toId: string): Statement[] =>
  [
    ['source_id', 'target_id'],
    ['target_id', 'source_id'],
  ].map(([end = '', other = '']) =>
    db.run(sql`UPDATE OR IGNORE transaction_links SET ${sql.raw(end)} = ${toId}
      WHERE ${sql.raw(end)} = ${from.id} AND ${sql.raw(other)} <> ${toId} AND +owner_id = ${from.ownerId}`),
  )
