import { answer } from '../../../../http/answer.ts'
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

export const getCategoryUsage = operation(
  'categories.read',
  {
    method: 'get',
    path: '/category/{id}/usage',
    operationId: 'getCategoryUsage',
    summary: 'Count what uses a category',
    tags: ['Categories'],
    request: { params: categoryId },
    responses: { 200: json(CategoryUsageResponse, 'The counts') },
  },
  (c) =>
    answer(c, 200, presentCategoryUsage, (ctx) =>
      removal.getCategoryUsage(ctx, c.req.valid('param').id),
    ),
)

export const deleteCategory = operation(
  'categories.write',
  {
    method: 'delete',
    path: '/category/{id}',
    operationId: 'deleteCategory',
    summary: 'Delete a category',
    tags: ['Categories'],
    versioned: true,
    request: { params: categoryId, query: DeleteCategoryQuery },
    responses: { 200: json(DeletedCategoryResponse, 'The category was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      (lockedLines: number, ctx) => ({
        ...presentTrashed(
          ctx,
          { kind: 'category', id: c.req.valid('param').id },
          'The category was deleted.',
        ),
        lockedLines,
      }),
      (ctx) =>
        removal.deleteCategory(ctx, c.req.valid('param').id, c.req.valid('query').reassignTo),
    ),
)

export const mergeCategory = operation(
  'categories.write',
  {
    method: 'post',
    path: '/category/{id}/merge',
    operationId: 'mergeCategory',
    summary: 'Merge a category into this one',
    tags: ['Categories'],
    request: { params: categoryId, ...jsonRequest(MergeCategoryRequest) },
    responses: { 200: json(MergedCategoryResponse, 'The category after the merge') },
  },
  (c) =>
    answer(c, 200, presentMerged, (ctx) =>
      removal.mergeCategory(ctx, c.req.valid('param').id, c.req.valid('json').categoryId),
    ),
)
