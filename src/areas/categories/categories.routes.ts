import { answer } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentCategories, presentCategory } from './categories.presenters.ts'
import {
  CategoryResponse,
  CreateCategoryRequest,
  ListCategoriesQuery,
  ListCategoriesResponse,
  UpdateCategoryRequest,
} from './categories.schemas.ts'
import {
  changeCategory,
  createCategory,
  findCategory,
  listCategories,
} from './categories.usecases.ts'

export const categoryRoutes = newArea()

export const getCategories = defineRoute('categories.read', {
  method: 'get',
  path: '/category',
  operationId: 'listCategories',
  summary: 'The own categories, flat or as a tree, with sums of a period on request',
  tags: ['Categories'],
  request: { query: ListCategoriesQuery },
  responses: { 200: json(ListCategoriesResponse, 'One page of them, or the tree') },
})
categoryRoutes.openapi(getCategories, (c) =>
  answer(c, 200, presentCategories, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => listCategories(ctx, query, page))
  }),
)

export const postCategory = defineRoute('categories.write', {
  method: 'post',
  path: '/category',
  operationId: 'createCategory',
  summary: 'Create a category, at the top or under another one',
  tags: ['Categories'],
  request: jsonRequest(CreateCategoryRequest),
  responses: { 201: json(CategoryResponse, 'The new category') },
})
categoryRoutes.openapi(postCategory, (c) =>
  answer(c, 201, presentCategory, (ctx) => createCategory(ctx, c.req.valid('json'))),
)

export const getCategory = defineRoute('categories.read', {
  method: 'get',
  path: '/category/{id}',
  operationId: 'getCategory',
  summary: 'One category',
  tags: ['Categories'],
  request: { params: pathId('cat', 'category') },
  responses: { 200: json(CategoryResponse, 'The category') },
  errors: [404],
})
categoryRoutes.openapi(getCategory, (c) =>
  answer(c, 200, presentCategory, (ctx) => findCategory(ctx, c.req.valid('param').id)),
)

export const putCategory = defineRoute('categories.write', {
  method: 'put',
  path: '/category/{id}',
  operationId: 'updateCategory',
  summary: 'Change the fields that are sent, or move it with all that stands below it',
  tags: ['Categories'],
  versioned: true,
  request: { params: pathId('cat', 'category'), ...jsonRequest(UpdateCategoryRequest) },
  responses: { 200: json(CategoryResponse, 'The category as it is now') },
  errors: [404],
})
categoryRoutes.openapi(putCategory, (c) =>
  answer(c, 200, presentCategory, (ctx) =>
    changeCategory(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)
