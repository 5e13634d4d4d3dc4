import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { presentAccount } from '../accounts.presenters.ts'
import type { HomePageAccount, HomepageResponseDTO, TotalsSchema } from './home-page.schemas.ts'
import type { RollUp, Totals } from './home-page.usecases.ts'

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
