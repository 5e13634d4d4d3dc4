import { z } from '@hono/zod-openapi'
import { text } from '../../../../http/fields.ts'

export const ReopenBudgetPeriodRequest = z
  .strictObject({
    reason: text(1, 500, 'Why the period is opened again. The log keeps it.', 'A receipt was late'),
  })
  .openapi('ReopenBudgetPeriodRequest')
