import { z } from '@hono/zod-openapi'
import {
  count,
  fieldChange,
  id,
  instant,
  maybe,
  nextCursor,
  output,
  yes,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'

export const ListTransactionVersionsQuery = z.strictObject(pageQuery())

export const TransactionVersion = z
  .object({
    id: id('log', 'Id of the record in the log.'),
    at: instant('When it was changed.'),
    action: output('What was done.', 'transaction.updated'),
    actorId: maybe('Who did it; null for the service itself.', 'usr_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    actorType: z
      .enum(['user', 'token', 'system', 'anonymous'])
      .openapi({ description: 'As what.', example: 'user' }),
    forced: yes('Whether it was forced upon what is reconciled.', false),
    changes: z.array(fieldChange).openapi({
      description:
        'The fields of the transaction that differ, and of a transfer `fee`. Of a merge lists hold only what went and what came. Empty while the transaction was on an account that the caller does not see.',
    }),
  })
  .openapi('TransactionVersion')

export const ListTransactionVersionsResponse = z
  .object({
    versions: z.array(TransactionVersion).openapi({ description: 'The last change first.' }),
    count,
    nextCursor,
  })
  .openapi('ListTransactionVersionsResponse')
