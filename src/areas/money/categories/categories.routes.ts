import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed } from '../../../http/trashed.ts'
import {
  CategoriesResponse,
  CategoryResponse,
  CreateCategoryRequest,
  ListCategoriesQuery,
  presentCategories,
  presentCategory,
  UpdateCategoryRequest,
  ReorderCategoriesRequest,
  presentStarterSet,
  StarterCategoriesRequest,
  StarterCategoriesResponse,
} from './categories.contract.ts'
import * as categories from './categories.usecases.ts'
import type { Started } from './starter.usecases.ts'
import * as starter from './starter.usecases.ts'
import {
  CategoryUsageResponse,
  DeleteCategoryQuery,
  DeletedCategoryResponse,
  MergeCategoryRequest,
  MergedCategoryResponse,
  presentMerged,
  presentCategoryUsage,
} from './removal/removal.contract.ts'
import * as removal from './removal/removal.usecases.ts'

export const listCategories = operation({
  access: 'categories.read',
  on: 'GET /category',
  summary: 'List own categories',
  request: { query: ListCategoriesQuery },
  responses: { 200: json(CategoriesResponse, 'One page of the list, or the tree') },
  run: (ctx, { query }) => paged(ctx, query, (page) => categories.listCategories(ctx, query, page)),
  present: presentCategories,
})

export const createCategory = operation({
  access: 'categories.write',
  on: 'POST /category',
  summary: 'Create a category',
  request: jsonRequest(CreateCategoryRequest),
  responses: { 201: json(CategoryResponse, 'The new category') },
  run: (ctx, { body }) => categories.createCategory(ctx, body),
  present: presentCategory,
})

export const getCategory = operation({
  access: 'categories.read',
  on: 'GET /category/{id}',
  summary: 'Get a category',
  request: { params: pathId('cat', 'category') },
  responses: { 200: json(CategoryResponse, 'The category') },
  run: (ctx, { params }) => categories.getCategory(ctx, params.id),
  present: presentCategory,
})

export const updateCategory = operation({
  access: 'categories.write',
  on: 'PUT /category/{id}',
  summary: 'Update a category',
  versioned: true,
  request: { params: pathId('cat', 'category'), ...jsonRequest(UpdateCategoryRequest) },
  responses: { 200: json(CategoryResponse, 'The category as it is now') },
  run: (ctx, { params, body }) => categories.updateCategory(ctx, params.id, body),
  present: presentCategory,
})

export const reorderCategories = operation({
  access: 'categories.write',
  on: 'POST /category/reorder',
  summary: 'Order and nest many categories',
  request: jsonRequest(ReorderCategoriesRequest),
  responses: { 200: json(MessageResponse, 'The categories have the new order') },
  run: (ctx, { body }) => categories.reorderCategories(ctx, body.categories),
  present: () => ({ message: 'The categories were put in order.' }),
})

export const createStarterCategories = operation({
  access: 'categories.write',
  on: 'POST /category/starter',
  summary: 'Create a starter set of categories',
  request: jsonRequest(StarterCategoriesRequest),
  responses: {
    200: json(StarterCategoriesResponse, 'All categories already existed'),
    201: json(StarterCategoriesResponse, 'The new and the existing categories'),
  },
  run: (ctx, { body }) => starter.createStarterCategories(ctx, body),
  present: presentStarterSet,
  status: ({ created }: Started) => (created.length > 0 ? 201 : 200),
})

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
