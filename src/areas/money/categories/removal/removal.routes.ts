import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { presentTrashed } from '../../../../http/trashed.ts'
import {
  CategoryUsageResponse,
  DeleteCategoryQuery,
  DeletedCategoryResponse,
  MergeCategoryRequest,
  MergedCategoryResponse,
  presentMerged,
  presentCategoryUsage,
} from './removal.contract.ts'
import * as removal from './removal.usecases.ts'

const categoryId = pathId('cat', 'category')

export const getCategoryUsage = operation({
  access: 'categories.read',
  on: 'GET /category/{id}/usage',
  summary: 'Count what uses a category',
  request: { params: categoryId },
  responses: { 200: json(CategoryUsageResponse, 'The counts') },
  run: (ctx, { params }) => removal.getCategoryUsage(ctx, params.id),
  present: presentCategoryUsage,
})

export const deleteCategory = operation({
  access: 'categories.write',
  on: 'DELETE /category/{id}',
  summary: 'Delete a category',
  versioned: true,
  request: { params: categoryId, query: DeleteCategoryQuery },
  responses: { 200: json(DeletedCategoryResponse, 'The category was deleted') },
  run: (ctx, { params, query }) => removal.deleteCategory(ctx, params.id, query.reassignTo),
  present: (lockedLines: number, ctx, { params }) => ({
    ...presentTrashed(ctx, { kind: 'category', id: params.id }, 'The category was deleted.'),
    lockedLines,
  }),
})

export const mergeCategory = operation({
  access: 'categories.write',
  on: 'POST /category/{id}/merge',
  summary: 'Merge a category into this one',
  request: { params: categoryId, ...jsonRequest(MergeCategoryRequest) },
  responses: { 200: json(MergedCategoryResponse, 'The category after the merge') },
  run: (ctx, { params, body }) => removal.mergeCategory(ctx, params.id, body.categoryId),
  present: presentMerged,
})
