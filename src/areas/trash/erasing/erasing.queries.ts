import { type SQL, sql } from 'drizzle-orm'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import { markAccounts } from '../../accounts/accounts.public.ts'
import {
  ERASED_AT_ONCE,
  eraseFoundTransactions,
  someTransactionsOf,
} from '../../../ledger/trash/trash.public.ts'

/** What is to be erased: what was deleted up to `before`, and every account that was marked. */
export interface Scope {
  /** Without one, of everybody. */
  ownerId?: string | undefined
  before: number
  /** The last account that could not be erased: the next ones, by id, are seen to before it is tried again. */
  after?: string | undefined
}

const isDue = ({ ownerId, before }: Scope): SQL =>
  ownerId === undefined
    ? sql`deleted_at IS NOT NULL AND deleted_at <= ${before}`
    : sql`owner_id = ${ownerId} AND deleted_at IS NOT NULL AND deleted_at <= ${before}`

/** Marks all accounts whose time has come. */
export const markDueAccounts = (ctx: Context, scope: Scope): Statement =>
  markAccounts(ctx, isDue(scope))

/** For the log, in the commit of `markDueAccounts`; `changes()` would tell of the row of the log that comes between. */
export const countOfMarked = ({ now }: Context, scope: Scope): SQL =>
  sql`json_object('accounts', (SELECT count(*) FROM accounts WHERE ${isDue(scope)} AND erased_at = ${now}))`

/** Some of the transactions whose time has come. */
export const dueTransactions = (scope: Scope) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM transactions WHERE ${isDue(scope)} LIMIT ${ERASED_AT_ONCE}`,
  )

/** Erases those of them that are still due: one may have been restored since they were found. */
export const eraseDueTransactions = (scope: Scope, ids: string[]): Statement =>
  eraseFoundTransactions(ids, isDue(scope))

/** Some of the categories, tags and payees whose time has come; each may be as large as a row can be. */
export const dueRows = (scope: Scope) =>
  db.all<{ id: string }>(
    sql`SELECT id FROM trashed_rows WHERE ${isDue(scope)} LIMIT ${ERASED_AT_ONCE}`,
  )

export const eraseDueRows = (scope: Scope, ids: string[]): Statement =>
  db.run(sql`DELETE FROM trashed_rows WHERE id IN ${among(ids)} AND ${isDue(scope)}`)

const aMarkedOne = ({ ownerId, after = '' }: Scope) =>
  sql`SELECT id FROM accounts WHERE deleted_at IS NOT NULL AND erased_at IS NOT NULL AND id > ${after}
    ${ownerId === undefined ? sql`` : sql`AND owner_id = ${ownerId}`} ORDER BY id LIMIT 1`

export const markedAccount = (scope: Scope) => db.all<{ id: string }>(sql`${aMarkedOne(scope)}`)

/** Some of what is still booked on it. */
export const bookedOnMarked = (scope: Scope) => someTransactionsOf(aMarkedOne(scope), 'entries')

/** Some of what is in the trash, or matched. */
export const putAwayOnMarked = (scope: Scope) =>
  someTransactionsOf(aMarkedOne(scope), 'trashed_entries')

/** How many accounts of the caller would be marked. */
export const accountsToMark = ({ caller }: SignedIn) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM accounts
      WHERE owner_id = ${caller.userId} AND deleted_at IS NOT NULL AND erased_at IS NULL`,
  )
