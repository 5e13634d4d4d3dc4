import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { requireChanged } from '../../platform/database/premises.ts'
import type { Refusal } from '../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../platform/database/statements.ts'
import { ownedBy } from '../../areas/identity/access/access.public.ts'
import type { Lines } from '../books/lines.queries.ts'
import { type LabelledLine, WHOLE } from './labels.rules.ts'

/** The account of a line of a transaction `t`, wherever its lines are. */
const accountAt = (line: number) =>
  sql.raw(`ifnull((SELECT e.account_id FROM entries e WHERE e.transaction_id = t.id AND e.line = ${line}),
    (SELECT e.account_id FROM unbooked_entries e WHERE e.transaction_id = t.id AND e.line = ${line}))`)

const legsIn = (table: Lines) => `SELECT e.line, e.account_id, e.pair FROM ${table} e
  WHERE e.transaction_id = t.id AND e.side = 'account' AND e.pair IS NOT NULL`

/** JSON of the other sides of the parts of a transaction `t`, wherever its lines are. */
const LEGS =
  sql.raw(`CASE WHEN t.kind IN ('expense', 'income') THEN (SELECT json_group_array(json_array(line, account_id))
  FROM (${legsIn('entries')} UNION ALL ${legsIn('unbooked_entries')} ORDER BY line)) ELSE '[]' END`)

/**
 * Adds the other fields of `LabelledLine` to a SELECT of `transactionId`, `line`, `isWhole` and `targetId`. What a transfer has as
 * a whole is on the lines of its two accounts; the lines of its fees come behind them. Lines of transactions that are not the
 * caller's are left out: what a deleted label hung on is known from JSON alone.
 */
export const withTransactions = ({ caller }: SignedIn, lines: SQL): SQL =>
  sql`SELECT f.transactionId, f.line, CASE t.kind WHEN 'transfer' THEN f.line <= 2 ELSE f.isWhole END AS isWhole, f.targetId, t.kind, t.version, t.private,
      ${accountAt(1)} AS accountId, CASE t.kind WHEN 'transfer' THEN ${accountAt(2)} END AS toAccountId,
      ${LEGS} AS legs
    FROM (${lines}) f CROSS JOIN transactions t ON t.id = f.transactionId AND ${ownedBy(caller, '+t.owner_id')}`

/** Gives these lines' transactions, which are the caller's, a new version; refuses unless each has the one that was read. */
export function touchTransactions(
  { caller, now }: SignedIn,
  lines: Pick<LabelledLine, 'transactionId' | 'version'>[],
  changed: Refusal,
): Statement[] {
  const versions = new Map(lines.map(({ transactionId, version }) => [transactionId, version]))
  return [
    db.run(sql`UPDATE transactions SET version = version + 1, updated_at = ${now}
      FROM json_each(${JSON.stringify([...versions])}) seen
      WHERE transactions.id = seen.value->>0 AND version = seen.value->>1 AND ${ownedBy(caller, '+owner_id')}`),
    requireChanged(versions.size, changed),
  ]
}

/** Puts a label in the place of others in what parts were before rows were matched into them. Those rows get a new version. */
export const replaceInMatchedParts = (
  { caller, now }: SignedIn,
  field: 'categoryId' | 'payeeId',
  from: string[],
  to: string,
): Statement =>
  db.run(sql`UPDATE transactions SET version = version + 1, updated_at = ${now},
      matched_part = json_set(matched_part, ${`$.${field}`}, ${to})
    WHERE matched_part IS NOT NULL AND matched_part->>${sql.raw(`'${field}'`)} IN ${among(from)}
      AND ${ownedBy(caller, '+owner_id')}`)

/**
 * Lines as a SELECT of `transaction_id`, `line`, `account_id` and `date`, which gives the same rows before and after a change of
 * their labels. What the whole of a transaction has is on the line of each of its accounts.
 */
export type BookedLines = SQL

/** Selects the booked lines among the given ones. */
export const bookedAmong = (lines: Pick<LabelledLine, 'transactionId' | 'line'>[]): BookedLines =>
  sql`SELECT e.transaction_id, e.line, e.account_id, e.date
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))}) named
      CROSS JOIN entries e ON e.transaction_id = named.value->>0
        AND (e.line = named.value->>1 OR named.value->>1 = ${WHOLE} AND e.side = 'account')`
