import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentGroup, presentGroups } from './groups.presenters.ts'
import {
  CreateGroupRequest,
  GroupResponse,
  ListOwnGroupsQuery,
  ListOwnGroupsResponse,
  UpdateGroupRequest,
} from './groups.schemas.ts'
import { addGroup, changeGroup, findGroup, findGroups, removeGroup } from './groups.usecases.ts'

export const groupRoutes = newArea()

const params = pathId('grp', 'group')

export const listGroups = defineRoute('groups.read', {
  method: 'get',
  path: '/group',
  operationId: 'listGroups',
  summary: 'The groups that the caller is in, in order of creation',
  tags: ['Groups'],
  request: { query: ListOwnGroupsQuery },
  responses: { 200: json(ListOwnGroupsResponse, 'One page of them') },
})
groupRoutes.openapi(listGroups, (c) =>
  answer(c, 200, presentGroups, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findGroups(ctx, page)),
  ),
)

export const createGroup = defineRoute('groups.write', {
  method: 'post',
  path: '/group',
  operationId: 'createGroup',
  summary: 'Create a group; its owner is whoever does',
  tags: ['Groups'],
  request: jsonRequest(CreateGroupRequest),
  responses: { 201: json(GroupResponse, 'The new group') },
})
groupRoutes.openapi(createGroup, (c) =>
  answer(c, 201, presentGroup, (ctx) => addGroup(ctx, c.req.valid('json'))),
)

export const getGroup = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}',
  operationId: 'getGroup',
  summary: 'One group that the caller is in, with its role',
  tags: ['Groups'],
  request: { params },
  responses: { 200: json(GroupResponse, 'The group') },
  errors: [404],
})
groupRoutes.openapi(getGroup, (c) =>
  answer(c, 200, presentGroup, (ctx) => findGroup(ctx, c.req.valid('param').id)),
)

export const updateGroup = defineRoute('groups.write', {
  method: 'put',
  path: '/group/{id}',
  operationId: 'updateGroup',
  summary: 'Change the fields that are sent; for its owner and its administrators',
  tags: ['Groups'],
  versioned: true,
  request: { params, ...jsonRequest(UpdateGroupRequest) },
  responses: { 200: json(GroupResponse, 'The group as it is now') },
  errors: [404],
})
groupRoutes.openapi(updateGroup, (c) =>
  answer(c, 200, presentGroup, (ctx) =>
    changeGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteGroup = defineRoute('groups.write', {
  method: 'delete',
  path: '/group/{id}',
  operationId: 'deleteGroup',
  summary: 'Delete a group, for its owner; what was shared with it is its owners’ alone again',
  tags: ['Groups'],
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The group is gone') },
  errors: [404],
})
groupRoutes.openapi(deleteGroup, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The group was deleted.' }),
    (ctx) => removeGroup(ctx, c.req.valid('param').id),
  ),
)
