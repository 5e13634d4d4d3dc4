import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentCategory } from '../categories.presenters.ts'
import { CategoryResponse } from '../categories.schemas.ts'
import { presentUsage } from './removal.presenters.ts'
import {
  CategoryUsageResponse,
  DeleteCategoryQuery,
  MergeCategoryRequest,
} from './removal.schemas.ts'
import { findUsage, mergeCategory, removeCategory } from './removal.usecases.ts'

export const categoryRemovalRoutes = newArea()

const categoryId = pathId('cat', 'category')

export const getCategoryUsage = defineRoute('categories.read', {
  method: 'get',
  path: '/category/{id}/usage',
  operationId: 'getCategoryUsage',
  summary: 'What hangs on a category, to be asked before it is deleted',
  tags: ['Categories'],
  request: { params: categoryId },
  responses: { 200: json(CategoryUsageResponse, 'Counts of what hangs on it') },
  errors: [404],
})
categoryRemovalRoutes.openapi(getCategoryUsage, (c) =>
  answer(c, 200, presentUsage, (ctx) => findUsage(ctx, c.req.valid('param').id)),
)

export const deleteCategory = defineRoute('categories.write', {
  method: 'delete',
  path: '/category/{id}',
  operationId: 'deleteCategory',
  summary: 'Delete a category; what hangs on it goes to the one that is named, else it stays',
  tags: ['Categories'],
  versioned: true,
  request: { params: categoryId, query: DeleteCategoryQuery },
  responses: { 200: json(MessageResponse, 'The category is gone') },
  errors: [404],
})
categoryRemovalRoutes.openapi(deleteCategory, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The category was deleted.' }),
    (ctx) => removeCategory(ctx, c.req.valid('param').id, c.req.valid('query').reassignTo),
  ),
)

export const postCategoryMerge = defineRoute('categories.write', {
  method: 'post',
  path: '/category/{id}/merge',
  operationId: 'mergeCategory',
  summary: 'Merge another category of the same kind into this one, with all that hangs on it',
  tags: ['Categories'],
  request: { params: categoryId, ...jsonRequest(MergeCategoryRequest) },
  responses: { 200: json(CategoryResponse, 'This category') },
  errors: [404],
})
categoryRemovalRoutes.openapi(postCategoryMerge, (c) =>
  answer(c, 200, presentCategory, (ctx) =>
    mergeCategory(ctx, c.req.valid('param').id, c.req.valid('json').categoryId),
  ),
)
