import { z } from '@hono/zod-openapi'
import { currency, currencyInput, maybe, money } from '../../../http/fields.ts'
import { accountFields, convertedField, unconvertedAccount } from '../accounts.schemas.ts'

export const HomePageQuery = z.strictObject({
  currency: currencyInput(
    'Also roll all balances up into this currency, for display only.',
  ).optional(),
})

const totals = {
  assets: money('What is owned.'),
  liabilities: money('What is owed: the sum of those balances, so negative.'),
  netWorth: money('Assets and liabilities together.'),
  budget: money('In budget accounts.'),
  offBudget: money('In off-budget accounts.'),
}

export const TotalsSchema = z.object(totals)

export const HomePageAccount = z
  .object({
    ...accountFields,
    converted: convertedField,
  })
  .openapi('HomePageAccount')

/** What is told of accounts that are rolled up. */
export const sums = {
  currency: maybe('The requested currency.'),
  totals: TotalsSchema.nullable().openapi({
    description: 'In the requested currency, without `unconverted`.',
  }),
  totalsByCurrency: z
    .array(z.object({ currency: currency(), ...totals }))
    .openapi({ description: 'In each currency by itself.' }),
  unconverted: z.array(unconvertedAccount).openapi({
    description: 'Accounts without a rate to the requested currency; not in `totals`.',
  }),
  ratesAsOf: maybe('Day of the oldest rate used.', '2026-11-20'),
}

export const HomepageResponseDTO = z
  .object({
    ...sums,
    budgetAccounts: z
      .array(HomePageAccount)
      .openapi({ description: 'Open accounts whose money is budgeted.' }),
    offBudgetAccounts: z
      .array(HomePageAccount)
      .openapi({ description: 'The other open accounts.' }),
  })
  .openapi('HomepageResponseDTO')
