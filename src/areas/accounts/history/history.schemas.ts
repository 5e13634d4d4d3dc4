import { z } from '@hono/zod-openapi'
import {
  currency,
  date,
  dateInput,
  fieldChange,
  id,
  idInput,
  maybe,
  money,
  output,
  stamps,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'

export const HISTORY_TYPES = [
  'created',
  'updated',
  'balanceAdjusted',
  'shared',
  'unshared',
  'closed',
  'reopened',
  'deleted',
  'restored',
] as const

export const AccountHistoryQuery = z.strictObject({
  accountId: idInput('acc', 'Only of this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  ...pageQuery(1000, 1000),
})

export const AccountHistoryResponseDTO = z
  .object({
    id: id('log', 'Id of the record.'),
    accountId: id('acc', 'The account.'),
    accountName: output('Its name now.', 'Everyday'),
    type: z.enum(HISTORY_TYPES).openapi({ description: 'What happened.', example: 'created' }),
    date: date('The day that it counts for.'),
    currency: currency('The currency of the account then.'),
    balanceBefore: money('Of the account before it.'),
    balanceAfter: money('Of the account after it.'),
    change: money('The difference.'),
    actorId: maybe('Who did it; null for the service itself.', 'usr_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    source: z.enum(['user', 'system']).openapi({ description: 'What caused it.', example: 'user' }),
    transactionId: maybe('The transaction that booked the change.'),
    comment: maybe('Words of the user about it.', 'Found in the old wallet'),
    ...stamps,
  })
  .openapi('AccountHistoryResponseDTO')

export const AccountHistoryRecordDTO = z
  .object({
    ...AccountHistoryResponseDTO.shape,
    changes: z.array(fieldChange).openapi({
      description: 'What differs of the account itself; its balance is told above.',
    }),
  })
  .openapi('AccountHistoryRecordDTO')

export const AccountHistoryList = z.array(AccountHistoryResponseDTO)

export const UpdateAccountHistoryCommentDTO = z
  .strictObject({
    comment: z.string().max(2000).openapi({
      description: 'The new comment; empty clears it.',
      example: 'Found in the old wallet',
    }),
  })
  .openapi('UpdateAccountHistoryCommentDTO')

export const SuccessResponse = z
  .object({ success: z.boolean().openapi({ description: 'It is done.', example: true }) })
  .openapi('SuccessResponse')
