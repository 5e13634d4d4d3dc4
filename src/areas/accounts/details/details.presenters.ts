import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import { presentAccount } from '../accounts.presenters.ts'
import type { AccountDetailsResponseDTO, RegisterResponse } from './details.schemas.ts'
import type { AccountDetails, Register } from './details.usecases.ts'

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
): z.infer<typeof RegisterResponse> => ({
  transactions: rows.map((row, at) => ({
    ...presentTransaction(row, ctx),
    runningBalance: formatMoney(balances[at] ?? 0n, view.account.currency),
  })),
  count,
  nextCursor,
})
