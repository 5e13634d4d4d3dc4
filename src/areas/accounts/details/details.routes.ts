import { answer } from '../../../http/answer.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { accountId } from '../accounts.routes.ts'
import { presentDetails, presentRegister } from './details.presenters.ts'
import {
  AccountDetailsQuery,
  AccountDetailsResponseDTO,
  RegisterResponse,
} from './details.schemas.ts'
import { findDetails, findRegister } from './details.usecases.ts'

export const detailsRoutes = newArea()

export const getAccountDetails = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/{id}/details',
  operationId: 'getAccountDetails',
  summary: 'An account with its transactions and the balance after each',
  tags: ['Accounts'],
  request: { params: accountId, query: AccountDetailsQuery },
  responses: { 200: json(AccountDetailsResponseDTO, 'The account and a page of its transactions') },
  errors: [404],
})
detailsRoutes.openapi(getAccountDetails, (c) =>
  answer(c, 200, presentDetails, (ctx) => {
    const { id } = c.req.valid('param')
    const query = c.req.valid('query')
    return paged(ctx, { ...query, id }, (page) => findDetails(ctx, id, query, page))
  }),
)

export const getRegister = defineRoute('transactions.read', {
  method: 'get',
  path: '/account/{id}/transaction',
  operationId: 'getRegister',
  summary: 'The transactions of an account with the balance after each',
  tags: ['Accounts'],
  request: { params: accountId, query: AccountDetailsQuery },
  responses: { 200: json(RegisterResponse, 'One page of them') },
  errors: [404],
})
detailsRoutes.openapi(getRegister, (c) =>
  answer(c, 200, presentRegister, (ctx) => {
    const { id } = c.req.valid('param')
    const query = c.req.valid('query')
    return paged(ctx, { ...query, id }, (page) => findRegister(ctx, id, query, page))
  }),
)
