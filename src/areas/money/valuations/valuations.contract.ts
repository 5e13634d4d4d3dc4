import { z } from '@hono/zod-openapi'
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
  presentStamps,
  stamps,
  text,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { forceField } from '../transaction-views/transaction-views.public.ts'
import type { Valuation } from './valuations.usecases.ts'

export const ListValuationsQuery = z.strictObject({
  accountId: idInput('acc', 'Only of this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  ...pageQuery(),
})

const dateField = dateInput('The day at whose end it was worth that; one per account and day.')
const value = moneyInput('What it was worth, in the currency of the account; owed is negative.')
const note = text(0, 2000, 'Free text.', 'Appraised by the bank').nullable().optional()

export const CreateValuationRequest = z
  .strictObject({
    accountId: idInput('acc', 'An account that is not on the budget.'),
    date: dateField,
    value,
    note,
    force: forceField,
  })
  .openapi('CreateValuationRequest')

export const UpdateValuationRequest = z
  .strictObject({
    date: dateField.optional(),
    value: value.optional(),
    note,
    force: forceField,
  })
  .openapi('UpdateValuationRequest')

export const ValuationResponse = z
  .object({
    id: id('val', 'Id of the valuation.'),
    accountId: id('acc', 'The account.'),
    date: date('The day at whose end it was worth that.'),
    currency: currency('The currency of the account.'),
    value: money('What it was said to be worth.'),
    balance: money('What is booked up to the end of that day now.'),
    difference: money(
      '`balance` less `value`: not zero where something was booked or changed since, up to that day. Changing the valuation makes it zero.',
    ),
    note: nullableText('Free text.'),
    transactionId: nullableText(
      'The adjustment that books it; null where nothing differed, or it is private to somebody else.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
    ),
    ...stamps,
  })
  .openapi('ValuationResponse')

export const ListValuationsResponse = z
  .object({
    valuations: z.array(ValuationResponse).openapi({ description: 'Newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListValuationsResponse')

export function presentValuation(valuation: Valuation): z.infer<typeof ValuationResponse> {
  const { currency, valueMinor, balanceMinor } = valuation
  return {
    id: valuation.id,
    accountId: valuation.accountId,
    date: valuation.date,
    currency,
    value: formatMoney(valueMinor, currency),
    balance: formatMoney(balanceMinor, currency),
    difference: formatMoney(balanceMinor - BigInt(valueMinor), currency),
    note: valuation.note,
    transactionId: valuation.isHidden === 1 ? null : valuation.transactionId,
    ...presentStamps(valuation),
  }
}

export const presentValuations = ({
  rows,
  count,
  nextCursor,
}: Listed<Valuation>): z.infer<typeof ListValuationsResponse> => ({
  valuations: rows.map(presentValuation),
  count,
  nextCursor,
})
