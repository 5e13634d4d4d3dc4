import { z } from '@hono/zod-openapi'
import {
  booleanField,
  forceField,
  id,
  instant,
  integerField,
  textField,
  toInstant,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import {
  ChangeTransactionsResponse,
  presentBulkChanges,
} from '../../money/transactions/transactions.public.ts'
import { REVERSING } from './changes.rules.ts'
import type { OwnChange, Undoing } from './changes.usecases.ts'

export const ListChangesQuery = z.strictObject(pageQuery())

const OwnChangeResponse = z
  .object({
    id: id('log', 'Id of the change: that of its first entry in the audit log.'),
    at: instant('Time of the change.'),
    operation: textField('Operation that made the change, by its id.', 'updateTransactions'),
    count: integerField('Number of things that changed.', 12),
    types: z.array(z.string()).openapi({
      description: 'The types of its entries in the audit log.',
      example: ['transaction.updated'],
    }),
    undo: z.enum(['possible', 'no', ...REVERSING]).openapi({
      description:
        '`possible` if undoChange can undo it, the operation to use instead, or `no`. Some of it may have changed since.',
      example: 'possible',
    }),
  })
  .openapi('Change')

export const ChangesResponse = pageResponse(
  'changes',
  OwnChangeResponse,
  'One page of changes, newest first.',
).openapi('ChangesResponse')

export const presentChanges = presentPage(
  'changes',
  ({ id: changeId, at, operation, things, types, undo }: OwnChange) => ({
    ...{ id: changeId, at: toInstant(at), operation, count: things, types, undo },
  }),
)

export const UndoChangeRequest = z
  .strictObject({
    force: forceField,
    dryRun: booleanField(
      'Only return the outcome for each transaction; nothing is stored.',
      true,
    ).default(false),
  })
  .openapi('UndoChangeRequest')

export const UndoneChangeResponse = ChangeTransactionsResponse.extend({
  kept: z
    .array(
      z.object({
        transactionId: textField('Id of the transaction.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5'),
        field: textField(
          'The field that stays as it is, or `all`. `amount` stands for kind, account, amount and parts, which go back together.',
          'categoryId',
        ),
        reason: z
          .enum(['changedSince', 'deletedSince', 'reconciled', 'locked', 'notVisible'])
          .openapi({
            description:
              'Why: it was changed or deleted since, it is reconciled or in a locked period and needs `force`, or you cannot see it.',
            example: 'changedSince',
          }),
      }),
    )
    .openapi({ description: 'What stays as it is.' }),
}).openapi('UndoneChangeResponse')

export const presentUndoing = ({
  kept,
  ...outcomes
}: Undoing): z.infer<typeof UndoneChangeResponse> => ({ ...presentBulkChanges(outcomes), kept })
