import { z } from '@hono/zod-openapi'
import { dateInput, idInput, moneyInput, forceField } from '../../../http/fields.ts'

export const CloseAccountRequest = z
  .strictObject({
    transferTo: idInput(
      'acc',
      'Account that takes over the balance; required unless the balance is zero.',
    ).optional(),
    toAmount: moneyInput('Amount that arrives, if that account has another currency.').optional(),
    date: dateInput('Date of the transfer; by default today in the user’s time zone.').optional(),
    force: forceField,
  })
  .openapi('CloseAccountRequest')

export const ReorderAccountsRequest = z
  .strictObject({
    ids: z
      .array(idInput('acc', 'Id of an account.'))
      .min(1)
      .max(500)
      .openapi({
        description:
          'Ids of accounts in their new order. Accounts that are left out keep their position.',
        example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
      }),
  })
  .openapi('ReorderAccountsRequest')
