import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
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

export const listLineTransactions = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/line/{lineId}/transaction',
    operationId: 'listLineTransactions',
    summary: 'List the transactions of a budget line',
    tags: ['Budgets'],
    errors: [409],
    request: { params: linePath, query: ListLineTransactionsQuery },
    responses: { 200: json(LineTransactionsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRows, (ctx) => {
      const { id: budgetId, lineId } = c.req.valid('param')
      const query = c.req.valid('query')
      return paged(ctx, query, (page) =>
        rows.listLineTransactions(
          ctx,
          budgetId,
          lineId,
          { period: query.period, which: query.what },
          page,
        ),
      )
    }),
)
