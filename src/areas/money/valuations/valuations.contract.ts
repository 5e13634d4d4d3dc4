import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  currency,
  date,
  dateInput,
  id,
  idInput,
  nullableText,
  money,
  moneyInput,
  presentStamps,
  stamps,
  text,
  forceField,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { Valuation } from './valuations.usecases.ts'

export const ListValuationsQuery = z.strictObject({
  accountId: idInput('acc', 'Only valuations of this account.').optional(),
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  ...pageQuery(),
})

const dateField = dateInput(
  'Day at the end of which the account had this value; an account has one valuation per day.',
)
const value = moneyInput('Value in the currency of the account; money that is owed is negative.')
const note = text(0, 2000, 'Free text.', 'Appraised by the bank').nullable().optional()

export const CreateValuationRequest = z
  .strictObject({
    accountId: idInput('acc', 'Account that is not on the budget.'),
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
    accountId: id('acc', 'Account that is valued.'),
    date: date('Day at the end of which the account had this value.'),
    currency: currency('The currency of the account.'),
    value: money('Recorded value of the account.'),
    balance: money('Balance at the end of that day, as booked now.'),
    difference: money(
      '`balance` less `value`: not zero if transactions up to that day were added or changed since. Updating the valuation makes it zero.',
    ),
    note: nullableText('Free text.'),
    transactionId: nullableText(
      'Adjustment that books the difference; null if there was none, or if it is private to somebody else.',
      'txn_01k9v3q8m5t0w2x4y6z8a1b3d5',
    ),
    ...stamps,
  })
  .openapi('ValuationResponse')

export const ValuationsResponse = pageResponse(
  'valuations',
  ValuationResponse,
  'One page of valuations, newest first.',
).openapi('ValuationsResponse')

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

export const presentValuations = presentPage('valuations', presentValuation)
