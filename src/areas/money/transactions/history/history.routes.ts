import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListTransactionVersionsQuery,
  TransactionVersionsResponse,
  presentVersions,
} from './history.contract.ts'
import * as history from './history.usecases.ts'

export const listTransactionVersions = operation({
  access: 'transactions.read',
  on: 'GET /transaction/{id}/history',
  summary: 'List the changes of a transaction',
  request: { params: pathId('txn', 'transaction'), query: ListTransactionVersionsQuery },
  responses: { 200: json(TransactionVersionsResponse, 'One page of the changes') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => history.listTransactionVersions(ctx, id, page))
  },
  present: presentVersions,
})
