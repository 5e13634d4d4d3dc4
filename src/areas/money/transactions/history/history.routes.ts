import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListTransactionVersionsQuery,
  TransactionVersionsResponse,
  presentVersions,
} from './history.contract.ts'
import * as history from './history.usecases.ts'

export const listTransactionVersions = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction/{id}/history',
    operationId: 'listTransactionVersions',
    summary: 'List the changes of a transaction',
    tags: ['Transactions'],
    request: { params: pathId('txn', 'transaction'), query: ListTransactionVersionsQuery },
    responses: { 200: json(TransactionVersionsResponse, 'One page of the changes') },
  },
  (c) =>
    answer(c, 200, presentVersions, (ctx) => {
      const { id } = c.req.valid('param')
      const query = c.req.valid('query')
      return paged(ctx, { ...query, id }, (page) => history.listTransactionVersions(ctx, id, page))
    }),
)
