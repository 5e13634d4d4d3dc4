import { sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { db, nothing } from '../../../platform/statements.ts'
import type { WideSum } from '../../../platform/wide-sums.ts'
import { accountIsSeenBy, viewerOf } from '../../identity/access/access.public.ts'
import { type Basis, sumAtEnd } from '../../../ledger/search/search.public.ts'

/** What a statement of a bank says that an account held at the end of a day. */
export interface Closing {
  accountId: string
  date: string
  amountMinor: number
  /** The first day that the file tells of the account; null where it does not say. */
  from: string | null
}

export interface ClosingRow {
  accountId: string
  date: string
  amountMinor: number
  ownerId: string
  /** All lines where the file tells of the account from its first one, else those that are cleared. */
  basis: Basis
  actual: WideSum
  /** 1 where something is stated of the same sum. */
  isStated: number
}

/** Closings with what is booked up to their days; two seeks for each. */
export const closingsToAssert = (ctx: SignedIn, closings: Closing[]) =>
  closings.length === 0
    ? nothing<ClosingRow>()
    : db.all<ClosingRow>(sql`SELECT accounts.id AS accountId, wanted.date, wanted.amount AS amountMinor,
        accounts.owner_id AS ownerId, wanted.basis,
        ${sumAtEnd(sql`accounts.id`, sql`wanted.date`, sql`wanted.basis`)} AS actual,
        EXISTS (SELECT 1 FROM balance_assertions b WHERE b.account_id = accounts.id AND b.date = wanted.date
          AND b.edge = 'endOfDay' AND b.basis = wanted.basis) AS isStated
      FROM (SELECT value->>'accountId' AS account_id, value->>'date' AS date, value->>'amountMinor' AS amount,
          iif(value->>'from' IS NULL OR EXISTS (SELECT 1 FROM entries e WHERE e.account_id = value->>'accountId'
            AND e.side = 'account' AND e.date < value->>'from'), 'cleared', 'balance') AS basis
        FROM json_each(${JSON.stringify(closings)})) wanted
      CROSS JOIN accounts ON accounts.id = wanted.account_id AND ${accountIsSeenBy(viewerOf(ctx))}`)
