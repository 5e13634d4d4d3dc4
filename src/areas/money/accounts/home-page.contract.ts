import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { currency, currencyInput, nullableText, money } from '../../../http/fields.ts'
import {
  accountFields,
  convertedField,
  presentAccount,
  unconvertedAccount,
} from './accounts.contract.ts'
import { rateWarnings } from '../exchange-rates/exchange-rates.public.ts'
import type { RollUp, BalanceTotals } from './home-page.usecases.ts'

export const HomePageQuery = z.strictObject({
  currency: currencyInput(
    'Currency into which all balances are also converted, for display only.',
  ).optional(),
})

const totals = {
  assets: money('Sum of all assets.'),
  liabilities: money('Sum of all liabilities, as a negative amount.'),
  netWorth: money('Sum of assets and liabilities.'),
  budget: money('Sum of accounts on the budget.'),
  offBudget: money('Sum of accounts off the budget.'),
}

export const TotalsSchema = z.object(totals)

export const HomePageAccount = z
  .object({
    ...accountFields,
    converted: convertedField,
  })
  .openapi('HomePageAccount')

/** The fields of a summary of accounts. */
export const sums = {
  currency: nullableText('Requested currency.'),
  totals: TotalsSchema.nullable().openapi({
    description: 'Totals in the requested currency, without the accounts in `unconverted`.',
  }),
  totalsByCurrency: z
    .array(z.object({ currency: currency(), ...totals }))
    .openapi({ description: 'Totals by currency, without conversion.' }),
  unconverted: z.array(unconvertedAccount).openapi({
    description: 'Accounts without a rate to the requested currency, which are not in `totals`.',
  }),
  ratesAsOf: nullableText('Date of the oldest rate used.', '2026-11-20'),
  warnings: rateWarnings,
}

export const HomepageResponseDTO = z
  .object({
    ...sums,
    budgetAccounts: z
      .array(HomePageAccount)
      .openapi({ description: 'Open accounts on the budget.' }),
    offBudgetAccounts: z
      .array(HomePageAccount)
      .openapi({ description: 'Open accounts off the budget.' }),
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
            stale: account.converted.stale,
          }
        : null,
  })
  return {
    ...presentAccountSums(page),
    budgetAccounts: page.accounts.filter(({ account }) => account.onBudget).map(present),
    offBudgetAccounts: page.accounts.filter(({ account }) => !account.onBudget).map(present),
  }
}

export const presentAccountSums = (page: RollUp) => ({
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
  warnings: page.warnings,
})

const presentTotals = (totals: BalanceTotals, currency: string): z.infer<typeof TotalsSchema> => ({
  assets: formatMoney(totals.assets, currency),
  liabilities: formatMoney(totals.liabilities, currency),
  netWorth: formatMoney(totals.netWorth, currency),
  budget: formatMoney(totals.budget, currency),
  offBudget: formatMoney(totals.offBudget, currency),
})
