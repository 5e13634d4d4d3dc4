import { answer } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { ReorderCategoriesRequest } from './order.contract.ts'
import * as order from './order.usecases.ts'

export const reorderCategories = operation(
  'categories.write',
  {
    method: 'post',
    path: '/category/reorder',
    operationId: 'reorderCategories',
    summary: 'Order and nest many categories',
    tags: ['Categories'],
    request: jsonRequest(ReorderCategoriesRequest),
    responses: { 200: json(MessageResponse, 'The categories have the new order') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The categories were put in order.' }),
      (ctx) => order.reorderCategories(ctx, c.req.valid('json').categories),
    ),
)
