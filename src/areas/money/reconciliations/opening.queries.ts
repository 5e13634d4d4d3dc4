import { type SQL, sql } from 'drizzle-orm'
import { reconciliations } from '../../../../drizzle/schema/reconciliation.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import { db, nothing, type Statement } from '../../../platform/statements.ts'
import { type WideSum, wideSum } from '../../../platform/wide-sums.ts'
import { isNotPrivateEntry, ownedBy } from '../../identity/access/access.public.ts'
import { openingIdOf } from '../accounts/accounts.public.ts'
import { isPrivateToOthers, lastOf } from './reconciliations.queries.ts'
import type { Prefill, ReconciliationRow } from './reconciliations.rules.ts'
import { insertTicks, mostTicks, ON_OFFER, TICKABLE } from './ticks.queries.ts'

/** The account, statement date and prefill of a new session. */
export interface Filling {
  accountId: string
  statementDate: string
  prefill: Prefill
  importId: string | null
}

/** The lines that a new session has ticked, as far as the caller sees them. */
const linesToTick = (
  ctx: SignedIn,
  { accountId, statementDate, prefill, importId }: Filling,
  columns: SQL,
): SQL => {
  const picked =
    prefill === 'import'
      ? sql`e.status IN ${TICKABLE} AND e.transaction_id IN (
          SELECT ifnull(m.matched_into, m.id) FROM import_identities i JOIN transactions m ON m.id = i.transaction_id
          WHERE i.account_id = ${accountId} AND i.import_id = ${importId}
          UNION ALL SELECT ${openingIdOf(accountId)} WHERE ${lastOf(sql`${accountId}`, sql.raw('l.id'))} IS NULL)`
      : sql`e.status = ${prefill === 'cleared' ? 'cleared' : ''}`
  return sql`SELECT ${columns} FROM entries e WHERE e.account_id = ${accountId} AND e.side = 'account'
    AND e.date <= ${statementDate} AND ${picked} AND ${isNotPrivateEntry(ctx)}`
}

/** The sums and counts of the rows that a new session would tick. */
export interface Filled {
  ticked: number
  tickedTotal: WideSum
  onOffer: number
  reconciledNow: number
  /** 1 where private rows of others are among the reconciled ones. */
  isHidden: number
}

/** The lines `x` of an account that are private to others than the caller; few transactions are. */
const hidden = (ctx: SignedIn, accountId: string, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM accounts a CROSS JOIN transactions p ON p.owner_id = a.owner_id AND p.private = 1
      CROSS JOIN entries x ON x.transaction_id = p.id AND x.account_id = a.id AND x.side = 'account'
    WHERE a.id = ${accountId} AND ${isPrivateToOthers(ctx, sql.raw('p.id'))}`

export const filledBy = (ctx: SignedIn, filling: Filling) =>
  db.all<Filled>(sql`SELECT count(*) AS ticked, ${wideSum(sql.raw('amount'))} AS tickedTotal,
      (SELECT count(*) FROM entries o WHERE o.account_id = ${filling.accountId} AND o.side = 'account'
        AND o.date <= ${filling.statementDate} AND o.status IN ${ON_OFFER}) - (${hidden(
          ctx,
          filling.accountId,
          sql`count(*)`,
        )} AND x.date <= ${filling.statementDate} AND x.status IN ${ON_OFFER}) AS onOffer,
      (SELECT kept.reconciled_minor FROM account_balances kept WHERE kept.account_id = ${filling.accountId}) AS reconciledNow,
      EXISTS (${hidden(ctx, filling.accountId, sql`1`)} AND x.status = 'reconciled') AS isHidden
    FROM (${linesToTick(ctx, filling, sql.raw('e.amount_minor AS amount'))})`)

/** Stores a session with its first ticks; refuses where the session that it follows is not the last one any more. */
export const insertReconciliation = (
  ctx: SignedIn,
  session: ReconciliationRow,
  filling: Filling,
): Statement[] => [
  refuseIf(
    sql`ifnull(${lastOf(sql`${session.accountId}`, sql.raw('l.closing_minor'))}, 0) <> CAST(${session.openingMinor} AS INTEGER)
      OR ifnull(${lastOf(sql`${session.accountId}`, sql.raw('l.statement_date'))}, '') > ${session.statementDate}`,
    changedMeanwhile,
  ),
  db.insert(reconciliations).values(session),
  ...(filling.prefill === 'none'
    ? []
    : [
        insertTicks(linesToTick(ctx, filling, sql`${session.id}, e.transaction_id, e.line`)),
        mostTicks(session.id),
      ]),
]

/** Finds a file, or an import of an account, that the caller can name in a session. */
export const namedFile = ({ caller }: SignedIn, id: string | null | undefined) =>
  id
    ? db.all<{ id: string }>(
        sql`SELECT f.id FROM attachments f WHERE f.id = ${id} AND ${ownedBy(caller, 'f.owner_id')} AND f.deleted_at IS NULL`,
      )
    : nothing<{ id: string }>()

export const namedImport = (
  { caller }: SignedIn,
  { accountId, importId }: { accountId: string; importId: string | undefined },
) =>
  importId === undefined
    ? nothing<{ id: string }>()
    : db.all<{ id: string }>(
        sql`SELECT i.id FROM imports i WHERE i.id = ${importId} AND ${ownedBy(caller, 'i.owner_id')} AND i.state = 'done'
          AND EXISTS (SELECT 1 FROM json_each(i.accounts) f WHERE f.value->>'accountId' = ${accountId})`,
      )
