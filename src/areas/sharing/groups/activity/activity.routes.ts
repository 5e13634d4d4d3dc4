import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import { ListActivityQuery, ListActivityResponse, presentActivity } from './activity.contract.ts'
import * as activity from './activity.usecases.ts'

export const listGroupActivity = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}/activity',
    operationId: 'listGroupActivity',
    summary: 'List the activity of a group',
    tags: ['Groups'],
    request: { params: pathId('grp', 'group'), query: ListActivityQuery },
    responses: { 200: json(ListActivityResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentActivity, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        activity.listGroupActivity(ctx, c.req.valid('param').id, page),
      ),
    ),
)
