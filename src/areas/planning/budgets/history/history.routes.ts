import { z } from '@hono/zod-openapi'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { GetLineHistoryQuery, LineHistoryResponse, presentHistory } from './history.contract.ts'
import * as history from './history.usecases.ts'

const linePath = z.object({
  ...pathId('bud', 'budget').shape,
  lineId: idInPath('bln', 'Id of the line.'),
})

export const getLineHistory = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/line/{lineId}/history',
  summary: 'Get the history of a budget line',
  request: { params: linePath, query: GetLineHistoryQuery },
  responses: { 200: json(LineHistoryResponse, 'The line in each period') },
  errors: [409],
  run: (ctx, { params, query }) => {
    const { id: budgetId, lineId } = params
    return history.getLineHistory(ctx, budgetId, lineId, query)
  },
  present: presentHistory,
})
