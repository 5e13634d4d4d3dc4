import { z } from '@hono/zod-openapi'
import { REACH, reasonsFor } from '../../../../domain/matching/weights.ts'
import { idInput, forceField } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import type { Candidates } from './duplicates.usecases.ts'
import { countOfPairs, pairQuery, score, truncated } from './pairs.contract.ts'

export const ListDuplicatesQuery = z.strictObject({
  accountId: idInput('acc', 'Only transactions of this account.').optional(),
  ...pairQuery(0, REACH.duplicates),
})

export const DuplicatesResponse = z
  .object({
    duplicates: z
      .array(
        z.object({
          first: TransactionResponse.openapi({
            description: 'The transaction that was recorded first.',
          }),
          second: TransactionResponse.openapi({
            description: 'The transaction that was recorded later.',
          }),
          score,
          reasons: z.array(z.enum(reasonsFor('duplicates'))).openapi({
            description: 'Reasons for the match; sameSource is a reason against it.',
            example: ['sameAmount', 'sameDay', 'otherSource'],
          }),
        }),
      )
      .openapi({ description: 'Pairs, the most likely first.' }),
    count: countOfPairs,
    truncated,
  })
  .openapi('DuplicatesResponse')

export const MergeDuplicateRequest = z
  .strictObject({
    keepId: idInput('txn', 'Transaction to keep.'),
    dropId: idInput('txn', 'Transaction to move to the trash.'),
    force: forceField,
  })
  .openapi('MergeDuplicateRequest')

export const presentDuplicates = ({
  candidates,
  truncated,
}: Candidates): z.infer<typeof DuplicatesResponse> => ({
  duplicates: candidates.map(({ rows: [first, second], score, reasons }) => ({
    first: presentTransaction(first),
    second: presentTransaction(second),
    score,
    reasons,
  })),
  count: candidates.length,
  truncated,
})
