import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { MOST_MERGED } from '../payees.rules.ts'

export const DeletePayeeQuery = z.strictObject({
  reassignTo: idInput('pay', 'Another payee, which takes over the transactions.').optional(),
})

export const MergePayeesRequest = z
  .strictObject({
    payeeIds: z
      .array(idInput('pay', 'A payee that is merged into this one.'))
      .min(1)
      .max(MOST_MERGED)
      .openapi({
        description: 'Their transactions and aliases go to this payee; their names become aliases.',
        example: ['pay_01k9v3q8m5t0w2x4y6z8a1b3c5'],
      }),
  })
  .openapi('MergePayeesRequest')
