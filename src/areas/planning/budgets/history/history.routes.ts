import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { GetLineHistoryQuery, LineHistoryResponse, presentHistory } from './history.contract.ts'
import * as history from './history.usecases.ts'

const linePath = z.object({
  ...pathId('bud', 'budget').shape,
  lineId: idInPath('bln', 'Id of the line.'),
})

export const getLineHistory = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/line/{lineId}/history',
    operationId: 'getLineHistory',
    summary: 'Get the history of a budget line',
    tags: ['Budgets'],
    request: { params: linePath, query: GetLineHistoryQuery },
    responses: { 200: json(LineHistoryResponse, 'The line in each period') },
    errors: [409],
  },
  (c) =>
    answer(c, 200, presentHistory, (ctx) => {
      const { id: budgetId, lineId } = c.req.valid('param')
      return history.getLineHistory(ctx, budgetId, lineId, c.req.valid('query'))
    }),
)
