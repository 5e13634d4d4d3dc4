import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import {
  forceField,
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Sides } from './matching.rules.ts'

export const MatchTransferRequest = z
  .strictObject({
    fromTransactionId: idInput('txn', 'An expense: what left.'),
    toTransactionId: idInput('txn', 'An income on another account: what arrived.'),
    fee: z
      .strictObject({
        categoryId: idInput('cat', 'An expense category.').nullable().optional(),
      })
      .optional()
      .openapi({
        description: 'Within one currency: what did not arrive is the fee of the transfer.',
        example: {},
      }),
    force: forceField,
  })
  .openapi('MatchTransferRequest')

export const UnmatchTransferResponse = z
  .object({
    from: TransactionResponse.openapi({ description: 'What left, as an expense.' }),
    to: TransactionResponse.openapi({ description: 'What arrived, as an income.' }),
  })
  .openapi('UnmatchTransferResponse')

export const presentParts = ({ from, to }: Sides): z.infer<typeof UnmatchTransferResponse> => ({
  from: presentTransaction(from),
  to: presentTransaction(to),
})
