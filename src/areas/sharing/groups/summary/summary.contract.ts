import { z } from '@hono/zod-openapi'
import { currencyInput, integerField } from '../../../../http/fields.ts'
import { presentSums, type RollUp, sums } from '../../../money/accounts/accounts.public.ts'

export const GroupSummaryQuery = z.strictObject({
  currency: currencyInput(
    'Currency to convert all balances into instead of the group’s currency, for display only.',
  ).optional(),
})

export const GroupSummaryResponse = z
  .object({ ...sums, accountCount: integerField('Number of open accounts in the sums.', 3) })
  .openapi('GroupSummaryResponse')

export const presentSummary = (summary: RollUp): z.infer<typeof GroupSummaryResponse> => ({
  ...presentSums(summary),
  accountCount: summary.accounts.length,
})
