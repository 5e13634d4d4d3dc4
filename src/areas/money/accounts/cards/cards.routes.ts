import { answer } from '../../../../http/answer.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { accountId } from '../accounts.contract.ts'
import {
  CardCycleResponse,
  CardStatementListResponse,
  cardStatementPath,
  CardStatementResponse,
  CardStatementsQuery,
  presentCycle,
  presentSingleStatement,
  presentStatements,
} from './cards.contract.ts'
import * as cards from './cards.usecases.ts'

export const getCardCycle = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}/card-cycle',
    operationId: 'getCardCycle',
    summary: 'Get the open cycle of a card',
    tags: ['Accounts'],
    request: { params: accountId },
    responses: { 200: json(CardCycleResponse, 'The open cycle and the last statement') },
  },
  (c) => answer(c, 200, presentCycle, (ctx) => cards.getCardCycle(ctx, c.req.valid('param').id)),
)

export const listCardStatements = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}/card-statement',
    operationId: 'listCardStatements',
    summary: 'List the statements of a card',
    tags: ['Accounts'],
    request: { params: accountId, query: CardStatementsQuery },
    responses: { 200: json(CardStatementListResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentStatements, (ctx) => {
      const { id } = c.req.valid('param')
      return paged(ctx, { ...c.req.valid('query'), id }, (page) =>
        cards.listCardStatements(ctx, id, page),
      )
    }),
)

export const getCardStatement = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/account/{id}/card-statement/{date}',
    operationId: 'getCardStatement',
    summary: 'Get a statement of a card',
    tags: ['Accounts'],
    request: { params: cardStatementPath, query: CardStatementsQuery },
    responses: {
      200: json(CardStatementResponse, 'The statement with a page of its transactions'),
    },
  },
  (c) =>
    answer(c, 200, presentSingleStatement, (ctx) => {
      const { id, date } = c.req.valid('param')
      return paged(ctx, { ...c.req.valid('query'), id, date }, (page) =>
        cards.getCardStatement(ctx, id, date, page),
      )
    }),
)
