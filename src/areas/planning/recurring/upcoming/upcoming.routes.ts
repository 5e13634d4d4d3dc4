import { json, operation } from '../../../../http/route.ts'
import { ListUpcomingQuery, presentUpcoming, UpcomingResponse } from './upcoming.contract.ts'
import * as upcoming from './upcoming.usecases.ts'

export const listUpcoming = operation({
  access: 'recurring.read',
  on: 'GET /recurring/upcoming',
  summary: 'List what is to come',
  request: { query: ListUpcomingQuery },
  responses: { 200: json(UpcomingResponse, 'The occurrences, and the balances of the account') },
  errors: [404],
  run: (ctx, { query }) => upcoming.listUpcoming(ctx, query),
  present: presentUpcoming,
})
