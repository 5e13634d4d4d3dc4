import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../../platform/context.ts'
import { requireChanged, refuseIf } from '../../../../platform/premises.ts'
import type { Refusal } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { viewerOf, ownAccountIds } from '../../../identity/access/access.public.ts'
import { accountErrors } from '../accounts.errors.ts'
import { type AccountView, countOfSeen, lastDateOfSeen } from '../accounts.queries.ts'

/** Refuses when the account was booked on since it was read, as far as the caller is told of it. */
export const mustBalanceAsRead = (ctx: SignedIn, { account, balances }: AccountView): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM accounts JOIN account_balances ON account_balances.account_id = accounts.id
      WHERE accounts.id = ${account.id}
      AND balance_minor = ${integer(balances.balanceMinor)} AND cleared_minor = ${integer(balances.clearedMinor)}
      AND reconciled_minor = ${integer(balances.reconciledMinor)}
      AND ${countOfSeen(viewerOf(ctx))} = ${integer(balances.transactionCount)}
      AND ${lastDateOfSeen(viewerOf(ctx))} IS ${balances.lastDate})`,
    accountErrors.changedMeanwhile,
  )

const integer = (value: number): SQL => sql`CAST(${value} AS INTEGER)`

/** Gives these accounts their place in the list. Refuses unless all of them are the caller's own. */
export const placeAccounts = (
  ctx: SignedIn,
  ids: string[],
  unknownAccount: Refusal,
): Statement[] => [
  db.run(sql`UPDATE accounts SET sort_order = wanted.key, version = version + 1, updated_at = ${ctx.now}
    FROM json_each(${JSON.stringify(ids)}) wanted
    WHERE accounts.id = wanted.value AND accounts.id IN (${ownAccountIds(ctx)})`),
  requireChanged(ids.length, unknownAccount),
]
