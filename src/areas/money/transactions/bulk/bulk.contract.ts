import { z } from '@hono/zod-openapi'
import { AppError, SEND_FORCE } from '../../../../domain/errors.ts'
import {
  idInput,
  textField,
  integerField,
  booleanField,
  forceField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  presentTransaction,
  tagIdsInput,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { filterFields } from '../listing/filters.contract.ts'
import {
  applyRules,
  NewTransactionItem,
  UpdateTransactionRequest,
} from '../transactions.contract.ts'
import { MOST_TRANSACTIONS } from './bulk.rules.ts'
import type { CreationOutcome, Creation } from './creation.usecases.ts'
import type { BulkOutcome, Outcomes } from './selection.usecases.ts'

const dryRun = booleanField(
  'Only check the request and return the outcome for each transaction; nothing is stored.',
  true,
).default(false)

const wasDry = booleanField('Whether this was a dry run, in which nothing was stored.', false)

export const CreateTransactionsRequest = z
  .strictObject({
    transactions: z
      .array(NewTransactionItem)
      .min(1)
      .max(MOST_TRANSACTIONS)
      .openapi({
        description: `The transactions, up to ${MOST_TRANSACTIONS}. Either all of them are stored or none.`,
      }),
    force: forceField,
    applyRules,
    dryRun,
  })
  .openapi('CreateTransactionsRequest')

const selection = {
  ids: z
    .array(idInput('txn', 'Id of a transaction.'))
    .min(1)
    .max(MOST_TRANSACTIONS)
    .refine(
      (ids) => new Set(ids).size === ids.length,
      must('must not name a transaction twice', 'repeated'),
    )
    .optional()
    .openapi({
      description: 'Ids of the transactions. Send either `ids` or `filter`.',
      example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5'],
    }),
  filter: z
    .strictObject(filterFields(booleanField))
    .refine(
      (filter) => Object.keys(filter).length > 0,
      must('must name at least one condition', 'required'),
    )
    .optional()
    .openapi({
      description: `Selects all matching transactions, with the filters of GET /transaction. Send either this or \`ids\`. More than ${MOST_TRANSACTIONS} matches are refused.`,
    }),
}

const isSelection = ({ ids, filter }: { ids?: unknown; filter?: unknown }) =>
  (ids === undefined) !== (filter === undefined)

const ONE_OF = must('must have either ids or filter, and not both', 'combination')

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
        excludeFromReports: one.excludeFromReports,
        categoryId: one.categoryId,
        payeeId: one.payeeId,
        description: one.description,
        note: one.note,
        tagIds: one.tagIds,
        addTagIds: tagIdsInput('Tags to add to each transaction.').optional(),
        removeTagIds: tagIdsInput('Tags to remove from each transaction that has them.').optional(),
      })
      .refine(
        (changes) => Object.keys(changes).length > 0,
        must('must name at least one field to change', 'required'),
      )
      .openapi({
        description: 'The changes, which are the same for all transactions; null clears a field.',
      }),
    force: forceField,
    dryRun,
  })
  .refine(isSelection, ONE_OF)
  .openapi('ChangeTransactionsRequest', { description: 'Either `ids` or `filter` is required.' })

export const DeleteTransactionsRequest = z
  .strictObject({ ...selection, force: forceField, dryRun })
  .refine(isSelection, ONE_OF)
  .openapi('DeleteTransactionsRequest', { description: 'Either `ids` or `filter` is required.' })

export const refusalFields = {
  code: textField('Code of the error, as `area.reason`.', 'transactions.reconciled').optional(),
  message: textField(
    'The error as a sentence for people.',
    `The transaction is reconciled with a statement. To change it, ${SEND_FORCE}.`,
  ).optional(),
  field: textField('The field that is wrong.', 'categoryId').optional(),
}

const status = <const Statuses extends [string, ...string[]]>(...statuses: Statuses) =>
  z.enum(statuses).openapi({
    description: 'Outcome for this transaction; in a dry run, the outcome that it would have.',
    example: statuses[0],
  })

const id = textField('Id of the transaction.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5')

export const CreatedTransactionsResponse = z
  .object({
    results: z
      .array(
        z.object({
          index: integerField('Position in the request, from 0.', 0),
          status: status('created', 'existing', 'valid', 'invalid'),
          transaction: TransactionResponse.optional(),
          ...refusalFields,
        }),
      )
      .openapi({
        description: 'One result for each transaction that was sent, in the same order.',
      }),
    created: integerField('Number of transactions that were created.', 1),
    existing: integerField('Number of transactions that already exist, by their externalId.', 0),
    valid: integerField('Number of transactions that would be created; only in a dry run.', 0),
    invalid: integerField('Number of transactions that would be refused; only in a dry run.', 0),
    dryRun: wasDry,
  })
  .openapi('CreatedTransactionsResponse')

export const ChangeTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('changed', 'unchanged', 'invalid'), ...refusalFields }))
      .openapi({
        description:
          'One result for each transaction, in the order of `ids`, or newest first with a filter.',
      }),
    changed: integerField('Number of transactions that changed.', 12),
    unchanged: integerField(
      'Number of transactions that did not change, as they already had these values.',
      0,
    ),
    invalid: integerField('Number of transactions that would be refused; only in a dry run.', 0),
    dryRun: wasDry,
  })
  .openapi('ChangeTransactionsResponse')

export const DeletedTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('deleted', 'invalid'), ...refusalFields }))
      .openapi({
        description:
          'One result for each transaction, in the order of `ids`, or newest first with a filter.',
      }),
    deleted: integerField('Number of transactions that moved to the trash.', 12),
    invalid: integerField('Number of transactions that would be refused; only in a dry run.', 0),
    dryRun: wasDry,
  })
  .openapi('DeletedTransactionsResponse')

export const presentRefusal = ({ code, message, field }: AppError) => ({
  status: 'invalid' as const,
  code,
  message,
  ...(field === undefined ? {} : { field }),
})

function presentCreated(one: CreationOutcome, ctx: SignedIn) {
  if (one instanceof AppError) {
    return presentRefusal(one)
  }
  const { status } = one
  return 'row' in one && one.row
    ? { status, transaction: presentTransaction(one.row, ctx) }
    : { status }
}

export function presentCreation(
  { results, dryRun }: Creation,
  ctx: SignedIn,
): z.infer<typeof CreatedTransactionsResponse> {
  const presented = results.map((one, index) => ({ index, ...presentCreated(one, ctx) }))
  const count = counter(presented)
  return {
    results: presented,
    created: count('created'),
    existing: count('existing'),
    valid: count('valid'),
    invalid: count('invalid'),
    dryRun,
  }
}

const counter =
  <Status extends string>(results: { status: Status }[]) =>
  (wanted: Status) =>
    results.filter(({ status }) => status === wanted).length

const presentOutcome = <Done extends string>({ id, result }: BulkOutcome<Done>) =>
  result instanceof AppError ? { id, ...presentRefusal(result) } : { id, status: result }

export function presentBulkChanges({
  outcomes,
  dryRun,
}: Outcomes<'changed' | 'unchanged'>): z.infer<typeof ChangeTransactionsResponse> {
  const results = outcomes.map(presentOutcome)
  const count = counter<'changed' | 'unchanged' | 'invalid'>(results)
  return {
    results,
    changed: count('changed'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    dryRun,
  }
}

export function presentRemoval({
  outcomes,
  dryRun,
}: Outcomes<'deleted'>): z.infer<typeof DeletedTransactionsResponse> {
  const results = outcomes.map(presentOutcome)
  const count = counter<'deleted' | 'invalid'>(results)
  return { results, deleted: count('deleted'), invalid: count('invalid'), dryRun }
}
