import type { Area } from '../area.ts'
import { accountsArea } from './accounts/accounts.area.ts'
import { balanceAssertionsArea } from './balance-assertions/balance-assertions.area.ts'
import { categoriesArea } from './categories/categories.area.ts'
import { currenciesArea } from './currencies/currencies.area.ts'
import { exchangeRatesArea } from './exchange-rates/exchange-rates.area.ts'
import { expensesArea } from './expenses/expenses.area.ts'
import { payeesArea } from './payees/payees.area.ts'
import { periodLocksArea } from './period-locks/period-locks.area.ts'
import { reconciliationsArea } from './reconciliations/reconciliations.area.ts'
import { rulesArea } from './rules/rules.area.ts'
import { tagsArea } from './tags/tags.area.ts'
import { transactionViewsArea } from './transaction-views/transaction-views.area.ts'
import { transactionsArea } from './transactions/transactions.area.ts'
import { transfersArea } from './transfers/transfers.area.ts'
import { trashArea } from './trash/trash.area.ts'
import { valuationsArea } from './valuations/valuations.area.ts'

/** Accounts, what is booked on them, and what describes it. Ranked: an area may import the public files of those before it. */
export const money: Area[] = [
  currenciesArea,
  exchangeRatesArea,
  categoriesArea,
  tagsArea,
  payeesArea,
  transactionViewsArea,
  balanceAssertionsArea,
  accountsArea,
  transactionsArea,
  expensesArea,
  transfersArea,
  rulesArea,
  valuationsArea,
  periodLocksArea,
  reconciliationsArea,
  trashArea,
]
