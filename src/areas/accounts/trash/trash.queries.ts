import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/refusals.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'

/** An account in the trash as it was read. */
interface Seen {
  id: string
  version: number
}

const isRestorable = ({ id, version }: Seen) =>
  sql`id = ${id} AND version = ${version} AND deleted_at IS NOT NULL AND erased_at IS NULL`

/** Takes an account out of the trash as it was read, unless its erasure was asked for, which refuses. */
export const restoreAccount = (
  { now }: Context,
  account: Seen,
  changed: Refusal = changedMeanwhile,
): Statement[] => [
  db.run(sql`UPDATE accounts SET deleted_at = NULL, version = version + 1, updated_at = ${now}
    WHERE ${isRestorable(account)}`),
  requireChangedOne(changed),
]

/** From here on an account is in no trash and cannot be restored; refuses unless it is as it was read. */
export const markAccount = (
  ctx: Context,
  account: Seen,
  changed: Refusal = changedMeanwhile,
): Statement[] => [markAccounts(ctx, isRestorable(account)), requireChangedOne(changed)]

/** The same of all that meet a condition. */
export const markAccounts = ({ now }: Context, condition: SQL): Statement =>
  db.run(sql`UPDATE accounts SET erased_at = ${now}, version = version + 1, updated_at = ${now}
    WHERE ${condition} AND erased_at IS NULL`)

const ABOUT_ACCOUNTS = [
  'account_balances',
  'account_periods',
  'category_months',
  'valuations',
  'shares',
  'account_choices',
  'history_notes',
]

/** Erases accounts with all that is kept of them; whatever is still booked on one stops it by its foreign key. */
export const eraseAccounts = (ids: string[]): Statement[] => {
  return [
    // Of the projections only balances should be left; a wrong one is no reason to keep an account.
    ...ABOUT_ACCOUNTS.map((table) =>
      db.run(sql`DELETE FROM ${sql.identifier(table)} WHERE account_id IN ${among(ids)}`),
    ),
    db.run(sql`DELETE FROM accounts WHERE id IN ${among(ids)}`),
  ]
}
