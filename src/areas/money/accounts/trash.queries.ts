import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { accounts } from '../../../../drizzle/schema/accounts.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import {
  isDueInTrash,
  isNotRestored,
  trashPage,
  type TrashScope,
  type TrashShelf,
} from '../../../platform/owned-data/owned-data.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import {
  eraseSomeWithAccount,
  eraseWithAccounts,
  muchWithAccount,
} from '../../../platform/owned-data/with-accounts.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { keptAccountIds, ownedBy } from '../../identity/access/access.public.ts'
import { keepAlerting } from './alerts/alerts.queries.ts'
import { keptOf, someTransactionsOf } from '../../../ledger/ledger.public.ts'

/** An account in the trash as it was read. */
interface AccountAsRead {
  id: string
  ownerId: string
  version: number
}

const isRestorable = ({ id, ownerId, version }: AccountAsRead) =>
  sql`id = ${id} AND owner_id = ${ownerId} AND version = ${version} AND deleted_at IS NOT NULL AND erased_at IS NULL`

/** Takes an account out of the trash as it was read, unless its erasure was asked for, which refuses. */
export const restoreAccount = (
  { now }: Context,
  account: AccountAsRead,
  changed: Refusal = changedMeanwhile,
): Statement[] => [
  db.run(sql`UPDATE accounts SET deleted_at = NULL, version = version + 1, updated_at = ${now}
    WHERE ${isRestorable(account)}`),
  requireChangedOne(changed),
]

/** From here on an account is in no trash and cannot be restored; refuses unless it is as it was read. */
export const markAccount = (
  ctx: Context,
  account: AccountAsRead,
  changed: Refusal = changedMeanwhile,
): Statement[] => [markAccounts(ctx, isRestorable(account)), requireChangedOne(changed)]

/** Marks all accounts that meet a condition. */
export const markAccounts = ({ now }: Context, condition: SQL): Statement =>
  db.run(sql`UPDATE accounts SET erased_at = ${now}, version = version + 1, updated_at = ${now}
    WHERE ${condition} AND erased_at IS NULL`)

const isOneOf = (ids: string[], ownerId: string): SQL =>
  sql`id IN ${among(ids)} AND owner_id = ${ownerId}`

/** Erases accounts of an owner with all that is kept of them; whatever is still booked on one stops it by its foreign key. */
export const eraseAccounts = (ids: string[], ownerId: string): Statement[] => [
  // Only the balances of the projections should be left; a wrong one is no reason to keep an account.
  ...eraseWithAccounts(sql`SELECT ${accounts.id} FROM ${accounts} WHERE ${isOneOf(ids, ownerId)}`),
  db.run(sql`DELETE FROM accounts WHERE ${isOneOf(ids, ownerId)}`),
  ...keepAlerting(ownerId),
]

const isTrashed = (ctx: SignedIn) =>
  sql`a.deleted_at IS NOT NULL AND a.id IN (${keptAccountIds(ctx)})`

export const trashedAccounts: TrashShelf = {
  kinds: ['account'],
  page: (ctx, _, request) =>
    db.all(sql`SELECT 'account' AS kind, a.id, a.name, a.deleted_at AS deletedAt, a.id AS accountId, NULL AS date,
        b.balance_minor AS amountMinor, a.currency, b.transaction_count AS transactionCount, a.version
      FROM accounts a JOIN account_balances b ON b.account_id = a.id
      WHERE ${isTrashed(ctx)} ${trashPage(sql`a`, request)}`),
  count: (ctx) => sql`(SELECT count(*) FROM accounts a WHERE ${isTrashed(ctx)})`,
}

export const trashedAccountById = (ctx: SignedIn, id: string) =>
  db.select().from(accounts).where(sql`${accounts.id} = ${id} AND ${accounts.deletedAt} IS NOT NULL
      AND ${accounts.id} IN (${keptAccountIds(ctx)})`)

/** The number of accounts of the caller that would be marked. */
export const accountsToMark = ({ caller }: SignedIn): SQL =>
  sql`(SELECT count(*) FROM accounts
    WHERE ${ownedBy(caller, 'owner_id')} AND deleted_at IS NOT NULL AND erased_at IS NULL)`

/** True if an account in the trash is due for erasure. */
export const isDueAccount = (scope: TrashScope): SQL => isDueInTrash(scope, accounts)

/** In the commit of `markAccounts`; `changes()` would tell of the row of the log that comes between. */
export const countOfMarked = ({ now }: Context, scope: TrashScope): SQL =>
  sql`(SELECT count(*) FROM accounts WHERE ${isDueAccount(scope)} AND erased_at = ${now})`

/**
 * Selects a marked account. It excludes accounts of a running restore, because undoing the restore would not undo the
 * effects of an erasure on other accounts.
 */
const aMarkedOne = ({ ownerId, after = '' }: TrashScope) =>
  sql`SELECT id, owner_id AS ownerId FROM accounts WHERE deleted_at IS NOT NULL AND erased_at IS NOT NULL AND id > ${after}
    AND ${isNotRestored(sql`accounts.owner_id`)} ${ownerId === undefined ? sql`` : sql`AND owner_id = ${ownerId}`} ORDER BY id LIMIT 1`

export const markedAccount = (scope: TrashScope) =>
  db.all<{ id: string; ownerId: string }>(sql`${aMarkedOne(scope)}`)

/** One row if something is still kept of what is booked on it. */
export const keptOfMarked = (scope: TrashScope) =>
  keptOf(sql`SELECT id FROM (${aMarkedOne(scope)})`)

/** One row if more goes with it than one commit erases. */
export const muchWithMarked = (scope: TrashScope) =>
  muchWithAccount(sql`SELECT id FROM (${aMarkedOne(scope)})`)

/** Erases some of that. */
export const eraseSomeOf = (
  { id, ownerId }: Pick<AccountAsRead, 'id' | 'ownerId'>,
  but: readonly SQLiteTable[] = [],
): Statement[] =>
  eraseSomeWithAccount(
    sql`SELECT ${accounts.id} FROM ${accounts} WHERE ${isOneOf([id], ownerId)}`,
    but,
  )

/** Some of what is still booked on it. */
export const bookedOnMarked = (scope: TrashScope) =>
  someTransactionsOf(sql`SELECT id FROM (${aMarkedOne(scope)})`, 'entries')

/** Some of what is in the trash, or matched. */
export const putAwayOnMarked = (scope: TrashScope) =>
  someTransactionsOf(sql`SELECT id FROM (${aMarkedOne(scope)})`, 'unbooked_entries')
