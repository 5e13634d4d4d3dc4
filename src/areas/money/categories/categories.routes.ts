import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CategoryResponse,
  CreateCategoryRequest,
  ListCategoriesQuery,
  CategoriesResponse,
  presentCategories,
  presentCategory,
  UpdateCategoryRequest,
} from './categories.contract.ts'
import * as categories from './categories.usecases.ts'

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
