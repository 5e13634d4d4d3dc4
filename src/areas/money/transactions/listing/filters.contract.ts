import { z } from '@hono/zod-openapi'
import { exampleId } from '../../../../domain/ids.ts'
import {
  currencyInput,
  dateInput,
  idInput,
  moneyInput,
  severalInQuery,
  text,
  yesInQuery,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import {
  Condition,
  conditionInQuery,
  lineInput,
  SOURCES,
  STATUSES,
  statusField,
  TRANSACTION_KINDS,
} from '../../transaction-views/transaction-views.public.ts'
import { isSearchable, MOST_WORDS } from '../../../../ledger/search/search.public.ts'

const bound = (description: string) =>
  moneyInput(description).refine(
    (amount) => !amount.startsWith('-'),
    must('must not have a sign', 'range'),
  )

/**
 * The filters of transactions, the same in a query and in a body; all of them must match.
 * @param flag how a truth value is written there
 */
export const filterFields = (
  flag: (description: string, example: boolean) => z.ZodType<boolean>,
) => ({
  accountId: idInput('acc', 'Only transactions of this account.').optional(),
  from: dateInput('Earliest booking date.').optional(),
  to: dateInput('Latest booking date.').optional(),
  amountFrom: bound(
    'Minimum amount, regardless of its sign. Amounts of other currencies are compared by their number and not converted.',
  ).optional(),
  amountTo: bound(
    'Maximum amount, regardless of its sign. Amounts of other currencies are compared by their number and not converted.',
  ).optional(),
  currency: currencyInput('Only transactions of accounts in this currency.').optional(),
  kind: z
    .enum(TRANSACTION_KINDS)
    .optional()
    .openapi({ description: 'Only transactions of this kind.', example: 'expense' }),
  status: statusField.optional(),
  source: z
    .enum(SOURCES)
    .optional()
    .openapi({ description: 'Only transactions from this source.', example: 'user' }),
  hasAttachment: flag(
    'Whether to select only transactions with files (true) or without files (false).',
    true,
  ).optional(),
  reviewed: flag(
    'Whether to select only reviewed (true) or unreviewed (false) transactions.',
    false,
  ).optional(),
  categoryId: idInput(
    'cat',
    'Only transactions with this category or one of its subcategories, on the transaction or on a part.',
  ).optional(),
  uncategorised: flag(
    'Whether to select only transactions that lack a category, on the transaction or on a part (true), or only those that do not (false).',
    true,
  ).optional(),
  payeeId: idInput(
    'pay',
    'Only transactions with this payee, on the transaction or on a part.',
  ).optional(),
  tagId: idInput(
    'tag',
    'Only transactions with this tag, on the transaction or on a part.',
  ).optional(),
  importId: idInput(
    'imp',
    'Only transactions that this import booked, and transfers of which it booked a half.',
  ).optional(),
  text: text(
    1,
    200,
    'Words or parts of words, in any order, ignoring case. Each must occur in the description, in payeeRaw, in the note, or in the name of a payee.',
    'tesco dublin',
  )
    .refine(isSearchable, must(`must have between 1 and ${MOST_WORDS} words`, 'length'))
    .optional(),
  metadataKey: text(1, 200, 'Only transactions whose metadata has this field.', 'trip').optional(),
  metadataValue: text(
    0,
    1000,
    'Only transactions whose metadata has this text, number or boolean, written as in JSON, in the field `metadataKey` or, without it, in any field.',
    'Dublin',
  ).optional(),
  q: lineInput.optional(),
  condition: Condition.optional(),
})

const { accountId, kind, status, categoryId, payeeId, tagId, ...others } = filterFields(yesInQuery)

/** The filters in a query, which takes several values of some fields, and a condition as text. */
export const queryFilterFields = {
  ...others,
  accountId: severalInQuery(accountId.unwrap(), exampleId('acc')).optional(),
  kind: severalInQuery(kind.unwrap(), 'expense', TRANSACTION_KINDS).optional(),
  status: severalInQuery(status.unwrap(), 'cleared', STATUSES).optional(),
  categoryId: severalInQuery(categoryId.unwrap(), exampleId('cat')).optional(),
  payeeId: severalInQuery(payeeId.unwrap(), exampleId('pay')).optional(),
  tagId: severalInQuery(tagId.unwrap(), exampleId('tag')).optional(),
  condition: conditionInQuery.optional(),
}
