import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { date, dateInput, id, money, moneyInput, text } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Adjustment } from './adjustments.usecases.ts'

export const AdjustBalanceRequest = z
  .strictObject({
    balance: moneyInput('What was really there; what is owed is negative.'),
    date: dateInput('The day at whose end it was there.'),
    description: text(0, 500, 'Why it differed.', 'Counted the cash').optional(),
  })
  .openapi('AdjustBalanceRequest')

export const BalanceAdjustmentResponse = z
  .object({
    accountId: id('acc', 'The account.'),
    date: date('The day at whose end the balance is the stated one.'),
    balance: money('What is booked up to then now.'),
    change: money('What had to be booked for that.'),
    transaction: z.union([TransactionResponse, z.null()]).openapi({
      description: 'The adjustment that was booked; null when nothing differed.',
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
