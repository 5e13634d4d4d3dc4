import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  presentStarted,
  StarterCategoriesRequest,
  StarterCategoriesResponse,
} from './starter.contract.ts'
import * as starter from './starter.usecases.ts'
import type { Started } from './starter.usecases.ts'

export const createStarterCategories = operation(
  'categories.write',
  {
    method: 'post',
    path: '/category/starter',
    operationId: 'createStarterCategories',
    summary: 'Create a starter set of categories',
    tags: ['Categories'],
    request: jsonRequest(StarterCategoriesRequest),
    responses: {
      200: json(StarterCategoriesResponse, 'All categories already existed'),
      201: json(StarterCategoriesResponse, 'The new and the existing categories'),
    },
  },
  (c) =>
    answer(
      c,
      ({ created }: Started) => (created.length > 0 ? 201 : 200),
      presentStarted,
      (ctx) => starter.createStarterCategories(ctx, c.req.valid('json')),
    ),
)
