import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { MOST_MERGED } from '../payees.rules.ts'

export const DeletePayeeQuery = z.strictObject({
  reassignTo: idInput('pay', 'Another payee that takes over the transactions.').optional(),
})

export const MergePayeesRequest = z
  .strictObject({
    payeeIds: z
      .array(idInput('pay', 'Id of a payee that is merged into this one.'))
      .min(1)
      .max(MOST_MERGED)
      .openapi({
        description:
          'Payees to merge. Their transactions and aliases move to this payee, and their names become aliases.',
        example: ['pay_01k9v3q8m5t0w2x4y6z8a1b3c5'],
      }),
  })
  .openapi('MergePayeesRequest')
