import { answer } from '../../../../http/answer.ts'
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

export const getAccountBalance = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}/balance',
    operationId: 'getAccountBalance',
    summary: 'Get the account balance on a day',
    tags: ['Accounts'],
    request: { params: accountId, query: AccountBalanceQuery },
    responses: { 200: json(AccountBalanceResponse, 'The balances') },
  },
  (c) =>
    answer(c, 200, presentBalance, (ctx) =>
      balances.getAccountBalance(ctx, c.req.valid('param').id, c.req.valid('query').date),
    ),
)

export const getBalanceHistory = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}/balance-history',
    operationId: 'getBalanceHistory',
    summary: 'Get the balance history of an account',
    tags: ['Accounts'],
    request: { params: accountId, query: BalanceHistoryQuery },
    responses: { 200: json(BalanceHistoryResponse, 'The balances, oldest first') },
  },
  (c) =>
    answer(c, 200, presentBalanceHistory, (ctx) =>
      balances.getBalanceHistory(ctx, c.req.valid('param').id, c.req.valid('query')),
    ),
)
