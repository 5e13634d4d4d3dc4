import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { ListActivityQuery, ListActivityResponse, presentActivity } from './activity.contract.ts'
import * as activity from './activity.usecases.ts'

export const listGroupActivity = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/activity',
  summary: 'List the activity of a group',
  request: { params: pathId('grp', 'group'), query: ListActivityQuery },
  responses: { 200: json(ListActivityResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => activity.listGroupActivity(ctx, params.id, page)),
  present: presentActivity,
})
