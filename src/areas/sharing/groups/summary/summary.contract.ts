import { z } from '@hono/zod-openapi'
import { currencyInput, integerField } from '../../../../http/fields.ts'
import { presentSums, type RollUp, sums } from '../../../money/accounts/accounts.public.ts'

export const GroupSummaryQuery = z.strictObject({
  currency: currencyInput(
    'Rolls all balances up into this currency instead of that of the group, for display only.',
  ).optional(),
})

export const GroupSummaryResponse = z
  .object({ ...sums, accountCount: integerField('Open accounts that are summed up.', 3) })
  .openapi('GroupSummaryResponse')

export const presentSummary = (summary: RollUp): z.infer<typeof GroupSummaryResponse> => ({
  ...presentSums(summary),
  accountCount: summary.accounts.length,
})
