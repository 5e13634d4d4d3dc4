import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { rightOfRank } from '../../domain/sharing.ts'
import { presentStamps } from '../../http/fields.ts'
import { type AccountView, isOwn } from './accounts.queries.ts'
import { ACCOUNT_TYPES, classOf, isOnBudgetByDefault } from './accounts.rules.ts'
import type {
  AccountListResponse,
  AccountResponseDTO,
  AccountTypesResponse,
} from './accounts.schemas.ts'

export function presentAccount({
  account,
  balances,
  seen,
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
    number: presentNumber(account.numberLastFour),
    creditLimit: account.creditLimitMinor === null ? null : money(account.creditLimitMinor),
    statementDay: account.statementDay,
    dueDay: account.dueDay,
    interestRate: account.interestRate,
    // Folders are the owner's.
    accountGroupId: isOwn(seen) ? account.accountGroupId : null,
    color: account.color,
    icon: account.icon,
    order: account.order,
    note: account.note,
    ownerId: account.ownerId,
    groupId: seen.groupId,
    permission: rightOfRank(seen.rank),
    transactionCount: balances.transactionCount,
    lastTransactionDate: balances.lastDate,
    ...presentStamps(account),
  }
}

/** Of the number of an account its end is stored. */
export const presentNumber = (lastFour: string | null): string | null =>
  lastFour === null ? null : `•••• ${lastFour}`

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
