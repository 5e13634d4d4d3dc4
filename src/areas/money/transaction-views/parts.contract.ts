import { z } from '@hono/zod-openapi'
import { rateBetween } from '../../../domain/exchange.ts'
import { legIdOf } from '../../../domain/ledger-ids.ts'
import { formatMoney } from '../../../domain/money.ts'
import { booleanField, nullableText } from '../../../http/fields.ts'
import { hidesAccount, type LedgerRow, type OtherLine } from '../../../ledger/ledger.public.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { isForAccount } from '../../identity/access/access.public.ts'

export const SplitTransfer = z
  .object({
    accountId: nullableText('Account that the part goes to or comes from.'),
    transactionId: nullableText('Id of the transaction that the other account sees.'),
    amount: nullableText('Amount on the other account, in its currency; never negative.', '30.00'),
    currency: nullableText('Currency of the other account.', 'EUR'),
    rate: nullableText('Units of the other currency for one unit of this one.'),
    status: nullableText('Status on the other account.', 'uncleared'),
    externalId: nullableText('Id that the bank of the other account gave.'),
    hidden: booleanField(
      'Whether the caller cannot see the other account, so that nothing else is told of it.',
      false,
    ),
  })
  .openapi('SplitTransfer')

/** Whether the caller sees another account of the transaction of a row. */
export const isSeen = (row: LedgerRow, accountId: string, ctx: SignedIn | undefined): boolean =>
  !hidesAccount(row, accountId) && (!ctx || isForAccount(ctx, accountId))

/** The other side of a part, as the account of the whole sees it; null unless the part is a transfer. */
export function presentOtherSide(
  row: LedgerRow,
  part: OtherLine,
  others: OtherLine[],
  ctx: SignedIn | undefined,
): z.infer<typeof SplitTransfer> | null {
  const leg = others.find(({ side, pair }) => side === 'account' && pair === part.line)
  if (!leg) {
    return null
  }
  if (!isSeen(row, leg.accountId, ctx)) {
    return HIDDEN_SIDE
  }
  const { currency } = leg
  const minor = Math.abs(leg.amountMinor)
  return {
    accountId: leg.accountId,
    transactionId: legIdOf(row.transactionId, 'transfer', leg.line),
    amount: formatMoney(minor, currency),
    currency,
    rate:
      currency === row.currency
        ? null
        : rateBetween(
            { minor: Math.abs(part.amountMinor), currency: row.currency },
            { minor, currency },
          ),
    status: leg.status,
    externalId: leg.externalId,
    hidden: false,
  }
}

const HIDDEN_SIDE = {
  accountId: null,
  transactionId: null,
  amount: null,
  currency: null,
  rate: null,
  status: null,
  externalId: null,
  hidden: true,
}
