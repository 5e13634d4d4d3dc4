import { z } from '@hono/zod-openapi'
import { idInput, forceField, moneyInput } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Parted } from './matching.usecases.ts'

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

export const ConvertToTransferRequest = z
  .strictObject({
    accountId: idInput('acc', 'Account that the money arrived in, or that it came from.'),
    toAmount: moneyInput(
      'Amount that arrived in the other account, or left it, in its currency; needed if that differs.',
    ).optional(),
    force: forceField,
  })
  .openapi('ConvertToTransferRequest')

export const UnmatchedTransferResponse = z
  .object({
    from: z.union([TransactionResponse, z.null()]).openapi({
      description: 'The expense on the sending account; null if that side is gone.',
    }),
    to: z.union([TransactionResponse, z.null()]).openapi({
      description: 'The income on the receiving account; null if that side is gone.',
    }),
  })
  .openapi('UnmatchedTransferResponse')

export const presentParts = ({ from, to }: Parted): z.infer<typeof UnmatchedTransferResponse> => ({
  from: from && presentTransaction(from),
  to: to && presentTransaction(to),
})
