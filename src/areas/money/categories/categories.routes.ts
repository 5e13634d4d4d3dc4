import { answer } from '../../../http/answer.ts'
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

export const listCategories = operation(
  'categories.read',
  {
    method: 'get',
    path: '/category',
    operationId: 'listCategories',
    summary: 'List own categories',
    tags: ['Categories'],
    request: { query: ListCategoriesQuery },
    responses: { 200: json(CategoriesResponse, 'One page of the list, or the tree') },
  },
  (c) =>
    answer(c, 200, presentCategories, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => categories.listCategories(ctx, query, page))
    }),
)

export const createCategory = operation(
  'categories.write',
  {
    method: 'post',
    path: '/category',
    operationId: 'createCategory',
    summary: 'Create a category',
    tags: ['Categories'],
    request: jsonRequest(CreateCategoryRequest),
    responses: { 201: json(CategoryResponse, 'The new category') },
  },
  (c) =>
    answer(c, 201, presentCategory, (ctx) => categories.createCategory(ctx, c.req.valid('json'))),
)

export const getCategory = operation(
  'categories.read',
  {
    method: 'get',
    path: '/category/{id}',
    operationId: 'getCategory',
    summary: 'Get a category',
    tags: ['Categories'],
    request: { params: pathId('cat', 'category') },
    responses: { 200: json(CategoryResponse, 'The category') },
  },
  (c) =>
    answer(c, 200, presentCategory, (ctx) => categories.getCategory(ctx, c.req.valid('param').id)),
)

export const updateCategory = operation(
  'categories.write',
  {
    method: 'put',
    path: '/category/{id}',
    operationId: 'updateCategory',
    summary: 'Update a category',
    tags: ['Categories'],
    versioned: true,
    request: { params: pathId('cat', 'category'), ...jsonRequest(UpdateCategoryRequest) },
    responses: { 200: json(CategoryResponse, 'The category as it is now') },
  },
  (c) =>
    answer(c, 200, presentCategory, (ctx) =>
      categories.updateCategory(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)
