import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { accountId } from '../accounts.routes.ts'
import { presentBalance, presentBalanceHistory } from './balances.presenters.ts'
import {
  AccountBalanceQuery,
  AccountBalanceResponse,
  BalanceHistoryQuery,
  BalanceHistoryResponse,
} from './balances.schemas.ts'
import { findBalance, findBalanceHistory } from './balances.usecases.ts'

export const balanceRoutes = newArea()

export const getAccountBalance = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/{id}/balance',
  operationId: 'getAccountBalance',
  summary: 'What was on an account at the end of a day: booked, cleared and reconciled',
  tags: ['Accounts'],
  request: { params: accountId, query: AccountBalanceQuery },
  responses: { 200: json(AccountBalanceResponse, 'The balances') },
  errors: [404],
})
balanceRoutes.openapi(getAccountBalance, (c) =>
  answer(c, 200, presentBalance, (ctx) =>
    findBalance(ctx, c.req.valid('param').id, c.req.valid('query').date),
  ),
)

export const getBalanceHistory = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/{id}/balance-history',
  operationId: 'getBalanceHistory',
  summary: 'The balance of an account at the end of each day, week or month',
  tags: ['Accounts'],
  request: { params: accountId, query: BalanceHistoryQuery },
  responses: { 200: json(BalanceHistoryResponse, 'The balances, oldest first') },
  errors: [404],
})
balanceRoutes.openapi(getBalanceHistory, (c) =>
  answer(c, 200, presentBalanceHistory, (ctx) =>
    findBalanceHistory(ctx, c.req.valid('param').id, c.req.valid('query')),
  ),
)
