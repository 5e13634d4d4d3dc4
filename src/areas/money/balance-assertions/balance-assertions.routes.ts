import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  BalanceAssertionResponse,
  CreateBalanceAssertionRequest,
  ListBalanceAssertionsQuery,
  BalanceAssertionsResponse,
  presentAssertion,
  presentAssertions,
  presentCreatedAssertion,
} from './balance-assertions.contract.ts'
import * as balanceAssertions from './balance-assertions.usecases.ts'

const assertionId = pathId('bas', 'balance assertion')

export const listBalanceAssertions = operation(
  'balanceAssertions.read',
  {
    method: 'get',
    path: '/balance-assertion',
    operationId: 'listBalanceAssertions',
    summary: 'List balance assertions',
    tags: ['Balance assertions'],
    request: { query: ListBalanceAssertionsQuery },
    responses: { 200: json(BalanceAssertionsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentAssertions, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => balanceAssertions.listBalanceAssertions(ctx, query, page))
    }),
)

export const createBalanceAssertion = operation(
  'balanceAssertions.write',
  {
    method: 'post',
    path: '/balance-assertion',
    operationId: 'createBalanceAssertion',
    summary: 'Create a balance assertion',
    tags: ['Balance assertions'],
    request: jsonRequest(CreateBalanceAssertionRequest),
    responses: {
      200: json(BalanceAssertionResponse, 'The same assertion, which existed already'),
      201: json(BalanceAssertionResponse, 'The new assertion'),
    },
    errors: [409],
  },
  (c) =>
    answer(
      c,
      ({ isNew }: balanceAssertions.CreatedAssertion) => (isNew ? 201 : 200),
      presentCreatedAssertion,
      (ctx) => balanceAssertions.createBalanceAssertion(ctx, c.req.valid('json')),
    ),
)

export const getBalanceAssertion = operation(
  'balanceAssertions.read',
  {
    method: 'get',
    path: '/balance-assertion/{id}',
    operationId: 'getBalanceAssertion',
    summary: 'Get a balance assertion',
    tags: ['Balance assertions'],
    request: { params: assertionId },
    responses: { 200: json(BalanceAssertionResponse, 'The assertion') },
  },
  (c) =>
    answer(c, 200, presentAssertion, (ctx) =>
      balanceAssertions.getBalanceAssertion(ctx, c.req.valid('param').id),
    ),
)

export const deleteBalanceAssertion = operation(
  'balanceAssertions.write',
  {
    method: 'delete',
    path: '/balance-assertion/{id}',
    operationId: 'deleteBalanceAssertion',
    summary: 'Delete a balance assertion',
    tags: ['Balance assertions'],
    versioned: true,
    request: { params: assertionId },
    responses: { 200: json(MessageResponse, 'The assertion is deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The balance assertion is deleted.' }),
      (ctx) => balanceAssertions.deleteBalanceAssertion(ctx, c.req.valid('param').id),
    ),
)
