import { z } from '@hono/zod-openapi'
import { dateInput, idInput, moneyInput } from '../../../../http/fields.ts'

export const CloseAccountRequest = z
  .strictObject({
    transferTo: idInput(
      'acc',
      'The account that takes over what is left; needed unless that is nothing.',
    ).optional(),
    toAmount: moneyInput('What arrives there, when it has another currency.').optional(),
    date: dateInput('Day of that transfer; today in the zone of the user unless said.').optional(),
  })
  .openapi('CloseAccountRequest')

export const ReorderAccountsRequest = z
  .strictObject({
    ids: z
      .array(idInput('acc', 'Id of an account.'))
      .min(1)
      .max(500)
      .openapi({
        description: 'Accounts in the order in which to list them; those left out keep theirs.',
        example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
      }),
  })
  .openapi('ReorderAccountsRequest')
