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

export const getCardCycle = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/card-cycle',
  summary: 'Get the open cycle of a card',
  request: { params: accountId },
  responses: { 200: json(CardCycleResponse, 'The open cycle and the last statement') },
  run: (ctx, { params }) => cards.getCardCycle(ctx, params.id),
  present: presentCycle,
})

export const listCardStatements = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/card-statement',
  summary: 'List the statements of a card',
  request: { params: accountId, query: CardStatementsQuery },
  responses: { 200: json(CardStatementListResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => cards.listCardStatements(ctx, id, page))
  },
  present: presentStatements,
})

export const getCardStatement = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/card-statement/{date}',
  summary: 'Get a statement of a card',
  request: { params: cardStatementPath, query: CardStatementsQuery },
  responses: {
    200: json(CardStatementResponse, 'The statement with a page of its transactions'),
  },
  run: (ctx, { params, query }) => {
    const { id, date } = params
    return paged(ctx, { ...query, id, date }, (page) => cards.getCardStatement(ctx, id, date, page))
  },
  present: presentSingleStatement,
})
