import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { HomePageQuery, HomepageResponseDTO, presentHomePage } from './home-page.contract.ts'
import * as homePage from './home-page.usecases.ts'

export const getHomePage = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/home-page',
    operationId: 'getHomePage',
    summary: 'Get the home page summary',
    tags: ['Accounts'],
    request: { query: HomePageQuery },
    responses: { 200: json(HomepageResponseDTO, 'The home page') },
  },
  (c) =>
    answer(c, 200, presentHomePage, (ctx) =>
      homePage.getHomePage(ctx, c.req.valid('query').currency),
    ),
)
