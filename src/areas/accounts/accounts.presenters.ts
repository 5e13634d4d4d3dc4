import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { presentStamps } from '../../http/fields.ts'
import type { AccountView } from './accounts.queries.ts'
import { ACCOUNT_TYPES, classOf, isOnBudgetByDefault } from './accounts.rules.ts'
import type {
  AccountListResponse,
  AccountResponseDTO,
  AccountTypesResponse,
} from './accounts.schemas.ts'

export function presentAccount({
  account,
  balances,
}: AccountView): z.infer<typeof AccountResponseDTO> {
  const money = (minor: number) => formatMoney(minor, account.currency)
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    class: classOf(account.type),
    currency: account.currency,
    onBudget: account.onBudget,
    includeInNetWorth: account.includeInNetWorth,
    balance: money(balances.balanceMinor),
    clearedBalance: money(balances.clearedMinor),
    reconciledBalance: money(balances.reconciledMinor),
    openingBalance: money(balances.openingMinor),
    openingDate: account.openingDate,
    status: account.status,
    institution: account.institution,
    iban: account.iban,
    number: account.numberLastFour === null ? null : `•••• ${account.numberLastFour}`,
    creditLimit: account.creditLimitMinor === null ? null : money(account.creditLimitMinor),
    statementDay: account.statementDay,
    dueDay: account.dueDay,
    interestRate: account.interestRate,
    accountGroupId: account.accountGroupId,
    color: account.color,
    icon: account.icon,
    order: account.order,
    note: account.note,
    ownerId: account.ownerId,
    // Only owners see accounts as yet; sharing brings the other permissions with it.
    permission: 'owner',
    transactionCount: balances.transactionCount,
    lastTransactionDate: balances.lastDate,
    ...presentStamps(account),
  }
}

export const presentAccounts = (accounts: AccountView[]): z.infer<typeof AccountListResponse> => ({
  accounts: accounts.map(presentAccount),
  count: accounts.length,
})

/** The types are code, so there is nothing to fetch. */
export const presentTypes = (): z.infer<typeof AccountTypesResponse> => ({
  types: ACCOUNT_TYPES.map((type) => ({
    type,
    class: classOf(type),
    onBudget: isOnBudgetByDefault(type),
  })),
  count: ACCOUNT_TYPES.length,
})
