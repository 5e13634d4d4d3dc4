import { sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import { type Lines, mustBalanceWhere } from '../lines/lines.queries.ts'
import { eraseTransactions } from './trash.queries.ts'

/** How many transactions one commit erases. */
export const ERASED_AT_ONCE = 250

/** Some of the transactions of an account, given as a SELECT: booked ones, else those in the trash or matched. */
export const someTransactionsOf = (accountId: ReturnType<typeof sql>) => {
  const from = (table: Lines) => sql`SELECT id FROM (
    SELECT DISTINCT transaction_id AS id FROM ${sql.raw(table)} WHERE account_id = (${accountId})
      LIMIT ${ERASED_AT_ONCE})`
  return db.all<{ id: string }>(
    sql`SELECT id FROM (${from('entries')} UNION ALL ${from('trashed_entries')}) LIMIT ${ERASED_AT_ONCE}`,
  )
}

const HEADER =
  sql.raw(`owner_id, date, time, description, payee_raw, original_amount_minor, original_currency,
    reviewed, private, source, note, location, metadata, search_text, created_by, created_at`)
const LINE = sql.raw('owner_id, account_id, date, currency, status')

/**
 * Erases transactions with all their lines on an account that goes. What a transfer moved on the account at its
 * other end stays there as an adjustment, with the same core in its id: no balance of it changes. A fee is part
 * of that amount. May be repeated: what is gone already is left out.
 */
export function eraseWithAccount(ctx: Context, accountId: string, ids: string[]): Statement[] {
  // The lines that stay.
  const isOther = sql`e.transaction_id IN ${among(ids)} AND e."end" = 'account' AND e.account_id <> ${accountId}`
  const left = sql`'txn_' || substr(e.transaction_id, 5)`
  const isLeft = sql`transaction_id IN ${among(ids.map((id) => `txn_${id.slice(4)}`))}
    AND EXISTS (SELECT 1 FROM transactions t
      WHERE t.id = transaction_id AND t.kind = 'adjustment' AND t.deleted_at IS NULL)`
  const link = (table: 'transaction_tags' | 'transaction_payees', target: 'tag_id' | 'payee_id') =>
    db.run(sql`INSERT OR IGNORE INTO ${sql.raw(table)} (transaction_id, line, ${sql.raw(target)})
      SELECT ${left}, 0, l.${sql.raw(target)} FROM entries e JOIN ${sql.raw(table)} l
        ON l.transaction_id = e.transaction_id AND l.line = 0 WHERE ${isOther}`)
  return [
    db.run(sql`INSERT INTO transactions (id, kind, version, updated_at, ${HEADER})
      SELECT 'txn_' || substr(id, 5), 'adjustment', version + 1, ${ctx.now}, ${HEADER} FROM transactions
      WHERE id IN (SELECT e.transaction_id FROM entries e WHERE ${isOther})`),
    link('transaction_tags', 'tag_id'),
    link('transaction_payees', 'payee_id'),
    // Put aside, as the old lines hold the external ids until they are gone.
    db.run(sql`INSERT INTO trashed_entries (transaction_id, line, "end", amount_minor, external_id, ${LINE})
      SELECT ${left}, new.line, iif(new.line = 1, 'account', 'adjustment'),
        iif(new.line = 1, e.amount_minor, -e.amount_minor), iif(new.line = 1, e.external_id, NULL), ${LINE}
      FROM entries e JOIN (SELECT 1 AS line UNION ALL SELECT 2) new WHERE ${isOther}`),
    ...eraseTransactions(ids),
    db.run(sql`INSERT INTO entries (transaction_id, line, "end", amount_minor, external_id, ${LINE})
      SELECT transaction_id, line, "end", amount_minor, external_id, ${LINE}
      FROM trashed_entries WHERE ${isLeft}`),
    db.run(sql`DELETE FROM trashed_entries WHERE ${isLeft}`),
    mustBalanceWhere(isLeft),
  ]
}
