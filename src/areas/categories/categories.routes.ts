import { answer } from '../../http/answer.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentCategories, presentCategory } from './categories.presenters.ts'
import {
  CategoryResponse,
  CreateCategoryRequest,
  ListCategoriesQuery,
  ListCategoriesResponse,
} from './categories.schemas.ts'
import { createCategory, listCategories } from './categories.usecases.ts'

export const categoryRoutes = newArea()

export const getCategories = defineRoute('categories.read', {
  method: 'get',
  path: '/category',
  operationId: 'listCategories',
  summary: 'The own categories, in order of creation',
  tags: ['Categories'],
  request: { query: ListCategoriesQuery },
  responses: { 200: json(ListCategoriesResponse, 'One page of them') },
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
