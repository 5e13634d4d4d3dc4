import { LONGEST_TEXTS } from '../../../domain/ledger-ids.ts'
import { z } from '@hono/zod-openapi'
import { RATE_PATTERN } from '../../../domain/exchange.ts'
import { MAX_FEES, transferOf } from '../../../domain/ledger.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  booleanField,
  currency,
  date,
  dateInput,
  id,
  idInput,
  nullableText,
  money,
  moneyInput,
  textField,
  presentStamps,
  stamps,
  text,
  forceField,
} from '../../../http/fields.ts'
import { RATE_FORM } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../ledger/labels/labels.public.ts'
import { entriesOf } from '../../../ledger/ledger.public.ts'
import { REACH, reasonsFor } from '../../../domain/matching/weights.ts'
import { convertInQuery } from '../exchange-rates/exchange-rates.public.ts'
import {
  presentTransaction,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  applyRules,
  createMissing,
  nameOf,
  needingOne,
  newStatus,
  notBoth,
  countOfPairs,
  pairQuery,
  score,
  truncated,
} from '../transactions/transactions.public.ts'
import type { TransferView, TransferSuggestions } from './transfers.usecases.ts'

const feeFields = {
  amount: moneyInput(
    'Fee in the currency of the sending account; it is part of `amount` and not zero.',
  ),
  categoryId: idInput('cat', 'Expense category of the fee.').nullable().optional(),
}

const feeNote = text(0, LONGEST_TEXTS.lineNote, 'Note about the fee.', 'Foreign exchange')
  .nullable()
  .optional()

const feeCategoryName = nameOf('categoryId', 'category', 'Bank fees')

const FEE = { description: 'Fee that a bank keeps from a transfer.' }

const fee = z.strictObject(feeFields).openapi('TransferFee', FEE)

const listedFee = z.strictObject({ ...feeFields, note: feeNote }).openapi('TransferFeeItem', FEE)

const newFee = notBoth(z.strictObject({ ...feeFields, categoryName: feeCategoryName }), {
  categoryId: 'categoryName',
})

const newListedFee = notBoth(
  z.strictObject({ ...feeFields, categoryName: feeCategoryName, note: feeNote }),
  { categoryId: 'categoryName' },
)

const feesInput = <Item extends z.ZodType>(item: Item, description: string) =>
  z
    .array(item)
    .max(MAX_FEES)
    .optional()
    .openapi({ description, example: [{ amount: '1.50', note: 'Foreign exchange' }] })

const categoryId = idInput(
  'cat',
  'Expense category of the transfer, independent of those of its fees. Reports leave transfers out.',
)
  .nullable()
  .optional()

const feesExcluded = booleanField('Whether reports exclude the fees of the transfer.', false)

const required = {
  fromAccountId: idInput('acc', 'Account that the money leaves.'),
  toAccountId: idInput('acc', 'Account that the money arrives in.'),
  date: dateInput('Booking date of both sides.'),
  amount: moneyInput('Amount that leaves the sending account, including the fees; not zero.'),
}

const optional = {
  toAmount: moneyInput(
    'Amount that arrives. Between currencies, either this or `rate` is required; within one currency it is `amount` less the fees.',
  ).optional(),
  rate: z.string().regex(RATE_PATTERN, RATE_FORM).optional().openapi({
    description:
      'Amount that arrives for one unit that is transferred; `toAmount` is computed from it.',
    example: '162.35',
  }),
  description: text(0, LONGEST_TEXTS.description, 'Short description.', 'Savings').optional(),
  note: text(0, LONGEST_TEXTS.note, 'Free text.', 'For the summer').nullable().optional(),
  tagIds: tagIdsInput('Tags of both sides; they replace the present tags.').optional(),
  excludeFromReports: feesExcluded.optional(),
}

const status = statusField.openapi({ description: 'Confirmation by the banks, for both sides.' })

export const CreateTransferRequest = needingOne(
  notBoth(
    z.strictObject({
      ...required,
      fromAccountId: required.fromAccountId.optional().openapi({
        description: 'Account that the money leaves. Send either this or `fromAccountName`.',
      }),
      fromAccountName: nameOf('fromAccountId', 'account', 'Everyday'),
      toAccountId: required.toAccountId.optional().openapi({
        description: 'Account that the money arrives in. Send either this or `toAccountName`.',
      }),
      toAccountName: nameOf('toAccountId', 'account', 'Savings'),
      ...optional,
      categoryId,
      categoryName: nameOf('categoryId', 'category', 'Investing'),
      fee: newFee
        .nullable()
        .optional()
        .openapi({ description: 'The only fee of the transfer, instead of `fees`.' }),
      fees: feesInput(newListedFee, 'Fees of the transfer, if any.'),
      createMissing,
      status: newStatus(status),
      force: forceField,
      applyRules,
    }),
    { fee: 'fees', categoryId: 'categoryName' },
  ),
  { fromAccountId: 'fromAccountName', toAccountId: 'toAccountName' },
).openapi('CreateTransferRequest', {
  description:
    'Both accounts are required, each by its id or by its name: `fromAccountId` or `fromAccountName`, and `toAccountId` or `toAccountName`.',
})

const { date: _date, ...undated } = required

/** The fields of a transfer without its date; everything is named by ids. */
export const undatedTransferFields = {
  ...undated,
  ...optional,
  categoryId,
  fees: feesInput(listedFee, 'Fees of the transfer, if any.'),
  status: newStatus(status),
}

export const UpdateTransferRequest = notBoth(
  z.strictObject({
    fromAccountId: required.fromAccountId.optional(),
    toAccountId: required.toAccountId.optional(),
    date: required.date.optional(),
    amount: required.amount.optional(),
    ...optional,
    categoryId,
    fee: fee.nullable().optional().openapi({
      description: 'The only fee of the transfer, instead of `fees`; null removes all fees.',
    }),
    fees: feesInput(listedFee, 'Fees of the transfer; they replace the present fees.'),
    status: status.optional(),
    force: forceField,
  }),
  { fee: 'fees' },
).openapi('UpdateTransferRequest')

const feeResponse = {
  amount: money('Fee in the currency of `amount`.'),
  categoryId: nullableText('Category of the fee.'),
}

export const TransferResponse = z
  .object({
    id: id('trf', 'Id of the transfer; the transactions on both sides have ids of their own.'),
    date: date('Booking date of both sides.'),
    from: TransactionResponse.openapi({ description: 'Transaction on the sending account.' }),
    to: TransactionResponse.openapi({ description: 'Transaction on the receiving account.' }),
    amount: money('Amount that left the sending account, including the fees.'),
    currency: currency('Currency of `amount`.'),
    toAmount: money('Amount that arrived.'),
    toCurrency: currency('Currency of `toAmount`.'),
    rate: z.string().nullable().openapi({
      description: 'Rate that was sent; null if both amounts were sent.',
      example: null,
    }),
    categoryId: nullableText(
      'Expense category of the transfer, independent of those of its fees. Reports leave transfers out.',
    ),
    fee: z.object(feeResponse).nullable().openapi({
      description: 'The fee, if there is exactly one; else null.',
      example: null,
    }),
    fees: z
      .array(z.object({ ...feeResponse, note: nullableText('Note about the fee.') }))
      .openapi({ description: 'All fees of the transfer.', example: [] }),
    description: textField('Short description.', 'Savings'),
    tagIds: z.array(z.string()).openapi({ description: 'Tags of both sides.', example: [] }),
    note: nullableText('Free text.'),
    excludeFromReports: feesExcluded,
    ...stamps,
  })
  .openapi('TransferResponse')

export const ListTransfersQuery = z.strictObject({
  accountId: idInput('acc', 'Only transfers from or to this account.').optional(),
  categoryId: idInput(
    'cat',
    'Only transfers of this category or a category below it, or with a fee of it.',
  ).optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  convert: convertInQuery,
  ...pageQuery(),
})

export const TransfersResponse = pageResponse(
  'transfers',
  TransferResponse,
  'One page of transfers, newest first.',
).openapi('TransfersResponse')

export function presentTransfer({ from, to }: TransferView): z.infer<typeof TransferResponse> {
  const { categoryId = null, fees = [] } = transferOf(entriesOf(from)) ?? {}
  const presented = fees.map(({ amountMinor, ...fee }) => ({
    amount: formatMoney(amountMinor, from.currency),
    ...fee,
  }))
  const [only, ...more] = presented
  return {
    id: from.transactionId,
    date: from.date,
    from: presentTransaction(from),
    to: presentTransaction(to),
    amount: formatMoney(Math.abs(from.amountMinor), from.currency),
    currency: from.currency,
    toAmount: formatMoney(to.amountMinor, to.currency),
    toCurrency: to.currency,
    rate: from.rate,
    categoryId,
    fee: only && more.length === 0 ? { amount: only.amount, categoryId: only.categoryId } : null,
    fees: presented,
    description: from.description,
    tagIds: labelsAt(labelsOf(from), WHOLE).tagIds,
    note: from.note,
    excludeFromReports: from.excludeFromReports === 1,
    ...presentStamps(from),
  }
}

export const presentTransfers = presentPage('transfers', presentTransfer)

export const SuggestTransfersQuery = z.strictObject(pairQuery(1, REACH.suggestions))

export const TransferSuggestionsResponse = z
  .object({
    suggestions: z
      .array(
        z.object({
          from: TransactionResponse.openapi({
            description: 'The transaction on the sending account.',
          }),
          to: TransactionResponse.openapi({
            description: 'The transaction on the receiving account.',
          }),
          splitId: nullableText(
            'Part of one of the two that the other one fits: match it with `POST /transaction/{id}/split/{lineId}/match`. Null where both are meant as a whole.',
          ),
          score,
          reasons: z
            .array(z.enum(reasonsFor('suggestions')))
            .openapi({ description: 'Reasons for the match.', example: ['sameAmount', 'sameDay'] }),
        }),
      )
      .openapi({ description: 'Pairs, the best first. Each transaction is in at most one pair.' }),
    count: countOfPairs,
    truncated,
  })
  .openapi('TransferSuggestionsResponse')

export const presentTransferSuggestions = ({
  suggestions,
  truncated,
}: TransferSuggestions): z.infer<typeof TransferSuggestionsResponse> => ({
  suggestions: suggestions.map(({ from, to, splitId, score, reasons }) => ({
    from: presentTransaction(from),
    to: presentTransaction(to),
    splitId,
    score: Math.min(1, score),
    reasons,
  })),
  count: suggestions.length,
  truncated,
})
