import { type SQL, sql } from 'drizzle-orm'
import { valuations } from '../../../../drizzle/schema/ledger.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { writesOf } from '../../../platform/database/owned-tables.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import type { WideSum } from '../../../platform/database/wide-sums.ts'
import {
  accountIsSeenBy,
  isNotPrivateTo,
  viewerOf,
  visibleAccountIds,
  visibleOwnerIds,
} from '../../identity/access/access.public.ts'
import { balanceAtEnd } from '../../../ledger/search/search.public.ts'
import { ledgerRowsIn } from '../../../ledger/ledger.public.ts'
import { valuationErrors } from './valuations.errors.ts'

export type ValuationRow = typeof valuations.$inferSelect

export interface ValuationFilter {
  accountId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** An account that may have valuations. */
export interface ValuedAccount {
  id: string
  ownerId: string
  currency: string
  onBudget: 0 | 1
}

const ACCOUNT = sql.raw(
  'accounts.owner_id AS ownerId, accounts.currency, accounts.on_budget AS onBudget',
)

export const accountToValue = (ctx: SignedIn, id: string) =>
  db.all<ValuedAccount>(
    sql`SELECT accounts.id, ${ACCOUNT} FROM accounts
      WHERE accounts.id = ${id} AND ${accountIsSeenBy(viewerOf(ctx))}`,
  )

/** With its account, what is booked up to the end of its day, and 1 where its adjustment is private to somebody else. */
export type ValuationView = ValuationRow &
  Omit<ValuedAccount, 'id'> & { balance: WideSum; isHidden: 0 | 1 }

const COLUMNS =
  sql.raw(`v.id, v.account_id AS accountId, v.date, v.value_minor AS valueMinor, v.note,
  v.transaction_id AS transactionId, v.version, v.created_at AS createdAt, v.updated_at AS updatedAt`)

const isHidden = (ctx: SignedIn) =>
  sql`EXISTS (SELECT 1 FROM transactions t WHERE t.id = v.transaction_id AND NOT ${isNotPrivateTo(ctx)})`

const ON_ITS_DAY = balanceAtEnd(sql.raw('v.account_id'), sql.raw('v.date'))

const FROM = sql`FROM valuations v JOIN accounts ON accounts.id = v.account_id`

function matching(ctx: SignedIn, { accountId, from, to }: ValuationFilter): SQL {
  const conditions = [
    sql`v.owner_id IN (${visibleOwnerIds(ctx)}) AND v.account_id IN (${visibleAccountIds(ctx)})`,
    ...(accountId === undefined ? [] : [sql`v.account_id = ${accountId}`]),
    ...(from === undefined ? [] : [sql`v.date >= ${from}`]),
    ...(to === undefined ? [] : [sql`v.date <= ${to}`]),
  ]
  return sql.join(conditions, sql` AND `)
}

/** Newest day first, one row more than the page. A position is `[date, id]`. */
export const pageOfValuations = (ctx: SignedIn, filter: ValuationFilter, page: PageRequest) =>
  db.all<ValuationView>(
    sql`SELECT ${COLUMNS}, ${ACCOUNT}, ${ON_ITS_DAY} AS balance, ${isHidden(ctx)} AS isHidden ${FROM} WHERE ${matching(ctx, filter)}
      ${page.after ? sql`AND (v.date, v.id) < (${page.after[0]}, ${page.after[1]})` : sql``}
      ORDER BY v.date DESC, v.id DESC LIMIT ${page.limit + 1}`,
  )

export const countOfValuations = (ctx: SignedIn, filter: ValuationFilter) =>
  db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM valuations v WHERE ${matching(ctx, filter)}`,
  )

/** @param day whose balance is looked at, in place of its own */
export const valuationById = (ctx: SignedIn, id: string, day?: string) =>
  db.all<ValuationView>(
    sql`SELECT ${COLUMNS}, ${ACCOUNT}, ${day === undefined ? ON_ITS_DAY : balanceAtEnd(sql`v.account_id`, sql`${day}`)}
        AS balance, ${isHidden(ctx)} AS isHidden
      ${FROM} WHERE v.id = ${id} AND ${accountIsSeenBy(viewerOf(ctx))}`,
  )

/** The account of the valuations, and the valuation to leave out. */
export interface Among {
  /** The account, as an expression. */
  account: SQL
  exceptId: string
}

export const literal = (text: string): SQL => sql`${text}`

export const accountOfValuation = (valuationId: string): SQL =>
  sql`(SELECT account_id FROM valuations WHERE id = ${valuationId})`

export const dayOfValuation = (valuationId: string): SQL =>
  sql`(SELECT date FROM valuations WHERE id = ${valuationId})`

const nextOn = ({ account, exceptId }: Among, day: SQL, columns: SQL) =>
  sql`(SELECT ${columns} FROM valuations n WHERE n.account_id = ${account} AND n.date >= ${day}
    AND n.id <> ${exceptId} ORDER BY n.date LIMIT 1)`

const idsNext = (among: Among, days: SQL[]) =>
  sql.join(
    days.map((day) => nextOn(among, day, sql.raw('n.id'))),
    sql`, `,
  )

/** A valuation as what another one is booked before. */
export type Follower = Pick<ValuationRow, 'id' | 'date' | 'transactionId' | 'version'>

/** The next valuation on or after each of these days. */
export const followers = (among: Among, days: SQL[]) =>
  db.all<Follower>(
    sql`SELECT v.id, v.date, v.transaction_id AS transactionId, v.version FROM valuations v
      WHERE v.id IN (${idsNext(among, days)})`,
  )

/** The transactions of these valuations, and of the one that is left out of them, as far as they are booked. */
export const adjustmentsOf = (ctx: SignedIn, among: Among, days: SQL[]) =>
  ledgerRowsIn(
    ctx,
    sql`SELECT transaction_id FROM valuations WHERE id IN (${idsNext(among, days)}, ${among.exceptId})`,
  )

/** Refuses when another valuation follows on a day than was read, or it was moved or rebooked. */
export function mustFollow(
  { accountId, exceptId }: { accountId: string; exceptId: string },
  day: string,
  follower: Follower | undefined,
): Statement {
  const read = follower && `${follower.id} ${follower.date} ${follower.transactionId ?? ''}`
  const found = nextOn(
    { account: sql`${accountId}`, exceptId },
    sql`${day}`,
    sql.raw(`n.id || ' ' || n.date || ' ' || ifnull(n.transaction_id, '')`),
  )
  return refuseIf(sql`${found} IS NOT ${read ?? null}`, changedMeanwhile)
}

/** Refuses when the account has come onto the budget. */
export const mustBeOffBudget = (accountId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND on_budget = 1)`,
    valuationErrors.onBudget,
  )

export const valuationRows = writesOf(valuations)
