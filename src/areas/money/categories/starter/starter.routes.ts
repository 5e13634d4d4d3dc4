import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  presentStarted,
  StarterCategoriesRequest,
  StarterCategoriesResponse,
} from './starter.contract.ts'
import * as starter from './starter.usecases.ts'
import type { Started } from './starter.usecases.ts'

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
  present: presentStarted,
  status: ({ created }: Started) => (created.length > 0 ? 201 : 200),
})
