import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  date,
  dateInput,
  id,
  money,
  moneyInput,
  text,
  forceField,
} from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Adjustment } from './adjustments.usecases.ts'

export const AdjustBalanceRequest = z
  .strictObject({
    balance: moneyInput('Actual balance; money that is owed is negative.'),
    date: dateInput('Day at the end of which the account had this balance.'),
    description: text(0, 500, 'Reason for the difference.', 'Counted the cash').optional(),
    force: forceField,
  })
  .openapi('AdjustBalanceRequest')

export const BalanceAdjustmentResponse = z
  .object({
    accountId: id('acc', 'Account that was adjusted.'),
    date: date('Day at the end of which the account had the stated balance.'),
    balance: money('Balance at the end of that day, after the adjustment.'),
    change: money('Amount that was booked to reach the balance.'),
    transaction: z.union([TransactionResponse, z.null()]).openapi({
      description: 'The adjustment that was booked; null if there was no difference.',
    }),
  })
  .openapi('BalanceAdjustmentResponse')

export const presentAdjustment = ({
  account: { id, currency },
  date,
  balanceMinor,
  changeMinor,
  row,
}: Adjustment): z.infer<typeof BalanceAdjustmentResponse> => ({
  accountId: id,
  date,
  balance: formatMoney(balanceMinor, currency),
  change: formatMoney(changeMinor, currency),
  transaction: row && presentTransaction(row),
})
