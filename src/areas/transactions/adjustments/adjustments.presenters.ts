import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type { BalanceAdjustmentResponse } from './adjustments.schemas.ts'
import type { Adjustment } from './adjustments.usecases.ts'

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
