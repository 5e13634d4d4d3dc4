import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentActivity } from './activity.presenters.ts'
import { ListActivityQuery, ListActivityResponse } from './activity.schemas.ts'
import { findActivity } from './activity.usecases.ts'

export const groupActivityRoutes = newArea()

export const listActivity = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}/activity',
  operationId: 'listGroupActivity',
  summary: 'What happened in a group and on what is shared with it, newest first',
  tags: ['Groups'],
  request: { params: pathId('grp', 'group'), query: ListActivityQuery },
  responses: { 200: json(ListActivityResponse, 'One page of it') },
  errors: [404],
})
groupActivityRoutes.openapi(listActivity, (c) =>
  answer(c, 200, presentActivity, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findActivity(ctx, c.req.valid('param').id, page)),
  ),
)
