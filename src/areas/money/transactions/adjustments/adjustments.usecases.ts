import { add, formatMoney, negate, parseMoney, toMinor } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { requireAccess } from '../../../identity/access/access.public.ts'
import {
  accountsForBooking,
  type BookableAccount,
  rememberBooking,
} from '../../accounts/accounts.public.ts'
import { balanceUpTo, mustBalanceUpTo } from '../../../../ledger/search/search.public.ts'
import { type LedgerRow } from '../../../../ledger/ledger.public.ts'
import { rowOfMade } from '../recording/making.usecases.ts'
import { recordOne } from '../recording/recording.usecases.ts'
import { balanceEvents } from '../transactions.events.ts'
import { transactionErrors } from '../transactions.errors.ts'

export interface Stated {
  /** Decimal text. */
  balance: string
  date: string
  description?: string | undefined
  force?: boolean | undefined
}

export interface Adjustment {
  account: BookableAccount
  date: string
  balanceMinor: number
  changeMinor: number
  row: LedgerRow | null
}

/**
 * Books what an account's balance at the end of a day differs by from what was really there. A booking that
 * came in between makes it start from a wrong balance, so it is refused.
 */
export async function adjustBalance(
  ctx: SignedIn,
  id: string,
  { balance, date, description, force }: Stated,
): Promise<Adjustment> {
  const [[account], [sums]] = await read(ctx, accountsForBooking(ctx, [id]), balanceUpTo(id, date))
  if (!account || !sums) {
    throw transactionErrors.accountNotFound()
  }
  const { currency } = account
  const balanceMinor = parseMoney(balance, currency, { signed: true, field: 'balance' })
  const changeMinor = add(balanceMinor, negate(toMinor(fromWideSum(sums.balance))))
  const premise = mustBalanceUpTo(id, date, sums.balance)
  const adjusted = { account, date, balanceMinor, changeMinor }
  if (changeMinor === 0) {
    return commit(ctx, {
      changes: [
        {
          statements: [
            requireAccess(ctx, 'write', [id], transactionErrors.accountNotFound),
            premise,
          ],
          events: [
            balanceEvents.balanceConfirmed(
              { id, ownerId: account.ownerId, accountId: id },
              { balanceMinor, date },
            ),
          ],
        },
      ],
      result: { ...adjusted, row: null },
    })
  }
  const wanted = {
    kind: 'adjustment' as const,
    accountId: id,
    date,
    amount: formatMoney(changeMinor, currency),
    status: 'cleared' as const,
    description,
  }
  // The account was read just now, and the commit asserts what the caller may do there.
  rememberBooking(ctx, account)
  const gone = () => transactionErrors.accountNotFound()
  // Like an opening balance, it says what an account holds: rules leave it as it is.
  const draft = { ...wanted, applyRules: false }
  return recordOne(ctx, draft, { force, gone, premises: [premise] }, (recorded) => ({
    ...adjusted,
    row: 'made' in recorded ? rowOfMade(recorded.made) : null,
  }))
}
