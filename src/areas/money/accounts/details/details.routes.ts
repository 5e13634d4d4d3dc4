import { answer } from '../../../../http/answer.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { accountId } from '../accounts.contract.ts'
import {
  AccountDetailsQuery,
  AccountDetailsResponseDTO,
  presentDetails,
  presentRegister,
  RegistrationResponse,
} from './details.contract.ts'
import * as details from './details.usecases.ts'

export const getAccountDetails = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}/details',
    operationId: 'getAccountDetails',
    summary: 'Get an account with its transactions',
    tags: ['Accounts'],
    request: { params: accountId, query: AccountDetailsQuery },
    responses: {
      200: json(AccountDetailsResponseDTO, 'The account and a page of its transactions'),
    },
  },
  (c) =>
    answer(c, 200, presentDetails, (ctx) => {
      const { id } = c.req.valid('param')
      const query = c.req.valid('query')
      return paged(ctx, { ...query, id }, (page) => details.getAccountDetails(ctx, id, query, page))
    }),
)

export const getRegister = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/account/{id}/transaction',
    operationId: 'getRegister',
    summary: 'List the transactions of an account',
    tags: ['Accounts'],
    request: { params: accountId, query: AccountDetailsQuery },
    responses: { 200: json(RegistrationResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRegister, (ctx) => {
      const { id } = c.req.valid('param')
      const query = c.req.valid('query')
      return paged(ctx, { ...query, id }, (page) => details.getRegister(ctx, id, query, page))
    }),
)
