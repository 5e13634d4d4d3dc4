import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  count,
  dateInput,
  nullableText,
  money,
  nextCursor,
  idInput,
  moneyInput,
  forceField,
} from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { convertInQuery } from '../exchange-rates/exchange-rates.public.ts'
import {
  conditionInQuery,
  lineInput,
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
  convert: convertInQuery,
  ...pageQuery(),
})

export const RegisterQuery = AccountDetailsQuery.extend({
  q: lineInput.optional(),
  condition: conditionInQuery.optional(),
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
