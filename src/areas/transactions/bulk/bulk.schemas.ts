import { z } from '@hono/zod-openapi'
import { idInput, output, whole, yes } from '../../../http/fields.ts'
import { filterFields } from '../listing/filters.schemas.ts'
import {
  forceField,
  tagIdsInput,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { CreateTransactionRequest, UpdateTransactionRequest } from '../transactions.schemas.ts'
import { MOST_TRANSACTIONS } from './bulk.rules.ts'

const dryRun = yes('Only tell what would become of each; nothing is stored.', true).default(false)

const wasDry = yes('Whether this only tells what would become of them.', false)

export const CreateTransactionsRequest = z
  .strictObject({
    transactions: z
      .array(CreateTransactionRequest)
      .min(1)
      .max(MOST_TRANSACTIONS)
      .openapi({
        description: `The transactions, up to ${MOST_TRANSACTIONS}; all of them are stored, or none.`,
      }),
    dryRun,
  })
  .openapi('CreateTransactionsRequest')

const selection = {
  ids: z
    .array(idInput('txn', 'A transaction.'))
    .min(1)
    .max(MOST_TRANSACTIONS)
    .refine((ids) => new Set(ids).size === ids.length, 'A transaction is named twice')
    .optional()
    .openapi({
      description: 'These transactions; else send `filter`.',
      example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3c5'],
    }),
  filter: z
    .strictObject(filterFields(yes))
    .refine((filter) => Object.keys(filter).length > 0, 'A filter says something')
    .optional()
    .openapi({
      description: `All that match, as in the list of transactions; more than ${MOST_TRANSACTIONS} are refused.`,
    }),
}

const isSelection = ({ ids, filter }: { ids?: unknown; filter?: unknown }) =>
  (ids === undefined) !== (filter === undefined)

const ONE_OF = 'Send ids, or else a filter'

const one = UpdateTransactionRequest.shape

export const ChangeTransactionsRequest = z
  .strictObject({
    ...selection,
    changes: z
      .strictObject({
        date: one.date,
        status: one.status,
        reviewed: one.reviewed,
        private: one.private,
        categoryId: one.categoryId,
        payeeId: one.payeeId,
        description: one.description,
        note: one.note,
        tagIds: one.tagIds,
        addTagIds: tagIdsInput('Tags beside those that each has.').optional(),
        removeTagIds: tagIdsInput('Tags that are taken off, where they are.').optional(),
      })
      .refine((changes) => Object.keys(changes).length > 0, 'Nothing is changed')
      .openapi({ description: 'What is changed, the same in all of them; null clears.' }),
    force: forceField,
    dryRun,
  })
  .refine(isSelection, ONE_OF)
  .openapi('ChangeTransactionsRequest')

export const DeleteTransactionsRequest = z
  .strictObject({ ...selection, force: forceField, dryRun })
  .refine(isSelection, ONE_OF)
  .openapi('DeleteTransactionsRequest')

const refusal = {
  code: output('Why it is refused, `area.reason`.', 'transactions.reconciled').optional(),
  message: output('The same for people.', 'It is reconciled with a statement.').optional(),
  field: output('The field at fault.', 'categoryId').optional(),
}

const status = <const Statuses extends [string, ...string[]]>(...statuses: Statuses) =>
  z.enum(statuses).openapi({ description: 'What became of it, or would.', example: statuses[0] })

const id = output('Id of the transaction.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3c5')

export const CreateTransactionsResponse = z
  .object({
    results: z
      .array(
        z.object({
          index: whole('Place among those that were sent, from 0.', 0),
          status: status('created', 'existing', 'valid', 'invalid'),
          transaction: TransactionResponse.optional(),
          ...refusal,
        }),
      )
      .openapi({ description: 'One for each that was sent, in that order.' }),
    created: whole('How many are new.', 1),
    existing: whole('How many the account has already by their externalId.', 0),
    valid: whole('How many would be created; of a dry run only.', 0),
    invalid: whole('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('CreateTransactionsResponse')

export const ChangeTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('changed', 'unchanged', 'invalid'), ...refusal }))
      .openapi({ description: 'One for each, in the order of the ids, else newest first.' }),
    changed: whole('How many changed.', 12),
    unchanged: whole('How many were like that already.', 0),
    invalid: whole('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('ChangeTransactionsResponse')

export const DeleteTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('deleted', 'invalid'), ...refusal }))
      .openapi({ description: 'One for each, in the order of the ids, else newest first.' }),
    deleted: whole('How many are in the trash.', 12),
    invalid: whole('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('DeleteTransactionsResponse')
