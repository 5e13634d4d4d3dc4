import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListReconciliationRowsQuery,
  ReconciliationRowsResponse,
  presentRows,
} from './rows.contract.ts'
import * as rows from './rows.usecases.ts'

export const listReconciliationRows = operation(
  'reconciliations.read',
  {
    method: 'get',
    path: '/reconciliation/{id}/row',
    operationId: 'listReconciliationRows',
    summary: 'List transactions of a reconciliation',
    tags: ['Reconciliations'],
    request: { params: pathId('rcn', 'reconciliation'), query: ListReconciliationRowsQuery },
    responses: { 200: json(ReconciliationRowsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRows, (ctx) => {
      const query = c.req.valid('query')
      const { id } = c.req.valid('param')
      return paged(ctx, query, (page) => rows.listReconciliationRows(ctx, id, query, page))
    }),
)
