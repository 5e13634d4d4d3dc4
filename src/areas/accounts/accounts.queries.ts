import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../drizzle/schema/accounts.ts'
import { accountBalances } from '../../../drizzle/schema/ledger.ts'
import type { Context, SignedIn } from '../../platform/context.ts'
import { mustHaveChangedOne, refuseWhen } from '../../platform/guards.ts'
import { db, nothing, prepared, type Statement } from '../../platform/statements.ts'
import { accountIsSeenBy, type Looking, lookingLater } from '../access/access.public.ts'

export type AccountRow = typeof accounts.$inferSelect
export type NewAccount = typeof accounts.$inferInsert

export interface AccountView {
  account: AccountRow
  balances: typeof accountBalances.$inferSelect
}

const selectAccounts = () =>
  db
    .select({ account: accounts, balances: accountBalances })
    .from(accounts)
    .innerJoin(accountBalances, eq(accountBalances.accountId, accounts.id))

const isSeen = accountIsSeenBy(lookingLater)

const seenAccounts = prepared<Looking, AccountView[]>(() =>
  selectAccounts().where(isSeen).orderBy(accounts.order, accounts.nameKey),
)

const seenAccount = prepared<Looking & { id: string }, AccountView[]>(() =>
  selectAccounts().where(and(eq(accounts.id, sql.placeholder('id')), isSeen)),
)

/** Every account that the caller sees, in the order the user gave them, then by name. */
export const visibleAccounts = ({ caller }: SignedIn): Statement<AccountView[]> =>
  seenAccounts({ ...caller })

export const accountById = ({ caller }: SignedIn, id: string): Statement<AccountView[]> =>
  seenAccount({ ...caller, id })

/** How many transactions are booked on an account that the same read shows to be seen. */
export const countOfBooked = (id: string) =>
  db.all<{ count: number }>(
    sql`SELECT transaction_count AS count FROM account_balances WHERE account_id = ${id}`,
  )

/** A subquery of the currency of an account that the caller sees. */
export const currencyOfAccount = ({ caller }: SignedIn, id: string): SQL =>
  sql`SELECT accounts.currency FROM accounts WHERE accounts.id = ${id} AND ${accountIsSeenBy(caller)}`

/** What booking on accounts needs to know of them. Ids that the caller does not see are missing. */
export const accountsForBooking = (
  { caller }: SignedIn,
  ids: string[],
): Statement<BookableAccount[]> =>
  ids.length === 0 ? nothing() : bookableAccounts({ ...caller, ids: JSON.stringify(ids) })

export type BookableAccount = Pick<AccountRow, 'id' | 'ownerId' | 'currency'>

const bookableAccounts = prepared<Looking & { ids: string }, BookableAccount[]>(() =>
  db
    .select({ id: accounts.id, ownerId: accounts.ownerId, currency: accounts.currency })
    .from(accounts)
    .where(
      and(sql`${accounts.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`, isSeen),
    ),
)

export const insertAccount = (account: NewAccount): Statement[] => [
  db.insert(accounts).values(account),
  db.insert(accountBalances).values({ accountId: account.id }),
]

export const updateAccount = (
  ctx: Context,
  { id, version }: { id: string; version: number },
  changes: Partial<NewAccount>,
): Statement[] => [
  db
    .update(accounts)
    .set({ ...changes, version: sql`${accounts.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(accounts.id, id), eq(accounts.version, version), isNull(accounts.deletedAt))),
  mustHaveChangedOne('stale'),
]

/** Breaks `conflict` when a value was stated in the currency of the account, also where nothing is booked on it. */
export const mustHaveNoValuation = (accountId: string): Statement =>
  refuseWhen('conflict', sql`EXISTS (SELECT 1 FROM valuations WHERE account_id = ${accountId})`)

/** What a log row of an account's history says about money. */
export interface HistoryFacts {
  /** Calendar date that the event counts for. */
  date: string
  changeMinor: number
  transactionId: string | null
}

/** Those facts as JSON, with the balance that the account has after the writes of the commit. */
export const historyFacts = (accountId: string, facts: HistoryFacts): SQL =>
  sql`(SELECT json_object('date', ${facts.date}, 'currency', a.currency,
      'changeMinor', CAST(${facts.changeMinor} AS INTEGER), 'balanceAfterMinor', b.balance_minor,
      'transactionId', ${facts.transactionId})
    FROM accounts a JOIN account_balances b ON b.account_id = a.id WHERE a.id = ${accountId})`
