import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentVersions } from './history.presenters.ts'
import { ListTransactionVersionsQuery, ListTransactionVersionsResponse } from './history.schemas.ts'
import { findVersions } from './history.usecases.ts'

export const transactionHistoryRoutes = newArea()

export const listVersions = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction/{id}/history',
  operationId: 'listTransactionVersions',
  summary: 'What became of a transaction, field by field',
  tags: ['Transactions'],
  request: { params: pathId('txn', 'transaction'), query: ListTransactionVersionsQuery },
  responses: { 200: json(ListTransactionVersionsResponse, 'One page of its versions') },
  errors: [404],
})
transactionHistoryRoutes.openapi(listVersions, (c) =>
  answer(c, 200, presentVersions, (ctx) => {
    const { id } = c.req.valid('param')
    const query = c.req.valid('query')
    return paged(ctx, { ...query, id }, (page) => findVersions(ctx, id, page))
  }),
)
