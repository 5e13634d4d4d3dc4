import { z } from '@hono/zod-openapi'
import { idInput } from '../../../http/fields.ts'
import { countOfPairs, pairQuery, score } from './pairs.schemas.ts'
import {
  forceField,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { REASONS } from './duplicates.rules.ts'

export const ListDuplicatesQuery = z.strictObject({
  accountId: idInput('acc', 'Only of this account.').optional(),
  ...pairQuery(0, 3),
})

export const ListDuplicatesResponse = z
  .object({
    duplicates: z
      .array(
        z.object({
          first: TransactionResponse.openapi({ description: 'What was recorded first.' }),
          second: TransactionResponse.openapi({ description: 'What was recorded after it.' }),
          score,
          reasons: z.array(z.enum(REASONS)).openapi({
            description: 'What speaks for it; sameSource speaks against it.',
            example: ['sameAmount', 'sameDay', 'otherSource'],
          }),
        }),
      )
      .openapi({ description: 'The likeliest first.' }),
    count: countOfPairs,
  })
  .openapi('ListDuplicatesResponse')

export const MergeDuplicateRequest = z
  .strictObject({
    keepId: idInput('txn', 'The one that stays.'),
    dropId: idInput('txn', 'The one that goes to the trash.'),
    force: forceField,
  })
  .openapi('MergeDuplicateRequest')
