import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentHomePage } from './home-page.presenters.ts'
import { HomePageQuery, HomepageResponseDTO } from './home-page.schemas.ts'
import { findHomePage } from './home-page.usecases.ts'

export const homePageRoutes = newArea()

export const getHomePage = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/home-page',
  operationId: 'getHomePage',
  summary: 'Totals, budget and off-budget accounts; with a currency, rolled up into it',
  tags: ['Accounts'],
  request: { query: HomePageQuery },
  responses: { 200: json(HomepageResponseDTO, 'The home page') },
})
homePageRoutes.openapi(getHomePage, (c) =>
  answer(c, 200, presentHomePage, (ctx) => findHomePage(ctx, c.req.valid('query').currency)),
)
