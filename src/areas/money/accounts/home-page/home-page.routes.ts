import { json, operation } from '../../../../http/route.ts'
import { HomePageQuery, HomepageResponseDTO, presentHomePage } from './home-page.contract.ts'
import * as homePage from './home-page.usecases.ts'

export const getHomePage = operation({
  access: 'accounts.read',
  on: 'GET /account/home-page',
  summary: 'Get the home page summary',
  request: { query: HomePageQuery },
  responses: { 200: json(HomepageResponseDTO, 'The home page') },
  run: (ctx, { query }) => homePage.getHomePage(ctx, query.currency),
  present: presentHomePage,
})
