import { LONGEST_TEXTS } from '../../../domain/ledger-ids.ts'
import {
  isExactMetadata,
  isSmallMetadata,
  METADATA_BYTES,
  sizeOf,
} from '../../../domain/metadata.ts'
import { z } from '@hono/zod-openapi'
import { isClockTime } from '../../../domain/calendar.ts'
import { RATE_PATTERN } from '../../../domain/exchange.ts'
import {
  currencyInput,
  dateInput,
  idInput,
  moneyInput,
  text,
  booleanField,
  forceField,
} from '../../../http/fields.ts'
import { must, RATE_FORM } from '../../../http/issues.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { convertInQuery } from '../exchange-rates/exchange-rates.public.ts'
import {
  Location,
  presentTransaction,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  listedTransactions,
  type ListedTransactions,
  listQuery,
  presentListed,
} from './listing/listing.contract.ts'
import { NewSplit, partsField, SplitById, SplitChange } from './splits/splits.contract.ts'
import { createMissing, nameOf, needingOne, notBoth } from './naming/naming.contract.ts'

const singleKind = z.enum(['expense', 'income', 'adjustment']).openapi({
  description: 'Kind of transaction. Transfers have their own operations.',
  example: 'expense',
})

const accountId = idInput('acc', 'Account of the transaction.')
const date = dateInput('Booking date.')
const amount = moneyInput(
  'Amount in the currency of the account; not zero. Only an adjustment may be negative, which lowers the balance.',
)

/** The fields that are common to new transactions and changes; null clears. */
const optional = {
  description: text(0, LONGEST_TEXTS.description, 'Short description.', 'Groceries').optional(),
  time: z
    .string()
    .refine(isClockTime, must('must be a time of day as HH:MM, such as 08:30'))
    .nullable()
    .optional()
    .openapi({ description: 'Local time HH:MM.', example: '18:45' }),
  originalAmount: moneyInput('Amount on the bill; requires originalCurrency.')
    .nullable()
    .optional(),
  originalCurrency: currencyInput('Currency of the bill.').nullable().optional(),
  rate: z
    .string()
    .regex(RATE_PATTERN, RATE_FORM)
    .nullable()
    .optional()
    .openapi({ description: 'Rate between the two amounts, stored as given.', example: '1.0842' }),
  payeeRaw: text(
    0,
    LONGEST_TEXTS.payeeRaw,
    'The other party as the bank wrote it.',
    'TESCO STORES 3021',
  )
    .nullable()
    .optional(),
  payeeId: idInput(
    'pay',
    'Payee of the transaction. If it is left out of a new transaction, the payee is found by payeeRaw.',
  )
    .nullable()
    .optional(),
  tagIds: tagIdsInput('Tags of the transaction; they replace its present tags.').optional(),
  categoryId: idInput(
    'cat',
    'Category; not allowed if the transaction is split. An expense has a category for expenses. An income can have either kind; one for expenses makes it a refund, which lowers the sum of the category.',
  )
    .nullable()
    .optional(),
  status: statusField.optional(),
  reviewed: booleanField('Whether a person has reviewed the transaction.', false).optional(),
  note: text(0, LONGEST_TEXTS.note, 'Free text.', 'Birthday dinner').nullable().optional(),
  location: Location.nullable().optional(),
  // Not a record of zod's, which drops what it does not like without a word.
  metadata: z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      must('must be an object', 'type'),
    )
    .refine(isSmallMetadata, {
      error: ({ input }) =>
        `must be at most ${METADATA_BYTES} bytes of JSON, but has ${sizeOf(JSON.stringify(input))}`,
      params: { code: 'length' },
    })
    .refine(isExactMetadata, must('must not hold a number above 2^53 - 1 or a key __proto__'))
    .nullable()
    .optional()
    .openapi({
      type: 'object',
      additionalProperties: true,
      description: 'Custom fields for other software; at most 4 KiB of JSON.',
      example: { trip: 'Dublin' },
    }),
  private: booleanField(
    'Whether the transaction is hidden from people whom the account is shared with.',
    false,
  ).optional(),
  excludeFromReports: booleanField('Whether reports exclude the transaction.', false).optional(),
}

/** What nobody says is `uncleared`. It is no default of the schema, so that a hook can tell what a request says. */
export const newStatus = (field: typeof statusField) =>
  field.optional().openapi({ default: 'uncleared' })

export const applyRules = booleanField(
  'Whether rules and the usual category of the payee fill in fields.',
  true,
)
  .optional()
  .openapi({ default: true })

/** All of a new transaction but its kind. */
export const newFields = {
  accountId: accountId
    .optional()
    .openapi({ description: 'Account of the transaction. Send either this or `accountName`.' }),
  accountName: nameOf('accountId', 'account', 'Everyday'),
  date,
  amount,
  ...optional,
  payeeName: nameOf('payeeId', 'payee', 'Tesco'),
  categoryName: nameOf('categoryId', 'category', 'Groceries'),
  createMissing,
  status: newStatus(statusField),
  splits: partsField(NewSplit).optional(),
  externalId: text(
    1,
    LONGEST_TEXTS.externalId,
    'Id given by the bank or another system; unique within the account.',
    'FT26112098',
  )
    .nullable()
    .optional(),
}

/** The fields of an expense or an income without its date; everything is named by ids. */
export const undatedFields = {
  accountId,
  amount,
  ...optional,
  status: newStatus(statusField),
  splits: partsField(SplitById).optional(),
}

/** The sentence in the descriptions of requests about the fields that a schema cannot require. */
export const NAMES_OF_TRANSACTION =
  'Either `accountId` or `accountName` is required. A category and a payee can also be sent by id or by name, but not both.'

/** Refuses what sends both an id and a name, and an account by neither. */
export const withNames = <Schema extends z.ZodObject>(schema: Schema): Schema =>
  needingOne(notBoth(schema, { payeeId: 'payeeName', categoryId: 'categoryName' }), {
    accountId: 'accountName',
  })

export const CreateTransactionRequest = withNames(
  z.strictObject({ kind: singleKind, ...newFields, force: forceField, applyRules }),
).openapi('CreateTransactionRequest', { description: NAMES_OF_TRANSACTION })

/** One of many: `force` is of the request. */
export const NewTransactionItem = withNames(
  z.strictObject({ kind: singleKind, ...newFields }),
).openapi('NewTransactionItem', { description: NAMES_OF_TRANSACTION })

export const UpdateTransactionRequest = z
  .strictObject({
    kind: singleKind.optional(),
    accountId: accountId.optional(),
    date: date.optional(),
    amount: amount.optional(),
    ...optional,
    splits: z
      .union([z.array(SplitChange).length(0), partsField(SplitChange)])
      .optional()
      .openapi({
        description:
          'All parts of the transaction. A part with an id is kept; an empty list removes all parts.',
      }),
    force: forceField,
  })
  .openapi('UpdateTransactionRequest')

export const GetTransactionQuery = z.strictObject({ convert: convertInQuery })
export const ListTransactionsQuery = z.strictObject(listQuery)
export const ListTransactionsAsCsvQuery = ListTransactionsQuery.omit({
  totals: true,
  convert: true,
})

export const TransactionsResponse = z
  .object({
    transactions: z.array(TransactionResponse).openapi({
      description: 'One page of transactions, newest first unless another order is requested.',
    }),
    ...listedTransactions,
  })
  .openapi('TransactionsResponse')

export const presentTransactions = (
  { rows, ...listed }: ListedTransactions,
  ctx: SignedIn,
): z.infer<typeof TransactionsResponse> => ({
  transactions: rows.map((row) => presentTransaction(row, ctx)),
  ...presentListed(listed),
})
