import { z } from '@hono/zod-openapi'
import { idInput, forceField } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Sides } from './matching.rules.ts'

export const MatchTransferRequest = z
  .strictObject({
    fromTransactionId: idInput('txn', 'Expense on the account that the money left.'),
    toTransactionId: idInput('txn', 'Income on the account that the money arrived in.'),
    categoryId: idInput(
      'cat',
      'Expense category of the transfer; the transactions keep theirs for when it is split again.',
    )
      .nullable()
      .optional(),
    fee: z
      .strictObject({
        categoryId: idInput('cat', 'Expense category of the fee.').nullable().optional(),
      })
      .optional()
      .openapi({
        description: 'Books the amount that did not arrive as a fee; only within one currency.',
        example: {},
      }),
    force: forceField,
  })
  .openapi('MatchTransferRequest')

export const UnmatchedTransferResponse = z
  .object({
    from: TransactionResponse.openapi({ description: 'The expense on the sending account.' }),
    to: TransactionResponse.openapi({ description: 'The income on the receiving account.' }),
  })
  .openapi('UnmatchedTransferResponse')

export const presentParts = ({ from, to }: Sides): z.infer<typeof UnmatchedTransferResponse> => ({
  from: presentTransaction(from),
  to: presentTransaction(to),
})
