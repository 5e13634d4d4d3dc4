import { answer } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { ReorderCategoriesRequest } from './order.schemas.ts'
import { reorderCategories } from './order.usecases.ts'

export const categoryOrderRoutes = newArea()

export const postCategoryOrder = defineRoute('categories.write', {
  method: 'post',
  path: '/category/reorder',
  operationId: 'reorderCategories',
  summary: 'Order and nest many categories in one call',
  tags: ['Categories'],
  request: jsonRequest(ReorderCategoriesRequest),
  responses: { 200: json(MessageResponse, 'They stand as sent') },
})
categoryOrderRoutes.openapi(postCategoryOrder, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The categories were put in order.' }),
    (ctx) => reorderCategories(ctx, c.req.valid('json').categories),
  ),
)
