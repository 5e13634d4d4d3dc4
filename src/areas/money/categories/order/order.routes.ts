import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { ReorderCategoriesRequest } from './order.contract.ts'
import * as order from './order.usecases.ts'

export const reorderCategories = operation({
  access: 'categories.write',
  on: 'POST /category/reorder',
  summary: 'Order and nest many categories',
  request: jsonRequest(ReorderCategoriesRequest),
  responses: { 200: json(MessageResponse, 'The categories have the new order') },
  run: (ctx, { body }) => order.reorderCategories(ctx, body.categories),
  present: () => ({ message: 'The categories were put in order.' }),
})
