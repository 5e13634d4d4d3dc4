import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  date,
  dateInput,
  id,
  idInput,
  maybe,
  money,
  moneyInput,
  nextCursor,
  stamps,
  text,
} from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'
import { forceField } from '../transaction-views/transaction-views.public.ts'

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
    note: maybe('Free text.'),
    transactionId: maybe(
      'The adjustment that books it; null where nothing differed, or it is private to somebody else.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3c5',
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
