import { z } from '@hono/zod-openapi'
import { idInput, forceField } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Unmatched } from './matching.rules.ts'

export const MatchSplitRequest = z
  .strictObject({
    transactionId: idInput(
      'txn',
      'Expense or income on the other account that is the other half of the part.',
    ),
    force: forceField,
  })
  .openapi('MatchSplitRequest')

export const UnmatchedSplitResponse = z
  .object({
    transaction: TransactionResponse.openapi({ description: 'The transaction with its parts.' }),
    restored: TransactionResponse.openapi({
      description: 'The transaction on the other account that the part was matched with.',
    }),
  })
  .openapi('UnmatchedSplitResponse')

export const presentUnmatched = ({
  transaction,
  restored,
}: Unmatched): z.infer<typeof UnmatchedSplitResponse> => ({
  transaction: presentTransaction(transaction),
  restored: presentTransaction(restored),
})
