import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  BalanceAssertionResponse,
  BalanceAssertionsResponse,
  CreateBalanceAssertionRequest,
  ListBalanceAssertionsQuery,
  presentAssertion,
  presentAssertions,
  presentCreatedAssertion,
  BalanceAssertionChecksResponse,
  CheckBalanceAssertionsRequest,
  presentCheckedAssertions,
} from './balance-assertions.contract.ts'
import * as balanceAssertions from './balance-assertions.usecases.ts'
import * as checking from './checking.usecases.ts'

const assertionId = pathId('bas', 'balance assertion')

export const listBalanceAssertions = operation({
  access: 'balanceAssertions.read',
  on: 'GET /balance-assertion',
  summary: 'List balance assertions',
  request: { query: ListBalanceAssertionsQuery },
  responses: { 200: json(BalanceAssertionsResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => balanceAssertions.listBalanceAssertions(ctx, query, page)),
  present: presentAssertions,
})

export const createBalanceAssertion = operation({
  access: 'balanceAssertions.write',
  on: 'POST /balance-assertion',
  summary: 'Create a balance assertion',
  request: jsonRequest(CreateBalanceAssertionRequest),
  responses: {
    200: json(BalanceAssertionResponse, 'The same assertion, which existed already'),
    201: json(BalanceAssertionResponse, 'The new assertion'),
  },
  errors: [409],
  run: (ctx, { body }) => balanceAssertions.createBalanceAssertion(ctx, body),
  present: presentCreatedAssertion,
  status: ({ isNew }: balanceAssertions.CreatedAssertion) => (isNew ? 201 : 200),
})

export const getBalanceAssertion = operation({
  access: 'balanceAssertions.read',
  on: 'GET /balance-assertion/{id}',
  summary: 'Get a balance assertion',
  request: { params: assertionId },
  responses: { 200: json(BalanceAssertionResponse, 'The assertion') },
  run: (ctx, { params }) => balanceAssertions.getBalanceAssertion(ctx, params.id),
  present: presentAssertion,
})

export const deleteBalanceAssertion = operation({
  access: 'balanceAssertions.write',
  on: 'DELETE /balance-assertion/{id}',
  summary: 'Delete a balance assertion',
  versioned: true,
  request: { params: assertionId },
  responses: { 200: json(MessageResponse, 'The assertion is deleted') },
  run: (ctx, { params }) => balanceAssertions.deleteBalanceAssertion(ctx, params.id),
  present: () => ({ message: 'The balance assertion is deleted.' }),
})

export const checkBalanceAssertions = operation({
  access: 'balanceAssertions.read',
  on: 'POST /balance-assertion/check',
  summary: 'Check balance assertions',
  request: jsonRequest(CheckBalanceAssertionsRequest),
  responses: { 200: json(BalanceAssertionChecksResponse, 'What holds, and what does not') },
  run: (ctx, { body }) => checking.checkBalanceAssertions(ctx, body),
  present: presentCheckedAssertions,
})
