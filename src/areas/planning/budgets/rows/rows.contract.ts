import { z } from '@hono/zod-openapi'
import { legIdOf, splitIdOf } from '../../../../domain/ledger-ids.ts'
import { isStale } from '../../../../domain/exchange.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  currency,
  date,
  id,
  money,
  nullableText,
  text,
  textField,
} from '../../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { staleField } from '../../../money/exchange-rates/exchange-rates.public.ts'
import { WHICH_ROWS } from './rows.rules.ts'
import type { ConvertedRow } from './rows.usecases.ts'

export const ListLineTransactionsQuery = z.strictObject({
  period: text(1, 10, 'Nominal start of the period, or `current`.', 'current').default('current'),
  what: z.enum(WHICH_ROWS).optional().openapi({
    description:
      '`activity`, if left out: the rows of the period. `late`: rows of closed periods that were booked or changed after the closing; they count in the first open period; envelope budgets only. `moved`: rows on lines that move money onto the payment line of a card; what the lines did not have is among them.',
    example: 'activity',
  }),
  ...pageQuery(),
})

export const LineTransactionResponse = z
  .object({
    transactionId: id('txn', 'Id of the transaction.'),
    splitId: nullableText('Id of the part; null if the transaction is not split.'),
    kind: z
      .enum(['expense', 'income', 'transfer', 'adjustment', 'opening'])
      .openapi({ description: 'Kind of transaction.', example: 'expense' }),
    accountId: id('acc', 'Account that it is booked on.'),
    date: date('Booking date.'),
    description: textField('Short description.', 'Groceries'),
    categoryId: nullableText('Category of this row.'),
    payeeId: nullableText('Payee of this row.'),
    createdBy: id('usr', 'User who recorded the transaction.'),
    amount: money('Amount that the row adds to the activity of the line; spending is negative.'),
    currency: currency('Currency of the account.'),
    counted: nullableText(
      'The amount in the currency of the budget. Null without an exchange rate: it counts nowhere.',
      '-12.30',
    ),
    rate: nullableText('The exchange rate; null if none was needed or there is none.', '0.875'),
    rateDate: nullableText('Date of the rate, or of the older one of two.', '2026-11-20'),
    stale: staleField,
  })
  .openapi('LineTransactionResponse')

export const LineTransactionsResponse = pageResponse(
  'transactions',
  LineTransactionResponse,
  'One page of rows, newest first.',
).openapi('LineTransactionsResponse')

function presentRow({
  row,
  budget,
  rate,
  countedMinor,
}: ConvertedRow): z.infer<typeof LineTransactionResponse> {
  const isPart = row.kind !== 'transfer' && row.parts > 1
  return {
    transactionId: legIdOf(row.transactionId, row.kind, row.accountLine),
    splitId: isPart ? splitIdOf(row.transactionId, row.line) : null,
    kind: row.kind,
    accountId: row.accountId,
    date: row.date,
    description: row.description,
    categoryId: row.categoryId,
    payeeId: row.payeeId,
    createdBy: row.createdBy,
    amount: formatMoney(row.minor, row.currency),
    currency: row.currency,
    counted: countedMinor === undefined ? null : formatMoney(countedMinor, budget.currency),
    rate: rate?.date === undefined ? null : rate.rateText,
    rateDate: rate?.date ?? null,
    stale: rate !== undefined && isStale(rate, row.date),
  }
}

export const presentBudgetRows = presentPage('transactions', presentRow)
