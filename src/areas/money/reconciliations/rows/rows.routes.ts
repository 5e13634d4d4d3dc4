import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListReconciliationRowsQuery,
  ReconciliationRowsResponse,
  presentRows,
} from './rows.contract.ts'
import * as rows from './rows.usecases.ts'

export const listReconciliationRows = operation({
  access: 'reconciliations.read',
  on: 'GET /reconciliation/{id}/row',
  summary: 'List transactions of a reconciliation',
  request: { params: pathId('rcn', 'reconciliation'), query: ListReconciliationRowsQuery },
  responses: { 200: json(ReconciliationRowsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, query, (page) => rows.listReconciliationRows(ctx, id, query, page))
  },
  present: presentRows,
})
