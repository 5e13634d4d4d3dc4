import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentMember } from '../members/members.presenters.ts'
import { memberParams, MemberResponse } from '../members/members.schemas.ts'
import { presentAllGroups, presentAnyGroup } from './administration.presenters.ts'
import {
  AddGroupMemberRequest,
  AdminGroupResponse,
  ListGroupsQuery,
  ListGroupsResponse,
  PatchGroupRequest,
} from './administration.schemas.ts'
import {
  addAnyMember,
  changeAnyGroup,
  findAllGroups,
  findAnyGroup,
  removeAnyGroup,
  removeAnyMember,
} from './administration.usecases.ts'

export const groupAdministrationRoutes = newArea()

const params = pathId('grp', 'group')

export const listAllGroups = defineRoute('allGroups.read', {
  method: 'get',
  path: '/admin/groups',
  operationId: 'listAllGroups',
  summary: 'All groups with their numbers of members and accounts, newest first',
  tags: ['Groups'],
  request: { query: ListGroupsQuery },
  responses: { 200: json(ListGroupsResponse, 'One page of them') },
})
groupAdministrationRoutes.openapi(listAllGroups, (c) =>
  answer(c, 200, presentAllGroups, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findAllGroups(ctx, page)),
  ),
)

export const getAnyGroup = defineRoute('allGroups.read', {
  method: 'get',
  path: '/admin/groups/{id}',
  operationId: 'getAnyGroup',
  summary: 'One group with its members',
  tags: ['Groups'],
  request: { params },
  responses: { 200: json(AdminGroupResponse, 'The group') },
  errors: [404],
})
groupAdministrationRoutes.openapi(getAnyGroup, (c) =>
  answer(c, 200, presentAnyGroup, (ctx) => findAnyGroup(ctx, c.req.valid('param').id)),
)

export const patchAnyGroup = defineRoute('allGroups.write', {
  method: 'patch',
  path: '/admin/groups/{id}',
  operationId: 'updateAnyGroup',
  summary: 'Rename a group, or suspend it: nothing is shared through it meanwhile',
  tags: ['Groups'],
  versioned: true,
  request: { params, ...jsonRequest(PatchGroupRequest) },
  responses: { 200: json(AdminGroupResponse, 'The group as it is now') },
  errors: [404],
})
groupAdministrationRoutes.openapi(patchAnyGroup, (c) =>
  answer(c, 200, presentAnyGroup, (ctx) =>
    changeAnyGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteAnyGroup = defineRoute('allGroups.write', {
  method: 'delete',
  path: '/admin/groups/{id}',
  operationId: 'deleteAnyGroup',
  summary: 'Delete a group; what was shared with it is its owners’ alone again',
  tags: ['Groups'],
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The group is gone') },
  errors: [404],
})
groupAdministrationRoutes.openapi(deleteAnyGroup, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The group was deleted.' }),
    (ctx) => removeAnyGroup(ctx, c.req.valid('param').id),
  ),
)

export const postAnyMember = defineRoute('allGroups.write', {
  method: 'post',
  path: '/admin/groups/{id}/members',
  operationId: 'addGroupMember',
  summary: 'Add a user to a group',
  tags: ['Groups'],
  request: { params, ...jsonRequest(AddGroupMemberRequest) },
  responses: { 201: json(MemberResponse, 'The new member') },
  errors: [404],
})
groupAdministrationRoutes.openapi(postAnyMember, (c) =>
  answer(c, 201, presentMember, (ctx) =>
    addAnyMember(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteAnyMember = defineRoute('allGroups.write', {
  method: 'delete',
  path: '/admin/groups/{id}/members/{userId}',
  operationId: 'removeAnyGroupMember',
  summary: 'Remove a member from a group, other than its owner',
  tags: ['Groups'],
  versioned: true,
  request: { params: memberParams },
  responses: { 200: json(MessageResponse, 'The member is out') },
  errors: [404],
})
groupAdministrationRoutes.openapi(deleteAnyMember, (c) => {
  const { id, userId } = c.req.valid('param')
  return answer(
    c,
    200,
    () => ({ message: 'The member was removed.' }),
    (ctx) => removeAnyMember(ctx, id, userId),
  )
})
