import { z } from '@hono/zod-openapi'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  ListLineTransactionsQuery,
  LineTransactionsResponse,
  presentRows,
} from './rows.contract.ts'
import * as rows from './rows.usecases.ts'

const linePath = z.object({
  ...pathId('bud', 'budget').shape,
  lineId: idInPath('bln', 'Id of the line.'),
})

export const listLineTransactions = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/{lineId}/transaction',
  summary: 'List the transactions of a budget line',
  errors: [409],
  request: { params: linePath, query: ListLineTransactionsQuery },
  responses: { 200: json(LineTransactionsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id: budgetId, lineId } = params
    return paged(ctx, query, (page) =>
      rows.listLineTransactions(
        ctx,
        budgetId,
        lineId,
        { period: query.period, which: query.what },
        page,
      ),
    )
  },
  present: presentRows,
})
