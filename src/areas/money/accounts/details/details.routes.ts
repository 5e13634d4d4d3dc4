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

export const getAccountDetails = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/details',
  summary: 'Get an account with its transactions',
  request: { params: accountId, query: AccountDetailsQuery },
  responses: {
    200: json(AccountDetailsResponseDTO, 'The account and a page of its transactions'),
  },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => details.getAccountDetails(ctx, id, query, page))
  },
  present: presentDetails,
})

export const getRegister = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/transaction',
  summary: 'List the transactions of an account',
  request: { params: accountId, query: AccountDetailsQuery },
  responses: { 200: json(RegistrationResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => details.getRegister(ctx, id, query, page))
  },
  present: presentRegister,
})
