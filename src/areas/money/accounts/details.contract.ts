import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { count, dateInput, nullableText, money, nextCursor } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  presentTransaction,
  RegisterTransactionResponse,
  statusField,
} from '../transaction-views/transaction-views.public.ts'
import { AccountResponseDTO, presentAccount } from './accounts.contract.ts'
import type { AccountDetails, Register } from './details.usecases.ts'

export const AccountDetailsQuery = z.strictObject({
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  status: statusField.optional(),
  ...pageQuery(),
})

const register = {
  transactions: z
    .array(RegisterTransactionResponse)
    .openapi({ description: 'One page of transactions, newest first.' }),
  count,
  nextCursor,
}

export const RegistrationResponse = z.object(register).openapi('RegistrationResponse')

export const AccountDetailsResponseDTO = z
  .object({
    account: AccountResponseDTO,
    ...register,
    summary: z
      .object({
        inflow: money('Sum of all incoming amounts.'),
        outflow: money('Sum of all outgoing amounts, as a positive amount.'),
        net: money('Inflow minus outflow.'),
        from: nullableText('First requested day.'),
        to: nullableText('Last requested day.'),
      })
      .openapi({ description: 'Totals of all matching transactions, not only of this page.' }),
  })
  .openapi('AccountDetailsResponseDTO')

export function presentDetails(
  {
    view,
    rows,
    balances,
    count,
    inflow,
    outflow,
    filter,
    nextCursor,
  }: AccountDetails & { nextCursor: string | null },
  ctx: SignedIn,
): z.infer<typeof AccountDetailsResponseDTO> {
  const money = (minor: bigint) => formatMoney(minor, view.account.currency)
  return {
    account: presentAccount(view),
    ...presentRegister({ view, rows, balances, count, nextCursor }, ctx),
    summary: {
      inflow: money(inflow),
      outflow: money(-outflow),
      net: money(inflow + outflow),
      from: filter.from ?? null,
      to: filter.to ?? null,
    },
  }
}

export const presentRegister = (
  {
    view,
    rows,
    balances,
    count,
    nextCursor,
  }: Pick<Register, 'view' | 'rows' | 'balances' | 'count'> & { nextCursor: string | null },
  ctx: SignedIn,
): z.infer<typeof RegistrationResponse> => ({
  transactions: rows.map((row, at) => ({
    ...presentTransaction(row, ctx),
    runningBalance: formatMoney(balances[at] ?? 0n, view.account.currency),
  })),
  count,
  nextCursor,
})
