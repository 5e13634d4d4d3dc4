import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, currencyInput, nullableText, money } from '../../../../http/fields.ts'
import {
  accountFields,
  convertedField,
  presentAccount,
  unconvertedAccount,
} from '../accounts.contract.ts'
import type { RollUp, Totals } from './home-page.usecases.ts'

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
  currency: nullableText('The requested currency.'),
  totals: TotalsSchema.nullable().openapi({
    description: 'In the requested currency, without `unconverted`.',
  }),
  totalsByCurrency: z
    .array(z.object({ currency: currency(), ...totals }))
    .openapi({ description: 'In each currency by itself.' }),
  unconverted: z.array(unconvertedAccount).openapi({
    description: 'Accounts without a rate to the requested currency; not in `totals`.',
  }),
  ratesAsOf: nullableText('Day of the oldest rate used.', '2026-11-20'),
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

export function presentHomePage(page: RollUp): z.infer<typeof HomepageResponseDTO> {
  const present = (account: RollUp['accounts'][number]): z.infer<typeof HomePageAccount> => ({
    ...presentAccount(account),
    converted:
      account.converted && page.currency !== null
        ? {
            amount: formatMoney(account.converted.amountMinor, page.currency),
            currency: page.currency,
            rate: account.converted.rate,
            rateDate: account.converted.rateDate,
          }
        : null,
  })
  return {
    ...presentSums(page),
    budgetAccounts: page.accounts.filter(({ account }) => account.onBudget).map(present),
    offBudgetAccounts: page.accounts.filter(({ account }) => !account.onBudget).map(present),
  }
}

export const presentSums = (page: RollUp) => ({
  currency: page.currency,
  totals: page.totals && page.currency !== null ? presentTotals(page.totals, page.currency) : null,
  totalsByCurrency: page.totalsByCurrency.map(({ currency, totals }) => ({
    currency,
    ...presentTotals(totals, currency),
  })),
  unconverted: page.unconverted.map(({ account, balances }) => ({
    accountId: account.id,
    currency: account.currency,
    balance: formatMoney(balances.balanceMinor, account.currency),
  })),
  ratesAsOf: page.ratesAsOf,
})

const presentTotals = (totals: Totals, currency: string): z.infer<typeof TotalsSchema> => ({
  assets: formatMoney(totals.assets, currency),
  liabilities: formatMoney(totals.liabilities, currency),
  netWorth: formatMoney(totals.netWorth, currency),
  budget: formatMoney(totals.budget, currency),
  offBudget: formatMoney(totals.offBudget, currency),
})
