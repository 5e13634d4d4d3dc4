import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, id, money, moneyInput } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import type { ShownAccountAlert } from './alerts.usecases.ts'

export const SetAccountAlertRequest = z
  .strictObject({
    below: moneyInput('Tell the caller when the balance falls below this; null for never.')
      .nullable()
      .openapi({ example: '100.00' }),
    above: moneyInput('Tell the caller of each expense of more than this; null for never.')
      .refine((amount) => !amount.startsWith('-'), must('must not be negative', 'range'))
      .nullable()
      .openapi({ example: '500.00' }),
  })
  .openapi('SetAccountAlertRequest')

export const AccountAlertResponse = z
  .object({
    accountId: id('acc', 'Id of the account.'),
    currency: currency('Currency of the account and of the amounts.'),
    below: money('Balance below which the caller is told.').nullable(),
    above: money('Amount above which the caller is told of an expense.').nullable(),
  })
  .openapi('AccountAlertResponse')

export const presentAccountAlert = ({
  accountId,
  currency: code,
  belowMinor,
  aboveMinor,
}: ShownAccountAlert): z.infer<typeof AccountAlertResponse> => ({
  accountId,
  currency: code,
  below: belowMinor === null ? null : formatMoney(belowMinor, code),
  above: aboveMinor === null ? null : formatMoney(aboveMinor, code),
})
