import { json, operation } from '../../../../http/route.ts'
import { accountId } from '../accounts.contract.ts'
import {
  AccountBalanceQuery,
  AccountBalanceResponse,
  BalanceHistoryQuery,
  BalanceHistoryResponse,
  presentBalance,
  presentBalanceHistory,
} from './balances.contract.ts'
import * as balances from './balances.usecases.ts'

export const getAccountBalance = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/balance',
  summary: 'Get the account balance on a day',
  request: { params: accountId, query: AccountBalanceQuery },
  responses: { 200: json(AccountBalanceResponse, 'The balances') },
  run: (ctx, { params, query }) => balances.getAccountBalance(ctx, params.id, query.date),
  present: presentBalance,
})

export const getBalanceHistory = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/balance-history',
  summary: 'Get the balance history of an account',
  request: { params: accountId, query: BalanceHistoryQuery },
  responses: { 200: json(BalanceHistoryResponse, 'The balances, oldest first') },
  run: (ctx, { params, query }) => balances.getBalanceHistory(ctx, params.id, query),
  present: presentBalanceHistory,
})
