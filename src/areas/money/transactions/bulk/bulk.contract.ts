import { z } from '@hono/zod-openapi'
import { AppError } from '../../../../domain/errors.ts'
import { idInput, textField, integerField, booleanField } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  forceField,
  presentTransaction,
  tagIdsInput,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { filterFields } from '../listing/filters.contract.ts'
import { CreateTransactionRequest, UpdateTransactionRequest } from '../transactions.contract.ts'
import { MOST_TRANSACTIONS } from './bulk.rules.ts'
import type { Created, Creation } from './creation.usecases.ts'
import type { Outcome, Outcomes } from './selection.usecases.ts'

const dryRun = booleanField(
  'Only tell what would become of each; nothing is stored.',
  true,
).default(false)

const wasDry = booleanField('Whether this only tells what would become of them.', false)

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
    .refine(
      (ids) => new Set(ids).size === ids.length,
      must('must not name a transaction twice', 'repeated'),
    )
    .optional()
    .openapi({
      description: 'These transactions; else send `filter`.',
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
      description: `All that match, as in the list of transactions; more than ${MOST_TRANSACTIONS} are refused.`,
    }),
}

const isSelection = ({ ids, filter }: { ids?: unknown; filter?: unknown }) =>
  (ids === undefined) !== (filter === undefined)

const ONE_OF = must('must have either ids or a filter', 'combination')

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
      .refine(
        (changes) => Object.keys(changes).length > 0,
        must('must name at least one field to change', 'required'),
      )
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
  code: textField('Why it is refused, `area.reason`.', 'transactions.reconciled').optional(),
  message: textField('The same for people.', 'It is reconciled with a statement.').optional(),
  field: textField('The field at fault.', 'categoryId').optional(),
}

const status = <const Statuses extends [string, ...string[]]>(...statuses: Statuses) =>
  z.enum(statuses).openapi({ description: 'What became of it, or would.', example: statuses[0] })

const id = textField('Id of the transaction.', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d5')

export const CreateTransactionsResponse = z
  .object({
    results: z
      .array(
        z.object({
          index: integerField('Place among those that were sent, from 0.', 0),
          status: status('created', 'existing', 'valid', 'invalid'),
          transaction: TransactionResponse.optional(),
          ...refusal,
        }),
      )
      .openapi({ description: 'One for each that was sent, in that order.' }),
    created: integerField('How many are new.', 1),
    existing: integerField('How many the account has already by their externalId.', 0),
    valid: integerField('How many would be created; of a dry run only.', 0),
    invalid: integerField('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('CreateTransactionsResponse')

export const ChangeTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('changed', 'unchanged', 'invalid'), ...refusal }))
      .openapi({ description: 'One for each, in the order of the ids, else newest first.' }),
    changed: integerField('How many changed.', 12),
    unchanged: integerField('How many were like that already.', 0),
    invalid: integerField('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('ChangeTransactionsResponse')

export const DeleteTransactionsResponse = z
  .object({
    results: z
      .array(z.object({ id, status: status('deleted', 'invalid'), ...refusal }))
      .openapi({ description: 'One for each, in the order of the ids, else newest first.' }),
    deleted: integerField('How many are in the trash.', 12),
    invalid: integerField('How many would be refused; of a dry run only.', 0),
    dryRun: wasDry,
  })
  .openapi('DeleteTransactionsResponse')

const presentRefusal = ({ code, message, field }: AppError) => ({
  status: 'invalid' as const,
  code,
  message,
  ...(field === undefined ? {} : { field }),
})

function presentCreated(one: Created, ctx: SignedIn) {
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
): z.infer<typeof CreateTransactionsResponse> {
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

const presentOutcome = <Done extends string>({ id, result }: Outcome<Done>) =>
  result instanceof AppError ? { id, ...presentRefusal(result) } : { id, status: result }

export function presentChanges({
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
}: Outcomes<'deleted'>): z.infer<typeof DeleteTransactionsResponse> {
  const results = outcomes.map(presentOutcome)
  const count = counter<'deleted' | 'invalid'>(results)
  return { results, deleted: count('deleted'), invalid: count('invalid'), dryRun }
}
