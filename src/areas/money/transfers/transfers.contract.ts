import { z } from '@hono/zod-openapi'
import { RATE_PATTERN } from '../../../domain/exchange.ts'
import { transferOf } from '../../../domain/ledger.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  count,
  currency,
  date,
  dateInput,
  id,
  idInput,
  nullableText,
  money,
  moneyInput,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  text,
} from '../../../http/fields.ts'
import { RATE_FORM } from '../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../ledger/labels/labels.public.ts'
import { entriesOf } from '../../../ledger/ledger.public.ts'
import {
  forceField,
  presentTransaction,
  statusField,
  tagIdsInput,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import { createMissing, nameOf, needingOne, notBoth } from '../transactions/transactions.public.ts'
import type { TransferView } from './transfers.usecases.ts'

const feeFields = {
  amount: moneyInput('In the currency of the sending account; part of `amount`, not zero.'),
  categoryId: idInput('cat', 'An expense category.').nullable().optional(),
}

const fee = z
  .strictObject(feeFields)
  .openapi('TransferFee', { description: 'What a bank keeps of a transfer.' })

const required = {
  fromAccountId: idInput('acc', 'The account that the money leaves.'),
  toAccountId: idInput('acc', 'The account that it arrives in.'),
  date: dateInput('Booking date of both legs.'),
  amount: moneyInput('All that leaves the sending account, the fee included; not zero.'),
}

const optional = {
  toAmount: moneyInput(
    'What arrives. Between currencies this or `rate` is needed; within one it is `amount` less the fee.',
  ).optional(),
  rate: z.string().regex(RATE_PATTERN, RATE_FORM).optional().openapi({
    description: 'What arrives for one unit that moved: `toAmount` is then computed by it.',
    example: '162.35',
  }),
  description: text(0, 500, 'What it is for.', 'Savings').optional(),
  note: text(0, 2000, 'Free text.', 'For the summer').nullable().optional(),
  tagIds: tagIdsInput('Tags of both legs, in place of those that they have.').optional(),
}

const status = statusField.openapi({ description: 'How far the banks confirmed it: both legs.' })

const newFee = notBoth(
  z.strictObject({ ...feeFields, categoryName: nameOf('categoryId', 'category', 'Bank fees') }),
  { categoryId: 'categoryName' },
)

export const CreateTransferRequest = needingOne(
  z.strictObject({
    ...required,
    fromAccountId: required.fromAccountId.optional(),
    fromAccountName: nameOf('fromAccountId', 'account', 'Everyday'),
    toAccountId: required.toAccountId.optional(),
    toAccountName: nameOf('toAccountId', 'account', 'Savings'),
    ...optional,
    fee: newFee
      .nullable()
      .optional()
      .openapi({ description: 'What the transfer cost, if anything.' }),
    createMissing,
    status: status.default('uncleared'),
  }),
  { fromAccountId: 'fromAccountName', toAccountId: 'toAccountName' },
).openapi('CreateTransferRequest')

export const UpdateTransferRequest = z
  .strictObject({
    fromAccountId: required.fromAccountId.optional(),
    toAccountId: required.toAccountId.optional(),
    date: required.date.optional(),
    amount: required.amount.optional(),
    ...optional,
    fee: fee.nullable().optional().openapi({ description: 'Null takes the fee away.' }),
    status: status.optional(),
    force: forceField,
  })
  .openapi('UpdateTransferRequest')

export const TransferResponse = z
  .object({
    id: id('trf', 'Id of the transfer; its legs have their own.'),
    date: date('Booking date of both legs.'),
    from: TransactionResponse.openapi({ description: 'The leg of the sending account.' }),
    to: TransactionResponse.openapi({ description: 'The leg of the receiving account.' }),
    amount: money('All that left the sending account, the fee included.'),
    currency: currency('The currency of what left.'),
    toAmount: money('What arrived.'),
    toCurrency: currency('The currency of what arrived.'),
    rate: z
      .string()
      .nullable()
      .openapi({ description: 'The rate that was given; null for given amounts.', example: null }),
    fee: z
      .object({
        amount: money('In the currency of what left.'),
        categoryId: nullableText('Its category.'),
      })
      .nullable()
      .openapi({ description: 'What the transfer cost.', example: null }),
    description: textField('What it is for.', 'Savings'),
    tagIds: z.array(z.string()).openapi({ description: 'Tags of both legs.', example: [] }),
    note: nullableText('Free text.'),
    ...stamps,
  })
  .openapi('TransferResponse')

export const ListTransfersQuery = z.strictObject({
  accountId: idInput('acc', 'Only from or to this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  ...pageQuery(),
})

export const ListTransfersResponse = z
  .object({
    transfers: z.array(TransferResponse).openapi({ description: 'Newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListTransfersResponse')

export function presentTransfer({ from, to }: TransferView): z.infer<typeof TransferResponse> {
  const fee = transferOf(entriesOf(from))?.fee
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
    fee: fee
      ? { amount: formatMoney(fee.amountMinor, from.currency), categoryId: fee.categoryId }
      : null,
    description: from.description,
    tagIds: labelsAt(labelsOf(from), WHOLE).tagIds,
    note: from.note,
    ...presentStamps(from),
  }
}

export const presentTransfers = ({
  rows,
  count,
  nextCursor,
}: Listed<TransferView>): z.infer<typeof ListTransfersResponse> => ({
  transfers: rows.map(presentTransfer),
  count,
  nextCursor,
})
