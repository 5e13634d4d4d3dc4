import { z } from '@hono/zod-openapi'
import { currencyInput, whole } from '../../../http/fields.ts'
import { sums } from '../../accounts/accounts.public.ts'

export const GroupSummaryQuery = z.strictObject({
  currency: currencyInput(
    'Rolls all balances up into this currency instead of that of the group, for display only.',
  ).optional(),
})

export const GroupSummaryResponse = z
  .object({ ...sums, accountCount: whole('Open accounts that are summed up.', 3) })
  .openapi('GroupSummaryResponse')
